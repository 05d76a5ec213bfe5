/* custom_explorer.c - loads a delaying explorer that the user has written
 * (cli/supervise/custom_explorer.c has compiled it). This happens before any memory of the
 * program is kept. So the explorer is at the same address in every process of the session, and
 * the pointers that the search holds stay valid. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/check.h"
#include "engine/session.h"
#include "strategies/explorers/explorers.h"
#include "substrates/native/native.h"

static const char SYMBOL[] = "heddle_explorer";

__attribute__((format(printf, 2, 3))) static _Noreturn void refuse(struct session *session,
                                                                   const char *format, ...) {
    char why[FAILURE_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    snprintf(session->result.failure.text, sizeof session->result.failure.text,
             "--explorer: %s: %.300s", session->request.options.explorer, why);
    session->result.failure.verdict = VERDICT_USAGE;
    session->live.phase = PHASE_DONE;
    for (;;)
        native_syscall(SYS_exit_group, verdict_info(VERDICT_USAGE)->exit_code);
}

/* The name of the first function that is missing, or NULL. */
static const char *missing(const struct heddle_explorer *explorer) {
    return explorer->begin == NULL    ? "begin"
           : explorer->next == NULL   ? "next"
           : explorer->delay == NULL  ? "delay"
           : explorer->start == NULL  ? "start"
           : explorer->finish == NULL ? "finish"
                                      : NULL;
}

static void check_explorer(struct session *session, const struct heddle_explorer *explorer) {
    if (explorer->name == NULL || explorer->name[0] == '\0')
        refuse(session, "`%s` has no name", SYMBOL);
    if (missing(explorer) != NULL)
        refuse(session, "`%s` has no function `%s`", SYMBOL, missing(explorer));
    if (explorer->size > HEDDLE_EXPLORER_STATE_MAX)
        refuse(session, "its state has %zu bytes, and may have %d", explorer->size,
               HEDDLE_EXPLORER_STATE_MAX);
}

void native_load(struct session *session) {
    const char *path = session->request.options.explorer_library;
    if (path[0] == '\0')
        return;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        refuse(session, "%s", dlerror());
    const struct heddle_explorer *explorer = dlsym(library, SYMBOL);
    if (explorer == NULL)
        refuse(session, "it does not define `const struct %s %s`", SYMBOL, SYMBOL);
    check_explorer(session, explorer);
    CHECK(session->live.loaded.custom_explorer == NULL ||
          session->live.loaded.custom_explorer == explorer);
    session->live.loaded.custom_explorer = explorer;
    explorer_offer(session->request.options.explorer, explorer);
}
