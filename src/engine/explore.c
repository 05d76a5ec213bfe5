/* explore.c - the explore loop: what is due next, and who takes part.
 *
 * A walk through it: explorer_execute() runs whatever is due. Normally that is one execution of the
 * search (explore/search.c): the strategy begins, explorer_run() (explore/run.c) alternates "what is
 * pending? - who moves? - step", the strategy ends. If something was found, the next call repeats that
 * execution by its decisions, this time recording stacks, and compares (explore/confirm.c): only what
 * comes again, event for event, becomes a finding of the session. A difference is reported as
 * uncontrolled nondeterminism and ends the search.
 *
 * Everything stands in the session's pool. A process that dies in between leaves the phase behind;
 * explorer_died() (explore/death.c) turns it into what it was: a crash at this point of this execution.
 * What the files in explore/ share is in explore/explorer.h. */
#include "engine/explore.h"

#include "base/check.h"
#include "engine/explore/explorer.h"

#define FINAL_STATES_BYTES ((uint64_t)1 << 30)

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
        .coverage = self->session->coverage,
        .unordered = &self->session->unordered,
        .continued = &self->session->continued,
        .annotated = &self->session->annotated,
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
    self->host.ops = &explorer_host_ops;
    self->session = session;
    self->system = system;
    execution_init(&self->repeated.execution, session->pool);
    if (session->options.final_states)
        visited_init(&self->finals, session->pool, FINAL_STATES_BYTES, VISITED_STOPS);
    execution_init(&self->redo, session->pool);
    explorer_open_lane(self, strategy);
    if (strategy->names_branches)
        session->branches = branches_create(session->pool);
    if (session->options.tree && !replaying)
        session->tree = tree_create(session->pool);
    if (session->options.coverage && !replaying && !strategy->remembers_states)
        session->coverage = coverage_create(session->pool);
    self->strategy_ops = strategy;
    session->compares_states |= strategy_compares_states(strategy, &session->options);
    explorer_create_search(self);
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
    explorer_forget_states(self);
    return self;
}

bool explorer_execute(struct explorer *self) {
    struct session *session = self->session;
    if (session->phase == PHASE_DONE)
        return false;
    if (session->options.mode == MODE_REPLAY)
        explorer_replay(self);
    else if (session->options.mode == MODE_SIMULATE)
        explorer_simulate(self);
    else if (session->phase == PHASE_CONFIRMING)
        explorer_confirm(self);
    else
        explorer_search(self);
    return session->phase != PHASE_DONE;
}
