/* debugger.c - see debugger.h.
 *
 * This process becomes gdb. It keeps its process number and the session's file, so the path of the
 * session in the program's environment stays valid. There is no supervisor then: no process is
 * killed, and a step may take as long as the user wants. The gdb extension gets the trace through a
 * file in memory. It learns the position of the program from the runtime (engine/debugger.h). */
#define _GNU_SOURCE
#include "cli/replay/debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cc/words.h"
#include "cli/replay/debugger_trace.h"
#include "cli/base/paths.h"
#include "cli/base/say.h"
#include "engine/session.h"

static void add_setting(struct words *words, const char *setting) {
    words_add(words, "-iex");
    words_add(words, setting);
}

static void add_settings(struct words *words, const struct child_plan *plan) {
    static const char *const settings[] = {
        "set startup-with-shell off",  "set disable-randomization on",
        "set debuginfod enabled off",  "set breakpoint pending on",
        "set print thread-events off", "unset environment LINES",
        "unset environment COLUMNS",   NULL,
    };
    for (const char *const *setting = settings; *setting != NULL; setting++)
        add_setting(words, *setting);
    /* These variables are for the program, not for gdb: the session and the preloaded runtime. */
    for (int i = 0; i < 2; i++) {
        const char *entry = plan->environment[i];
        int name = (int)strcspn(entry, "=");
        add_setting(words, words_format("set environment %.*s %s", name, entry, entry + name + 1));
    }
    if (plan->directory != NULL)
        add_setting(words, words_format("set cwd %s", plan->directory));
}

/* Files that this function opens belong to gdb alone: the extension closes them for the program. */
static int add_extension(struct words *words, int session_fd, const struct trace *trace) {
    const char *script = paths_gdb_script();
    if (script == NULL)
        return say_error(EXIT_INTERNAL, "heddle_gdb was not found beside the tool or "
                                        "in its share/heddle");
    int trace_fd = debugger_trace(trace);
    if (trace_fd < 0 || fcntl(session_fd, F_SETFD, 0) != 0)
        return say_error(EXIT_INTERNAL, "cannot keep the session: %s", strerror(errno));
    add_setting(words, words_format("source %s", script));
    add_setting(words, words_format("python heddle_gdb.start(%d, %d, %d)", trace_fd, session_fd,
                                    SESSION_STEP_SIGNAL));
    return 0;
}

int debugger_run(const struct child_plan *plan, int session_fd, const struct trace *trace,
                 const char *more) {
    struct words words = {0};
    words_add(&words, "gdb");
    words_add(&words, "-q");
    add_settings(&words, plan);
    int code = add_extension(&words, session_fd, trace);
    if (code != 0)
        return code;
    words_add(&words, "-ex");
    words_add(&words, "run");
    words_split(&words, more, 1);
    words_add(&words, "--args");
    words_add(&words, plan->path);
    for (char *const *argument = plan->arguments + 1; *argument != NULL; argument++)
        words_add(&words, *argument);
    fflush(stdout);
    execvp("gdb", words.items);
    return say_error(EXIT_UNSUPPORTED, "cannot start gdb: %s", strerror(errno));
}
