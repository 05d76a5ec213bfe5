/* host.c - what the system calls while it runs: events for the analyses, choices within a step, what was
 * found, and after each step who moves next. */
#include "engine/debugger.h"
#include "engine/explore/explorer.h"

enum { STACK_MAX = 64 };

static struct explorer *explorer_of(struct host *host) {
    return (struct explorer *)host;
}

static uint32_t host_choose(struct host *host, enum choice_tag tag, uint32_t task, uint32_t count) {
    struct explorer *self = explorer_of(host);
    struct choice choice = {.tag = tag, .count = count, .task = task};
    struct remembering *states = &self->strategy->states;
    states->shelve = false;
    uint32_t picked = explorer_ask(self, &choice);
    self->branched = self->chooses = true;
    if (self->remembers && states->shelve)
        explorer_shelve_choice(self);
    if (picked >= count) { /* cannot stop in the middle of a step: take any, end after it */
        self->over = true;
        picked = 0;
    }
    explorer_record(self, picked, count, tag);
    return picked;
}

static struct event *host_event(struct host *host, uint32_t task, const struct op *op) {
    struct event *event = execution_add_event(&explorer_of(host)->run->execution);
    event->op = *op;
    event->task = task;
    event->flags = event->stack = event->note = 0;
    event->result = 0;
    return event;
}

struct recording {
    struct explorer *self;
    struct event *event;
};

static void record_stack(void *context) {
    struct recording *recording = context;
    struct explorer *self = recording->self;
    struct event *event = recording->event;
    uint64_t pcs[STACK_MAX];
    uint32_t count =
        self->system->ops->stack(self->system, event->task, event->op.pc, pcs, STACK_MAX);
    event->stack = execution_add_stack(&self->run->execution, pcs, count);
}

/* Whether there is a stack to be recorded or not, the program's own is left the same: so it is asked always, and
 * nothing is handed over there. */
static void host_happened(struct host *host, struct event *event) {
    static struct recording recording;
    struct explorer *self = explorer_of(host);
    recording = (struct recording){self, event};
    system_unseen(self->system, host->evidence ? record_stack : NULL, &recording);
    for (uint32_t i = 0; i < self->listener_count; i++)
        self->listeners[i]->ops->event(self->listeners[i], event);
}

static void host_access(struct host *host, uint32_t task, uint64_t address, uint32_t size,
                        enum plain_access what, uint64_t pc) {
    struct explorer *self = explorer_of(host);
    struct analysis *analysis = self->access_analysis;
    if (self->access_strategy != NULL)
        self->access_strategy->ops->access(self->access_strategy, address, size);
    if (analysis != NULL)
        analysis->ops->access(analysis, task, address, size, what, pc);
}

/* Where to put one. Those that are known already make room for those that are not, and those behind which
 * the program goes on for the finding that ends the execution. */
static struct finding *place_for(struct explorer *self, const struct finding *finding) {
    struct run *run = self->run;
    if (run->candidate_count < CANDIDATES_MAX)
        return &run->candidates[run->candidate_count++];
    if (explorer_is_known(self, finding))
        return NULL;
    for (uint32_t i = 0; i < CANDIDATES_MAX; i++)
        if (explorer_is_known(self, &run->candidates[i]))
            return &run->candidates[i];
    self->session->findings_lost = true;
    return !finding_info(finding->kind)->goes_on ? &run->candidates[CANDIDATES_MAX - 1] : NULL;
}

/* Without --keep-going the first is enough. But a step that has a data race may also end the program, which is
 * worse: so that counts, too. */
static bool is_enough(const struct explorer *self, const struct finding *finding) {
    const struct run *run = self->run;
    if (self->session->options.keep_going || run->candidate_count == 0)
        return false;
    bool ends = !finding_info(finding->kind)->goes_on;
    return !(ends && finding_info(run->candidates[run->candidate_count - 1].kind)->goes_on);
}

static void host_found(struct host *host, const struct finding *finding) {
    struct explorer *self = explorer_of(host);
    struct run *run = self->run;
    if (is_enough(self, finding))
        return;
    struct finding *candidate = place_for(self, finding);
    if (candidate != NULL) {
        *candidate = *finding;
        candidate->event = run->execution.event_count;
    }
    if (finding->kind == FINDING_RACE)
        self->search->racy = true;
    /* With --keep-going, what lies behind a finding that does not end the program can be found too. */
    if (!finding_info(finding->kind)->goes_on || !self->session->options.keep_going)
        self->over = true;
    if (self->session->options.debugged)
        debugger_found(finding);
}

static void count_step(struct explorer *self) {
    struct session *session = self->session;
    uint32_t decisions = self->run->execution.decision_count;
    self->steps++;
    session->heartbeat++;
    session->counters.steps++;
    if (!self->host.evidence && self->branched && decisions > self->strategy->prefix &&
        decisions >= self->redo.decision_count)
        session->counters.transitions++;
}

/* Not while something was found that is not said yet. */
static bool save_is_due(const struct explorer *self) {
    uint32_t decisions = self->run->execution.decision_count;
    return decisions >= self->checkpoints.due && decisions <= self->strategy->prefix &&
           self->run->candidate_count == 0 && self->outcome == OUTCOME_RUNNING;
}

/* Most executions end with one task that joins the others: as there is nothing to choose, nobody looks
 * at everything. */
static bool goes_on_alone(struct explorer *self, const struct pending *alone) {
    struct strategy *strategy = self->strategy;
    return alone != NULL && strategy->ops->alone != NULL && self->outcome == OUTCOME_RUNNING &&
           !self->over && self->steps < self->session->options.max_steps &&
           self->run->execution.decision_count >= self->redo.decision_count &&
           strategy->ops->alone(strategy, alone);
}

static uint32_t host_next(struct host *host, const struct pending *alone) {
    struct explorer *self = explorer_of(host);
    self->outcome = self->system->ops->outcome(self->system);
    if (self->outcome != OUTCOME_RESTART)
        count_step(self);
    if (goes_on_alone(self, alone)) {
        self->saving = false;
        explorer_record(self, alone->task, 1, CHOICE_SCHEDULE);
        return alone->task;
    }
    self->saving = self->remembers || save_is_due(self);
    return self->saving ? NO_TASK : explorer_decide(self);
}

const struct host_ops explorer_host_ops = {
    .choose = host_choose,
    .event = host_event,
    .happened = host_happened,
    .access = host_access,
    .found = host_found,
    .next = host_next,
};
