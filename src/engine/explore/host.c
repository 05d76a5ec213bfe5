/* host.c - what the system calls within a step: events for the analyses, choices, and findings. The
 * call after a step is in steps.c. */
#include "engine/debugger.h"
#include "engine/explore/explorer.h"

enum { STACK_MAX = 64 };

static struct explorer *explorer_of(struct host *host) {
    return (struct explorer *)host;
}

static uint32_t host_choose(struct host *host, enum choice_tag tag, uint32_t task, uint32_t count) {
    struct explorer *self = explorer_of(host);
    struct choice choice = {.tag = tag, .count = count, .task = task};
    struct keep keep = {0};
    uint32_t picked = explorer_ask(self, &choice, &keep);
    self->branched = self->chooses = true;
    if (keep.shelved)
        explorer_shelve_choice(self, &keep);
    /* the execution cannot stop within a step: take any option, and end it after the step */
    if (picked >= count) {
        self->over = true;
        self->diverged |= picked == PICK_DIVERGED;
        picked = 0;
    }
    explorer_record(self, picked, count, tag);
    return picked;
}

static void host_expect(struct host *host, const struct fingerprint *state) {
    struct explorer *self = explorer_of(host);
    if (self->hooks->expect != NULL)
        self->hooks->expect(self->strategy, state);
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

/* Within an atomic section the strategy may want plain accesses that nobody wants otherwise. */
static void enter_or_leave_section(struct explorer *self, const struct event *event) {
    self->within_section = !event->op.section_ends;
    self->host.wants_accesses =
        self->wants_accesses || (self->within_section && self->hooks->section_access != NULL);
}

/* Calls system_unseen() for every event, so that the program's own stack is left the same whether a
 * stack is recorded or not. Nothing is handed over on that stack. */
static void host_happened(struct host *host, struct event *event) {
    static struct recording recording;
    struct explorer *self = explorer_of(host);
    recording = (struct recording){self, event};
    system_unseen(self->system, host->evidence ? record_stack : NULL, &recording);
    if (event->op.kind == OP_ATOMIC)
        enter_or_leave_section(self, event);
    for (uint32_t i = 0; i < self->listener_count; i++)
        self->listeners[i]->ops->event(self->listeners[i], event);
}

static void host_access(struct host *host, uint32_t task, uint64_t address, uint32_t size,
                        enum plain_access what, uint64_t pc) {
    struct explorer *self = explorer_of(host);
    struct analysis *analysis = self->access_analysis;
    if (self->hooks->access != NULL)
        self->hooks->access(self->strategy, address, size);
    if (self->within_section && self->hooks->section_access != NULL)
        self->hooks->section_access(self->strategy, address, size, access_writes(what));
    if (analysis != NULL)
        analysis->ops->access(analysis, task, address, size, what, pc);
}

/* Returns where to put a finding. If there is no room, a finding that is known already makes room
 * for a new one. A finding behind which the program goes on makes room for one that ends the
 * execution. */
static struct finding *place_for(struct explorer *self, const struct finding *finding) {
    struct run *run = self->run;
    if (run->candidate_count < CANDIDATES_MAX)
        return &run->candidates[run->candidate_count++];
    if (explorer_is_known(self, finding))
        return NULL;
    for (uint32_t i = 0; i < CANDIDATES_MAX; i++)
        if (explorer_is_known(self, &run->candidates[i]))
            return &run->candidates[i];
    self->session->result.found.lost = true;
    return !finding_info(finding->kind)->goes_on ? &run->candidates[CANDIDATES_MAX - 1] : NULL;
}

/* Without --keep-going the first finding is enough. But a step with a data race may also end the
 * program, which is worse, so that finding counts as well. */
static bool is_enough(const struct explorer *self, const struct finding *finding) {
    const struct run *run = self->run;
    if (self->session->request.options.keep_going || run->candidate_count == 0)
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
    self->inputs.racy |= finding_info(finding->kind)->races;
    /* With --keep-going, more can be found behind a finding that does not end the program. */
    if (!finding_info(finding->kind)->goes_on || !self->session->request.options.keep_going)
        self->over = true;
    if (self->session->request.options.debugged)
        debugger_found(finding);
}

const struct host_ops explorer_host_ops = {
    .choose = host_choose,
    .event = host_event,
    .happened = host_happened,
    .access = host_access,
    .found = host_found,
    .expect = host_expect,
    .next = explorer_next,
};
