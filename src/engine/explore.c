/* explore.c - the explore loop.
 *
 * A walk through it: explorer_execute() runs whatever is due. Normally that is one execution of the
 * search: the strategy begins, run() alternates "what is pending? - who moves? - step", the strategy
 * ends. If something was found, the next call repeats that execution by its decisions, this time
 * recording stacks, and compares: only what comes again, event for event, becomes a finding of the
 * session. A difference is reported as uncontrolled nondeterminism and ends the search.
 *
 * Everything stands in the session's pool. A process that dies in between leaves the phase behind;
 * explorer_died() turns it into what it was: a crash at this point of this execution. */
#include "engine/explore.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/visited.h"
#include "engine/checkpoint.h"
#include "engine/shelf.h"

#define FINAL_STATES_BYTES ((uint64_t)1 << 30)

enum { CANDIDATES_MAX = 8, ANALYSES_MAX = 8, STACK_MAX = 64, SEEN_MAX = 4 * SESSION_FINDINGS };

/* One execution under way, or just over: what happened, and what was found. */
struct run {
    struct execution execution;
    struct finding candidates[CANDIDATES_MAX];
    uint32_t candidate_count;
};

/* What is kept from one execution to the next, for each member of a strategy that has several. */
struct lane {
    bool used;
    struct execution execution;
    struct checkpoints checkpoints;
    struct shelf shelf;
};

struct explorer {
    struct host host; /* first: the system's host is the explorer */
    struct session *session;
    struct system *system;
    const struct strategy_ops *strategy_ops; /* of the search */
    struct strategy *search;
    struct strategy *replay;
    struct options replay_options;
    struct analysis *analyses[ANALYSES_MAX];
    struct analysis *access_analysis; /* the one that wants plain accesses, or NULL */
    struct strategy *access_strategy; /* the one that decides, if it wants them */
    uint32_t analysis_count;          /* that are at work in this run: */
    uint32_t stateful_analyses;       /* so many, the first, where states are remembered, */
    uint32_t analysis_total;          /* else all */

    struct run explored, repeated;
    struct execution redo;     /* after a restart: the decisions made before it */
    struct run *run;           /* the one under way */
    struct strategy *strategy; /* who decides in it */
    struct analysis_context context;
    struct choice choice; /* the state at hand */
    enum outcome outcome; /* RUNNING, or why it stopped */
    uint32_t steps;
    bool branched; /* more than one option was met: what comes before is initialisation */
    bool over;     /* a finding ends the execution after this step */
    bool saving;   /* everything was stopped: the state at hand may be saved */
    struct checkpoints checkpoints;
    /* a strategy that remembers states: */
    bool remembers;                 /* it decides in this run */
    bool chooses;                   /* steps have choices in them: so every state is saved */
    uint32_t repeated_to;           /* so many decisions are made again, without asking */
    uint32_t step_from;             /* decisions before the step under way */
    struct fingerprint fingerprint; /* of the state at hand */
    struct shelf shelf;
    struct image *unshelved; /* of the state after the prefix, or NULL */
    uint32_t strata_noted;
    struct lane lanes[MEMBERS_MAX]; /* those that are not in use now */
    uint32_t lane;                  /* the one that is */
    uint64_t seen[SEEN_MAX];        /* signatures of what was reported or tried */
    uint32_t seen_count;
    struct visited finals; /* --final-states */
};

/* --- what the system calls ------------------------------------------------------------------ */

static struct explorer *explorer_of(struct host *host) {
    return (struct explorer *)host;
}

/* The option that was chosen; at least choice->count if there is none. */
static uint32_t option_of(const struct choice *choice, uint32_t chosen) {
    if (choice->tag != CHOICE_SCHEDULE)
        return chosen;
    uint32_t index = 0;
    while (index < choice->count && choice->pending[index].task != chosen)
        index++;
    return index;
}

/* As in the execution before, whose decisions still stand there. */
static uint32_t ask_again(struct explorer *self, const struct choice *choice, uint32_t at) {
    const struct decision *decision = &self->run->execution.decisions[at];
    uint32_t option = option_of(choice, decision->chosen);
    if (decision->tag == choice->tag && option < choice->count)
        return option;
    self->strategy->diverged = true;
    return PICK_NOTHING;
}

/* The strategy's answer; after a restart, first the answers that it has given already. */
static uint32_t ask(struct explorer *self, const struct choice *choice) {
    uint32_t at = self->run->execution.decision_count;
    if (__builtin_expect(at < self->redo.decision_count, 0))
        return option_of(choice, self->redo.decisions[at].chosen);
    if (at < self->repeated_to)
        return ask_again(self, choice, at);
    return self->strategy->ops->pick(self->strategy, choice);
}

/* --- states that the strategy remembers ------------------------------------------------------ */

static bool can_save(const struct explorer *self) {
    const struct options *options = &self->session->options;
    return !self->host.evidence && options->checkpoints == CHECKPOINTS_ON &&
           options->isolate == ISOLATE_RESET && self->system->ops->save != NULL;
}

/* The state at hand as the latest checkpoint; NULL if it cannot be saved. */
static struct checkpoint *save_state(struct explorer *self) {
    struct checkpoint *checkpoint = checkpoints_push(&self->checkpoints, &self->run->execution);
    struct image *image = &checkpoint->image;
    checkpoint->steps = self->steps;
    checkpoint->branched = self->branched;
    bool saved = self->system->ops->save(self->system, image);
    for (uint32_t i = 0; saved && i < self->analysis_count; i++)
        self->analyses[i]->ops->save(self->analyses[i], image);
    if (!saved || image->full) {
        checkpoints_failed(&self->checkpoints);
        return NULL;
    }
    checkpoints_saved(&self->checkpoints);
    return checkpoint;
}

static void load_state(struct explorer *self, struct image *image) {
    image_reread(image);
    self->system->ops->load(self->system, &self->host, image);
    for (uint32_t i = 0; i < self->analysis_count; i++)
        self->analyses[i]->ops->load(self->analyses[i], image);
}

/* Before the choice at hand. A choice within a step is reached from the state before the step. */
static void shelve(struct explorer *self, const struct image *image, uint32_t events,
                   uint32_t saved_at) {
    const struct remembering *states = &self->strategy->states;
    const struct execution *execution = &self->run->execution;
    struct shelf_facts facts = {.decisions = execution->decision_count,
                                .saved_at = saved_at,
                                .events = execution->skipped + events,
                                .steps = self->steps};
    shelf_add(&self->shelf, &facts, execution, image, states->bytes, states->byte_count);
}

/* A choice within a step was put aside. */
static void shelve_choice(struct explorer *self) {
    const struct checkpoint *from = checkpoints_here(&self->checkpoints, self->step_from);
    if (from != NULL)
        shelve(self, &from->image, from->events, self->step_from);
    else
        shelve(self, NULL, 0, self->step_from);
}

/* The strategy has picked, and nobody has moved yet. */
static void keep_state(struct explorer *self) {
    const struct remembering *states = &self->strategy->states;
    const struct execution *execution = &self->run->execution;
    uint32_t at = execution->decision_count;
    bool stays = states->keep || self->chooses;
    if (!stays && !states->shelve)
        return;
    const struct checkpoint *here = checkpoints_here(&self->checkpoints, at);
    const struct image *image = here != NULL ? &here->image : NULL;
    bool pushed = false;
    if (here == NULL && !stays && at == self->strategy->prefix)
        image = self->unshelved;
    if (image == NULL && can_save(self)) {
        here = save_state(self);
        image = here != NULL ? &here->image : NULL;
        pushed = here != NULL;
    }
    if (states->shelve)
        shelve(self, image, execution->event_count, at);
    if (pushed && !stays)
        checkpoints_pop(&self->checkpoints);
}

/* The strategy was here before. */
static bool is_known(const struct explorer *self) {
    uint32_t at = self->run->execution.decision_count, prefix = self->strategy->prefix;
    return at < prefix || (at == prefix && self->strategy->states.goes_back) ||
           at < self->redo.decision_count;
}

/* A state that is new to the strategy has a fingerprint; NULL if it is not, or if the system cannot. */
static const struct fingerprint *recognise(struct explorer *self) {
    const struct system_ops *ops = self->system->ops;
    if (is_known(self) || ops->fingerprint == NULL ||
        !ops->fingerprint(self->system, &self->fingerprint))
        return NULL;
    if (self->strategy->ops->expect != NULL)
        self->strategy->ops->expect(self->strategy, &self->fingerprint);
    return &self->fingerprint;
}

static enum outcome fail(struct explorer *self, enum verdict verdict, const char *text) {
    struct session *session = self->session;
    snprintf(session->error, sizeof session->error, "%s", text);
    session->error_verdict = verdict;
    return OUTCOME_ERROR;
}

/* --- what the system calls, once more -------------------------------------------------------- */

static uint32_t host_choose(struct host *host, enum choice_tag tag, uint32_t task, uint32_t count) {
    struct explorer *self = explorer_of(host);
    struct choice choice = {.tag = tag, .count = count, .task = task};
    struct remembering *states = &self->strategy->states;
    states->shelve = false;
    uint32_t picked = ask(self, &choice);
    self->branched = self->chooses = true;
    if (self->remembers && states->shelve)
        shelve_choice(self);
    if (picked >= count) { /* cannot stop in the middle of a step: take any, end after it */
        self->over = true;
        picked = 0;
    }
    execution_decide(&self->run->execution, (struct decision){picked, (uint16_t)count, tag});
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

static void record_stack(struct explorer *self, struct event *event) {
    uint64_t pcs[STACK_MAX];
    uint32_t count = self->system->ops->stack(self->system, event->task, pcs, STACK_MAX);
    event->stack = execution_add_stack(&self->run->execution, pcs, count);
}

static void host_happened(struct host *host, struct event *event) {
    struct explorer *self = explorer_of(host);
    if (host->evidence)
        record_stack(self, event);
    for (uint32_t i = 0; i < self->analysis_count; i++)
        self->analyses[i]->ops->event(self->analyses[i], event);
}

static void host_access(struct host *host, uint32_t task, uint64_t address, uint32_t size,
                        bool write, uint64_t pc) {
    struct explorer *self = explorer_of(host);
    struct analysis *analysis = self->access_analysis;
    if (self->access_strategy != NULL)
        self->access_strategy->ops->access(self->access_strategy, address, size);
    if (analysis != NULL)
        analysis->ops->access(analysis, task, address, size, write, pc);
}

static void host_found(struct host *host, const struct finding *finding) {
    struct explorer *self = explorer_of(host);
    struct run *run = self->run;
    if (run->candidate_count == 1 && !self->session->options.keep_going)
        return; /* the first is enough */
    if (run->candidate_count < CANDIDATES_MAX) {
        run->candidates[run->candidate_count] = *finding;
        run->candidates[run->candidate_count++].event = run->execution.event_count;
    }
    if (finding->kind == FINDING_RACE)
        self->search->racy = true;
    /* A race does not end the program: with --keep-going, what lies behind it can be found too. */
    if (finding->kind != FINDING_RACE || !self->session->options.keep_going)
        self->over = true;
    if (self->session->options.stop_at_finding)
        __asm__ volatile("int3"); /* the debugger takes over here */
}

/* --- one execution -------------------------------------------------------------------------- */

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

static void tell_idle(struct explorer *self, struct event *event) {
    event->flags |= EVENT_IDLE;
    for (uint32_t i = 0; i < self->analysis_count; i++)
        if (self->analyses[i]->ops->idle != NULL)
            self->analyses[i]->ops->idle(self->analyses[i], event);
}

/* Did the last step bring its task back to where it stood? */
static void mark_idle(struct explorer *self) {
    const struct choice *choice = &self->choice;
    struct execution *execution = &self->run->execution;
    bool idle = false;
    for (uint32_t i = choice->count; i < choice->live; i++)
        if (choice->pending[i].task == choice->task)
            idle = choice->pending[i].idle;
    for (uint32_t at = execution->event_count; idle && at > 0; at--) {
        struct event *event = &execution->events[at - 1];
        if (event->flags & EVENT_NOTE)
            continue;
        tell_idle(self, event);
        break;
    }
}

/* The state at hand; the analyses know of it what there is to know. */
static void look(struct explorer *self) {
    self->system->ops->pending(self->system, &self->choice);
    mark_idle(self);
}

#define PICK_FAILED (UINT32_MAX - 4) /* the state cannot be recognised */

static uint32_t pick(struct explorer *self, struct choice *choice) {
    if (!self->remembers)
        return ask(self, choice);
    if (choice->fingerprint == NULL && !is_known(self))
        return PICK_FAILED;
    self->step_from = self->run->execution.decision_count;
    self->strategy->states.keep = self->strategy->states.shelve = false;
    uint32_t picked = ask(self, choice);
    if (picked < choice->count || self->strategy->states.shelve)
        keep_state(self);
    return picked;
}

/* Why the strategy, or the system, goes no further. */
static enum outcome outcome_of(struct explorer *self, uint32_t picked) {
    if (self->strategy->error[0])
        return fail(self, VERDICT_USAGE, self->strategy->error);
    if (picked == PICK_FAILED && self->strategy->ops->has_members) {
        self->strategy->stateless = true; /* others go on */
        return OUTCOME_BLOCKED;
    }
    if (picked == PICK_FAILED)
        return fail(self, VERDICT_UNSUPPORTED,
                    "this strategy needs states that can be saved and compared, which this program "
                    "does not have: it has opened files, or left traces outside of its memory");
    return picked == PICK_SEEN   ? OUTCOME_SEEN
           : picked == PICK_IDLE ? OUTCOME_IDLE
           : picked == PICK_DEEP ? OUTCOME_DEEP
                                 : OUTCOME_BLOCKED;
}

/* Who moves next; NO_TASK, and self->outcome says why, if nobody does. */
static uint32_t decide(struct explorer *self) {
    struct session_counters *counters = &self->session->counters;
    struct choice *choice = &self->choice;
    self->outcome = self->system->ops->outcome(self->system);
    if (self->outcome != OUTCOME_RUNNING || self->over)
        return NO_TASK;
    const struct fingerprint *fingerprint = self->remembers ? recognise(self) : NULL;
    look(self);
    choice->fingerprint = fingerprint;
    if (choice->live > counters->tasks_max)
        counters->tasks_max = choice->live;
    if (choice->count > 1)
        self->branched = true;
    uint32_t picked = PICK_NOTHING;
    if (choice->count == 0)
        self->outcome = OUTCOME_STUCK;
    else if (self->steps >= self->session->options.max_steps)
        self->outcome = OUTCOME_CUT;
    else if ((picked = pick(self, choice)) >= choice->count)
        self->outcome = outcome_of(self, picked);
    if (self->outcome != OUTCOME_RUNNING)
        return NO_TASK;
    uint32_t task = choice->pending[picked].task;
    execution_decide(&self->run->execution,
                     (struct decision){task, (uint16_t)choice->count, CHOICE_SCHEDULE});
    return task;
}

/* Not while something was found that is not said yet. */
static bool save_is_due(const struct explorer *self) {
    uint32_t decisions = self->run->execution.decision_count;
    return decisions >= self->checkpoints.due && decisions <= self->strategy->prefix &&
           self->run->candidate_count == 0 &&
           self->system->ops->outcome(self->system) == OUTCOME_RUNNING;
}

static uint32_t host_next(struct host *host) {
    struct explorer *self = explorer_of(host);
    if (self->system->ops->outcome(self->system) != OUTCOME_RESTART)
        count_step(self);
    self->saving = self->remembers || save_is_due(self);
    return self->saving ? NO_TASK : decide(self);
}

static const struct host_ops host_ops = {
    .choose = host_choose,
    .event = host_event,
    .happened = host_happened,
    .access = host_access,
    .found = host_found,
    .next = host_next,
};

static void begin_run(struct explorer *self, struct run *run, struct strategy *strategy,
                      bool evidence) {
    self->run = run;
    self->strategy = strategy;
    self->access_strategy = strategy->ops->access != NULL ? strategy : NULL;
    self->branched = self->over = self->saving = false;
    self->remembers = strategy->ops->remembers_states;
    self->analysis_count = self->remembers ? self->stateful_analyses : self->analysis_total;
    self->repeated_to = 0;
    self->unshelved = NULL;
    self->steps = 0;
    self->host.evidence = evidence;
    self->session->current = self->context.execution = &run->execution;
    execution_clear(&run->execution);
    run->candidate_count = 0;
}

/* --- checkpoints ---------------------------------------------------------------------------- */

/* Only the search comes back to its states, and only a process that stays can. */
static bool uses_checkpoints(const struct explorer *self) {
    return can_save(self) && self->strategy->ops->resume != NULL && self->redo.decision_count == 0;
}

static void plan_checkpoint(struct explorer *self) {
    checkpoints_plan(&self->checkpoints, self->run->execution.decision_count,
                     self->strategy->prefix, self->strategy->returns);
}

static void save_checkpoint(struct explorer *self) {
    look(self);
    if (save_state(self) != NULL)
        plan_checkpoint(self);
}

static void load_checkpoint(struct explorer *self, struct checkpoint *checkpoint) {
    struct execution *execution = &self->run->execution;
    load_state(self, &checkpoint->image);
    execution->skipped = checkpoint->skipped;
    execution->decision_count = checkpoint->decisions;
    execution->event_count = checkpoint->events;
    execution->frame_count = checkpoint->frames;
    execution->text_count = checkpoint->texts;
    self->steps = checkpoint->steps;
    self->branched = checkpoint->branched;
}

static void begin_analyses(struct explorer *self) {
    for (uint32_t i = 0; i < self->analysis_count; i++)
        self->analyses[i]->ops->begin(self->analyses[i]);
}

static void end_analyses(struct explorer *self) {
    if (self->outcome == OUTCOME_ENDED || self->outcome == OUTCOME_STUCK)
        self->system->ops->pending(self->system, &self->choice);
    for (uint32_t i = 0; i < self->analysis_count; i++)
        self->analyses[i]->ops->end(self->analyses[i], self->outcome, &self->choice);
    /* A last state is a state, too. */
    if (self->remembers && (self->outcome == OUTCOME_ENDED || self->outcome == OUTCOME_STUCK))
        self->choice.fingerprint = recognise(self);
}

static void start_afresh(struct explorer *self) {
    begin_analyses(self);
    self->system->ops->start(self->system, &self->host);
}

/* The next one of the shelf. Its decisions are those of the execution under way from now on. */
static void start_from_shelf(struct explorer *self) {
    struct execution *execution = &self->run->execution;
    struct strategy *strategy = self->strategy;
    struct image *image;
    const struct shelf_entry *entry = shelf_take(&self->shelf, execution, &image);
    checkpoints_forget(&self->checkpoints);
    strategy->prefix = entry->facts.decisions;
    strategy->states.bytes = entry->bytes;
    strategy->states.byte_count = entry->byte_count;
    strategy->states.unshelve = false; /* it is taken once, also if this has to be done again */
    execution->decision_count = 0;
    if (image == NULL || !can_save(self)) {
        start_afresh(self);
        return;
    }
    load_state(self, image);
    execution->decision_count = entry->facts.saved_at;
    execution->skipped = entry->facts.events;
    self->steps = entry->facts.steps;
    self->branched = true;
    self->unshelved = image;
}

/* Where a strategy that remembers states wants to go on. */
static void start_remembering(struct explorer *self) {
    struct strategy *strategy = self->strategy;
    struct checkpoint *from = NULL;
    if (strategy->states.unshelve) {
        start_from_shelf(self);
    } else {
        shelf_went_back(&self->shelf, strategy->prefix);
        from = checkpoints_latest(&self->checkpoints, strategy->prefix);
        if (from != NULL)
            load_checkpoint(self, from);
        else
            start_afresh(self);
    }
    self->repeated_to = strategy->prefix;
}

/* At the beginning, or as late as what the strategy will repeat allows. */
static void start(struct explorer *self) {
    bool resumes = uses_checkpoints(self);
    struct checkpoint *from = NULL;
    if (resumes)
        from = checkpoints_latest(&self->checkpoints, self->strategy->prefix);
    if (from != NULL) {
        load_checkpoint(self, from);
        self->strategy->ops->resume(self->strategy, from->decisions);
    } else {
        start_afresh(self);
    }
    self->checkpoints.due = CHECKPOINT_NEVER;
    if (resumes)
        plan_checkpoint(self);
}

/* The state in which an execution of the search has ended, if it has not been there before. */
static void count_final_state(struct explorer *self) {
    const struct system_ops *ops = self->system->ops;
    bool complete = self->outcome == OUTCOME_ENDED || self->outcome == OUTCOME_STUCK;
    struct fingerprint state;
    if (!self->session->options.final_states || self->host.evidence || !complete)
        return;
    if (ops->fingerprint != NULL && ops->fingerprint(self->system, &state) &&
        visited_add(&self->finals, &state) != VISITED_BEFORE)
        self->session->counters.final_states++;
}

static enum outcome attempt(struct explorer *self, struct run *run, struct strategy *strategy,
                            bool evidence) {
    struct session_counters *counters = &self->session->counters;
    begin_run(self, run, strategy, evidence);
    if (self->remembers)
        start_remembering(self);
    else
        start(self);
    uint32_t next = decide(self);
    while (next != NO_TASK) {
        self->system->ops->run(self->system, next);
        if (self->saving && !self->remembers)
            save_checkpoint(self);
        next = self->saving ? decide(self) : NO_TASK;
    }
    if (self->outcome == OUTCOME_RESTART)
        return OUTCOME_RESTART;
    if (self->outcome == OUTCOME_RUNNING)
        self->outcome = run->candidate_count ? OUTCOME_FAILED : OUTCOME_BLOCKED;
    if (self->steps > counters->depth_max)
        counters->depth_max = self->steps;
    end_analyses(self);
    count_final_state(self);
    return self->outcome;
}

/* They belong to another process, or to another layout of memory. */
static void forget_states(struct explorer *self) {
    checkpoints_forget(&self->checkpoints);
    shelf_forget_images(&self->shelf);
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        if (self->lanes[i].used) {
            checkpoints_forget(&self->lanes[i].checkpoints);
            shelf_forget_images(&self->lanes[i].shelf);
        }
}

static enum outcome run(struct explorer *self, struct run *run, struct strategy *strategy,
                        bool evidence) {
    enum outcome outcome;
    execution_clear(&self->redo);
    while ((outcome = attempt(self, run, strategy, evidence)) == OUTCOME_RESTART) {
        execution_copy(&self->redo, &run->execution);
        forget_states(self);
    }
    return outcome;
}

/* --- the search ----------------------------------------------------------------------------- */

static bool seen_before(struct explorer *self, const struct finding *finding) {
    uint64_t signature = finding_signature(finding);
    for (uint32_t i = 0; i < self->seen_count; i++)
        if (self->seen[i] == signature)
            return true;
    return false;
}

static void drop_known_candidates(struct explorer *self) {
    struct run *run = &self->explored;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->candidate_count; i++)
        if (!seen_before(self, &run->candidates[i]))
            run->candidates[kept++] = run->candidates[i];
    run->candidate_count = kept;
}

static void count_execution(struct session_counters *counters, enum outcome outcome) {
    switch (outcome) {
    case OUTCOME_ENDED:
    case OUTCOME_STUCK:
    case OUTCOME_FAILED: counters->executions++; break;
    case OUTCOME_DROPPED: counters->dropped_executions++; break;
    case OUTCOME_BLOCKED: counters->blocked_executions++; break;
    case OUTCOME_IDLE: counters->idle_executions++; break;
    case OUTCOME_DEEP: counters->deep_executions++; break;
    case OUTCOME_CUT: counters->cut_executions++; break;
    case OUTCOME_SEEN: counters->seen_executions++; break;
    case OUTCOME_RUNNING:
    case OUTCOME_RESTART:
    case OUTCOME_ERROR: break;
    }
}

static void report_divergence(struct explorer *self, int64_t at, const struct execution *a) {
    struct session *session = self->session;
    if (at >= 0 && at < a->event_count)
        session->difference_pc = a->events[at].op.pc;
    snprintf(session->difference, sizeof session->difference,
             "the same decisions gave another execution, at event %lld", (long long)at + 1);
}

static void estimate(struct explorer *self) {
    struct session *session = self->session;
    estimate_update(&session->estimate, self->search, session_begun_now(session));
    if (session->options.sample)
        samples_add(&session->samples, &self->explored.execution);
}

static void count_samples(struct explorer *self) {
    struct session *session = self->session;
    sampling_add(&session->sampling, self->search->stratum, self->search->samples,
                 session->counters.executions);
}

/* Of a strategy that is made of several; and what it should know of the program. */
static void count_member(struct explorer *self) {
    const struct session_counters *counters = &self->session->counters;
    struct members *members = &self->session->members;
    if (members->count == 0)
        return;
    members->rows[self->lane].executions += counters->executions - members->executions;
    members->rows[self->lane].steps += counters->steps - members->steps;
    members->executions = counters->executions;
    members->steps = counters->steps;
    self->search->private_memory = self->system->ops->private_memory;
    self->search->stateless |= self->system->ops->fingerprint == NULL;
}

/* One execution of the search is over, by itself or with its process. */
static void finish_search(struct explorer *self, enum outcome outcome, const struct choice *last) {
    struct session *session = self->session;
    if (outcome != OUTCOME_ERROR)
        self->search->ops->end(self->search, outcome, last);
    if (self->search->diverged)
        report_divergence(self, self->run->execution.event_count, &self->run->execution);
    if (self->search->diverged || outcome == OUTCOME_ERROR) {
        session->phase = PHASE_DONE;
        return;
    }
    count_execution(&session->counters, outcome);
    count_member(self);
    if (self->search->samples > 0)
        count_samples(self);
    estimate(self);
    drop_known_candidates(self);
    session->phase = self->explored.candidate_count ? PHASE_CONFIRMING : PHASE_BETWEEN;
}

static bool budget_left(const struct session *session) {
    uint64_t done = session_begun(&session->counters);
    uint64_t bound = session->options.max_executions;
    return !session->stop && (bound == 0 || done < bound);
}

static void create_search(struct explorer *self) {
    const struct options options = deepen_options(self->session);
    self->search = self->strategy_ops->create(self->session->pool, &options);
    self->search->execution = &self->explored.execution;
    self->search->branches = self->session->branches;
    self->search->delays = -1;
    self->search->states.strata = &self->session->strata;
    self->search->members = &self->session->members;
    if (self->search->explorer != NULL)
        snprintf(self->session->explorer_name, sizeof self->session->explorer_name, "%s",
                 self->search->explorer);
}

/* A new one, for a strategy of that nature. */
static void open_lane(struct explorer *self, const struct strategy_ops *ops) {
    struct pool *pool = self->session->pool;
    memset(&self->explored.execution, 0, sizeof self->explored.execution);
    execution_init(&self->explored.execution, pool);
    checkpoints_init(&self->checkpoints, pool,
                     ops->remembers_states ? UINT32_MAX : CHECKPOINTS_MAX);
    shelf_init(&self->shelf, pool, IMAGE_LIMIT);
}

/* Another member decides: what it knows of its last execution comes back. */
static void change_lane(struct explorer *self, uint32_t to) {
    struct lane *old = &self->lanes[self->lane], *next = &self->lanes[to];
    if (to == self->lane)
        return;
    *old = (struct lane){true, self->explored.execution, self->checkpoints, self->shelf};
    self->lane = to;
    if (next->used) {
        self->explored.execution = next->execution;
        self->checkpoints = next->checkpoints;
        self->shelf = next->shelf;
        next->used = false;
    } else {
        open_lane(self, self->search->ops);
    }
}

/* The strategy has nothing left. */
static void end_search(struct explorer *self) {
    struct session *session = self->session;
    if (deepen_on(session)) {
        checkpoints_forget(&self->checkpoints);
        create_search(self);
        session->phase = PHASE_BETWEEN;
        return;
    }
    session->exhausted = true;
    session->phase = PHASE_DONE;
}

static void note_strata(struct explorer *self) {
    struct strata *strata = self->search->states.strata;
    if (strata->count == 0)
        return;
    strata_note(strata, &self->strata_noted, &self->session->counters);
    strata->frontier = self->shelf.count;
    strata->frontier_bytes = self->shelf.bytes;
    uint64_t bytes = strata->visited_bytes + strata->frontier_bytes;
    if (bytes > strata->bytes_max)
        strata->bytes_max = bytes;
}

static void search_once(struct explorer *self) {
    struct session *session = self->session;
    if (!budget_left(session)) {
        session->phase = PHASE_DONE;
        return;
    }
    self->search->racy |= session->channels_matter; /* its operations do not say all, either */
    bool more = self->search->ops->begin(self->search);
    if (more)
        change_lane(self, self->search->lane);
    note_strata(self);
    if (self->search->hid_options)
        session->bound_cut = true;
    if (!more) {
        end_search(self);
        return;
    }
    session->phase = PHASE_EXPLORING;
    if (session->branches != NULL)
        session->branches->execution = session_begun(&session->counters) + 1;
    enum outcome outcome = run(self, &self->explored, self->search, false);
    finish_search(self, outcome, outcome == OUTCOME_FAILED ? NULL : &self->choice);
}

/* --- confirming ----------------------------------------------------------------------------- */

static const struct finding *find_same(const struct run *run, const struct finding *finding) {
    for (uint32_t i = 0; i < run->candidate_count; i++)
        if (finding_signature(&run->candidates[i]) == finding_signature(finding))
            return &run->candidates[i];
    return NULL;
}

static void publish(struct explorer *self, const struct finding *finding) {
    struct session *session = self->session;
    if (self->seen_count < SEEN_MAX)
        self->seen[self->seen_count++] = finding_signature(finding);
    if (session->finding_count == SESSION_FINDINGS)
        return;
    struct session_finding *entry = pool_alloc(session->pool, sizeof *entry);
    entry->finding = *finding;
    execution_init(&entry->execution, session->pool);
    execution_copy(&entry->execution, &self->repeated.execution);
    entry->at_execution = session->counters.executions;
    entry->delays = self->search->delays;
    if (session->members.count > 0) {
        entry->member = self->lane + 1;
        session->members.rows[self->lane].findings++;
    }
    __atomic_thread_fence(__ATOMIC_RELEASE); /* the supervisor reads while we run */
    if (session->findings_tail != NULL)
        session->findings_tail->next = entry;
    else
        session->findings = entry;
    session->findings_tail = entry;
    session->finding_count++;
}

/* Compares the repetition with the original. */
static void finish_confirming(struct explorer *self) {
    struct session *session = self->session;
    const struct execution *original = &self->explored.execution;
    int64_t difference = execution_difference(original, &self->repeated.execution);
    for (uint32_t i = 0; difference < 0 && i < self->explored.candidate_count; i++) {
        const struct finding *again = find_same(&self->repeated, &self->explored.candidates[i]);
        if (again == NULL)
            difference = original->event_count;
        else
            publish(self, again);
    }
    if (difference >= 0)
        report_divergence(self, difference, original);
    bool go_on =
        difference < 0 && session->options.keep_going && session->options.mode == MODE_EXPLORE;
    session->phase = go_on ? PHASE_BETWEEN : PHASE_DONE;
}

static void confirm_once(struct explorer *self) {
    CHECK(self->replay->ops->begin(self->replay));
    if (run(self, &self->repeated, self->replay, true) == OUTCOME_ERROR)
        self->session->phase = PHASE_DONE;
    else
        finish_confirming(self);
}

/* MODE_REPLAY: the recorded execution is the original. Whatever the repetition shows is published,
 * and its caller compares. */
static void replay_once(struct explorer *self) {
    struct session *session = self->session;
    session->phase = PHASE_CONFIRMING;
    CHECK(self->replay->ops->begin(self->replay));
    run(self, &self->repeated, self->replay, true);
    int64_t difference = execution_difference(&session->replay, &self->repeated.execution);
    if (difference >= 0)
        report_divergence(self, difference, &self->repeated.execution);
    for (uint32_t i = 0; i < self->repeated.candidate_count; i++)
        publish(self, &self->repeated.candidates[i]);
    session->counters.executions++;
    session->phase = PHASE_DONE;
}

/* --- the interface -------------------------------------------------------------------------- */

static void create_analysis(struct explorer *self, const struct analysis_ops *ops) {
    struct analysis *analysis = ops->create(&self->context);
    if (analysis == NULL) /* switched off by the options */
        return;
    self->analyses[self->analysis_total++] = analysis;
    if (ops->access != NULL)
        self->access_analysis = analysis;
}

static void create_analyses(struct explorer *self, const struct analysis_ops *const *analyses,
                            uint32_t count) {
    CHECK(count <= ANALYSES_MAX);
    self->context = (struct analysis_context){
        .pool = self->session->pool,
        .options = &self->session->options,
        .system = self->system,
        .host = &self->host,
        .execution = &self->explored.execution,
    };
    for (uint32_t i = 0; i < count; i++)
        if (!analyses[i]->by_history)
            create_analysis(self, analyses[i]);
    self->stateful_analyses = self->analysis_total;
    for (uint32_t i = 0; i < count; i++)
        if (analyses[i]->by_history && !self->strategy_ops->remembers_states)
            create_analysis(self, analyses[i]);
}

static struct explorer *create(struct session *session, struct system *system,
                               const struct strategy_ops *strategy,
                               const struct strategy_ops *replay,
                               const struct analysis_ops *const *analyses,
                               uint32_t analysis_count) {
    struct explorer *self = pool_alloc(session->pool, sizeof *self);
    bool replaying = session->options.mode == MODE_REPLAY;
    self->host.ops = &host_ops;
    self->session = session;
    self->system = system;
    execution_init(&self->repeated.execution, session->pool);
    if (session->options.final_states)
        visited_init(&self->finals, session->pool, FINAL_STATES_BYTES, VISITED_STOPS);
    execution_init(&self->redo, session->pool);
    open_lane(self, strategy);
    if (strategy->names_branches)
        session->branches = branches_create(session->pool);
    self->strategy_ops = strategy;
    session->compares_states = strategy->remembers_states ||
                               (strategy->has_members && session->options.races != RACES_REPORT);
    create_search(self);
    self->replay_options = session->options;
    self->replay_options.replay = replaying ? &session->replay : &self->explored.execution;
    self->replay = replay->create(session->pool, &self->replay_options);
    create_analyses(self, analyses, analysis_count);
    session->explorer = self;
    session->phase = PHASE_BETWEEN;
    return self;
}

struct explorer *explorer_open(struct session *session, struct system *system,
                               const struct strategy_ops *strategy,
                               const struct strategy_ops *replay,
                               const struct analysis_ops *const *analyses,
                               uint32_t analysis_count) {
    if (session->explorer == NULL)
        return create(session, system, strategy, replay, analyses, analysis_count);
    struct explorer *self = session->explorer;
    forget_states(self);
    return self;
}

bool explorer_execute(struct explorer *self) {
    struct session *session = self->session;
    if (session->phase == PHASE_DONE)
        return false;
    if (session->options.mode == MODE_REPLAY)
        replay_once(self);
    else if (session->phase == PHASE_CONFIRMING)
        confirm_once(self);
    else
        search_once(self);
    return session->phase != PHASE_DONE;
}

/* The supervisor killed what did not react to the step signal: a divergence too, by another way. */
static void describe_death(const struct session *session, int signal, struct finding *death) {
    if (signal == SESSION_STEP_SIGNAL) {
        death->kind = FINDING_DIVERGENCE;
        death->place_varies = true;
        death->task = session->running;
        snprintf(death->text, sizeof death->text, "no operation within %u ms",
                 session->options.step_timeout_ms);
    } else if (session->died_inside) {
        snprintf(death->text, sizeof death->text,
                 "signal %d inside Heddle's runtime: the program wrote over its memory, or this is "
                 "a bug of Heddle",
                 signal);
    } else if (signal != 0) {
        snprintf(death->text, sizeof death->text, "the process was killed by signal %d", signal);
    } else {
        snprintf(death->text, sizeof death->text,
                 "the process ended in a way that cannot be controlled");
    }
}

static void add_death(struct explorer *self, int signal) {
    struct run *run = self->run;
    const struct execution *execution = &run->execution;
    struct finding death = {.kind = FINDING_CRASH, .stack_count = 1};
    if (execution->event_count > 0) {
        const struct event *last = &execution->events[execution->event_count - 1];
        death.task = last->task;
        death.stacks[0] = (struct finding_stack){
            .title = "last operation", .task = last->task, .stack = last->stack, .pc = last->op.pc};
    }
    describe_death(self->session, signal, &death);
    self->session->died_inside = false;
    host_found(&self->host, &death);
}

void explorer_died(struct explorer *self, int signal) {
    if (self->session->phase != PHASE_EXPLORING && self->session->phase != PHASE_CONFIRMING)
        return;
    if (self->run->candidate_count == 0)
        add_death(self, signal);
    if (self->session->options.mode == MODE_REPLAY) {
        for (uint32_t i = 0; i < self->repeated.candidate_count; i++)
            publish(self, &self->repeated.candidates[i]);
        self->session->phase = PHASE_DONE;
    } else if (self->session->phase == PHASE_EXPLORING) {
        finish_search(self, OUTCOME_FAILED, NULL);
    } else {
        finish_confirming(self);
    }
}
