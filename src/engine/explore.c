/* explore.c - the explore loop: what is due next, and who takes part.
 *
 * A walk through it: explorer_execute() runs whatever is due. Normally that is one execution of the
 * search (explore/search.c): the strategy begins, explorer_run() (explore/run.c) alternates "what
 * is pending? - who moves? - step", the strategy ends. If something was found, the next call
 * repeats that execution by its decisions, this time recording stacks, and compares
 * (explore/confirm.c): only what comes again, event for event, becomes a finding of the session. A
 * difference is reported as uncontrolled nondeterminism and ends the search.
 *
 * Everything stands in the session's pool. A process that dies in between leaves the phase behind;
 * explorer_died() (explore/death.c) turns it into what it was: a crash at this point of this
 * execution. What the files in explore/ share is in explore/explorer.h. */
#include "engine/explore.h"

#include "base/check.h"
#include "engine/coverage.h"
#include "engine/explore/explorer.h"
#include "engine/tree.h"
#include "engine/branches.h"

#define FINAL_STATES_BYTES ((uint64_t)1 << 30)

/* Returns false if the options switch the analysis off. */
static bool create_analysis(struct explorer *self, const struct analysis_ops *ops,
                            bool takes_part) {
    struct analysis *analysis = ops->create(&self->context);
    if (analysis == NULL)
        return false;
    if (takes_part)
        self->analyses[self->analysis_total++] = analysis;
    if (takes_part && ops->access != NULL)
        self->access_analysis = analysis;
    return true;
}

static void create_analyses(struct explorer *self, const struct analysis_ops *const *analyses,
                            uint32_t count) {
    bool by_states = strategy_has(self->strategy_info, GOES_BY_STATES);
    CHECK(count <= ANALYSES_MAX);
    self->context = (struct analysis_context){
        .pool = self->session->pool,
        .options = &self->session->request.options,
        .system = self->system,
        .host = &self->host,
        .execution = &self->explored.execution,
        .coverage = self->session->result.records.coverage,
        .unordered = &self->session->result.observed.unordered,
        .continued = &self->session->result.observed.continued,
        .annotated = &self->session->result.observed.annotated,
    };
    for (uint32_t i = 0; i < count; i++)
        if (!analyses[i]->by_history)
            create_analysis(self, analyses[i], true);
    self->stateful_analyses = self->analysis_total;
    for (uint32_t i = 0; i < count; i++)
        if (analyses[i]->by_history && create_analysis(self, analyses[i], !by_states))
            self->states_miss |= !analyses[i]->not_missed;
}

/* Creates the records of the executions that the user wants and that the strategy makes
 * possible. */
static void create_records(struct explorer *self) {
    struct records *records = &self->session->result.records;
    const struct options *options = &self->session->request.options;
    bool replaying = options->mode == MODE_REPLAY;
    if (strategy_has(self->strategy_info, NAMES_BRANCHES))
        records->branches = branches_create(self->session->pool);
    if (options->tree && !replaying)
        records->tree = tree_create(self->session->pool);
    if (options->coverage && !replaying && !strategy_has(self->strategy_info, GOES_BY_STATES))
        records->coverage = coverage_create(self->session->pool);
}

static void create_replay(struct explorer *self, const struct strategy_info *replay) {
    struct session *session = self->session;
    bool replaying = session->request.options.mode == MODE_REPLAY;
    const struct strategy_context context = {
        .pool = session->pool, .options = &self->replay_options, .inputs = &self->inputs};
    self->replay_options = session->request.options;
    self->replay_options.replay = replaying ? &session->request.replay : &self->explored.execution;
    self->replay = replay->create(&context);
}

static struct explorer *create(struct session *session, struct system *system,
                               const struct strategy_info *strategy,
                               const struct strategy_info *replay,
                               const struct analysis_ops *const *analyses,
                               uint32_t analysis_count) {
    struct explorer *self = pool_alloc(session->pool, sizeof *self);
    self->host.ops = &explorer_host_ops;
    self->session = session;
    self->system = system;
    execution_init(&self->repeated.execution, session->pool);
    if (session->request.options.final_states)
        visited_init(&self->finals, session->pool, FINAL_STATES_BYTES, VISITED_STOPS);
    execution_init(&self->redo, session->pool);
    self->strategy_info = strategy;
    self->inputs.execution = &self->explored.execution;
    self->report.delays = -1;
    explorer_open_lane(self, strategy_has(strategy, GOES_BY_STATES));
    create_records(self);
    explorer_create_search(self);
    create_replay(self, replay);
    create_analyses(self, analyses, analysis_count);
    session->live.explorer = self;
    session->live.phase = PHASE_BETWEEN;
    return self;
}

struct explorer *explorer_open(struct session *session, struct system *system,
                               const struct strategy_info *strategy,
                               const struct strategy_info *replay,
                               const struct analysis_ops *const *analyses,
                               uint32_t analysis_count) {
    if (session->live.explorer == NULL)
        return create(session, system, strategy, replay, analyses, analysis_count);
    struct explorer *self = session->live.explorer;
    explorer_forget_states(self);
    return self;
}

bool explorer_execute(struct explorer *self) {
    struct session *session = self->session;
    if (session->live.phase == PHASE_DONE)
        return false;
    if (session->request.options.mode == MODE_REPLAY)
        explorer_replay(self);
    else if (session->request.options.mode == MODE_SIMULATE)
        explorer_simulate(self);
    else if (session->live.phase == PHASE_CONFIRMING)
        explorer_confirm(self);
    else
        explorer_search(self);
    return session->live.phase != PHASE_DONE;
}

bool explorer_split(struct explorer *self, struct work *work, struct pool *pool) {
    const struct strategy_sharing *share = self->search->ops->share;
    CHECK(self->session->live.phase == PHASE_BETWEEN);
    return share != NULL && share->split(self->search, work, pool);
}

void explorer_adopt(struct explorer *self, const struct work *work) {
    CHECK(self->search->ops->share != NULL && counters_begun(&self->session->result.counters) == 0);
    self->search->ops->share->adopt(self->search, work);
}
