/* search.c - the search of `heddle run`: first the schedules of the corpus, if there are some, then
 * the search itself. Findings are taken on the way. */
#include "cli/supervise/again.h"
#include "cli/supervise/child.h"
#include "cli/run/parts.h"

static int open_session(struct run *run) {
    int code = child_session(&run->session, &run->session_fd);
    if (code != 0)
        return code;
    run->session->request.options = run->options.engine;
    if (run->outputs.needs & OUTPUT_NEEDS_TREE) /* the tree is that of one search */
        run->session->request.options.leaves = run->options.engine.leaves = false;
    run->session->request.options.tree = run->outputs.needs & OUTPUT_NEEDS_TREE;
    run->session->request.options.coverage |= (run->outputs.needs & OUTPUT_NEEDS_COVERAGE) != 0;
    return 0;
}

/* With --suppressions the search waits after each finding for this answer. A finding that is not
 * suppressed ends the search. */
static void answer(struct run *run) {
    if (run->options.engine.asks && run->findings.reported.count > 0)
        run->session->live.stop = true;
    __atomic_store_n(&run->session->live.answered, run->findings.taken, __ATOMIC_RELEASE);
}

static void tick(void *context) {
    struct run *run = context;
    findings_take(&run->findings);
    answer(run);
    stages_watch(run);
    progress_show(&run->progress, run->session);
}

/* Runs the program on the session. */
static void explore(struct run *run) {
    const struct child_plan plan = {
        .path = run->program.path,
        .arguments = run->arguments,
        .environment = child_environment(run->session_fd),
    };
    progress_init(&run->progress, run->options.quiet);
    findings_turn_to(&run->findings, run->session);
    run->supervision = (struct supervision){.session = run->session,
                                            .plan = &plan,
                                            .linked = run->program.linked,
                                            .tick = tick,
                                            .context = run};
    supervise(&run->supervision);
    progress_wipe(&run->progress);
}

/* Whether the run ends after the corpus: because of a finding, or because the program cannot be
 * tested. */
static bool is_over(const struct run *run) {
    const struct result *result = &run->session->result;
    return result->search.stopped != STOPPED_NOT || result->failure.text[0] ||
           result->difference.text[0] ||
           (run->findings.reported.count && !run->options.engine.keep_going);
}

/* Follows the schedules of the corpus in a session of their own. The search has the rest of the
 * time. */
static int follow_corpus(struct run *run) {
    int code = open_session(run);
    if (code != 0)
        return code;
    corpus_fill(&run->corpus, run->session);
    explore(run);
    if (supervise_again(&run->supervision, &run->options.engine)) {
        stages_count_time(run);
        child_session_end(run->session, run->session_fd);
        return follow_corpus(run);
    }
    corpus_count(&run->corpus);
    run->corpus.instead = is_over(run);
    if (run->corpus.instead) {
        run->session->result.search.exhausted = false; /* the search was not even begun */
        return 0;
    }
    stages_count_time(run);
    supervise_pass_time(&run->supervision, &run->options.engine);
    child_session_end(run->session, run->session_fd);
    return 0;
}

/* Some options turn out to be needed during the search. Then the search begins again with them. */
static int search(struct run *run) {
    int code = open_session(run);
    if (code != 0)
        return code;
    explore(run);
    if (!supervise_again(&run->supervision, &run->options.engine))
        return 0;
    stages_count_time(run);
    child_session_end(run->session, run->session_fd);
    return search(run);
}

int run_search(struct run *run) {
    run->started = time(NULL);
    int code = run->corpus.count ? follow_corpus(run) : 0;
    if (code == 0 && !run->corpus.instead)
        code = search(run);
    while (code == 0 && !run->corpus.instead && stages_go_on(run)) {
        child_session_end(run->session, run->session_fd);
        code = search(run);
    }
    return code;
}
