/* search.c - `heddle run` while it lasts: the schedules of the corpus, if there are some, then the search. Findings
 * are taken on the way. */
#include "cli/child.h"
#include "cli/run/parts.h"

static int open_session(struct run *run) {
    int code = child_session(&run->session, &run->session_fd);
    if (code != 0)
        return code;
    run->session->options = run->options.engine;
    run->session->options.tree = run->options.graph != NULL;
    run->session->options.coverage |= run->options.html != NULL; /* the page about the run has it */
    return 0;
}

static void prepare_findings(struct run *run) {
    const struct collect_source source = {
        .program = &run->program, .options = &run->options, .arguments = run->arguments};
    findings_init(&run->findings, &source, &run->progress, &run->outputs, &run->suppressions);
}

/* Whoever has found something waits for this, if it asks: what is not suppressed ends the search. */
static void answer(struct run *run) {
    if (run->options.engine.asks && run->findings.count > 0)
        run->session->stop = true;
    __atomic_store_n(&run->session->answered, run->findings.taken, __ATOMIC_RELEASE);
}

static void tick(void *context) {
    struct run *run = context;
    findings_take(&run->findings);
    answer(run);
    run_keep_json(run);
    progress_show(&run->progress, run->session);
}

/* Whatever the session is to do. */
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

/* Whether what the corpus showed ends the run: something is wrong, or cannot be done. */
static bool is_over(const struct run *run) {
    return run->supervision.end != END_DONE || run->session->error[0] ||
           run->session->difference[0] || (run->findings.count && !run->options.engine.keep_going);
}

/* The schedules of the corpus, in a session of their own. The search has the rest of the time. */
static int follow_corpus(struct run *run) {
    int code = open_session(run);
    if (code != 0)
        return code;
    corpus_fill(&run->corpus, run->session);
    explore(run);
    if (supervise_again(&run->supervision, &run->options.engine)) {
        child_session_end(run->session, run->session_fd);
        return follow_corpus(run);
    }
    corpus_count(&run->corpus);
    run->corpus.instead = is_over(run);
    if (run->corpus.instead) {
        run->session->exhausted = false; /* the corpus was, but the search is not even begun */
        return 0;
    }
    supervise_pass_time(&run->supervision, &run->options.engine);
    child_session_end(run->session, run->session_fd);
    return 0;
}

/* Some options turn out to be needed on the way: the search begins again with them. */
static int search(struct run *run) {
    int code = open_session(run);
    if (code != 0)
        return code;
    explore(run);
    if (!supervise_again(&run->supervision, &run->options.engine))
        return 0;
    child_session_end(run->session, run->session_fd);
    return search(run);
}

int run_search(struct run *run) {
    prepare_findings(run);
    run->started = time(NULL);
    int code = run->corpus.count ? follow_corpus(run) : 0;
    if (code == 0 && !run->corpus.instead)
        code = search(run);
    return code;
}
