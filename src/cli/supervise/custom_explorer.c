/* custom_explorer.c - see custom_explorer.h. The library stays in a directory of its own until the
 * end of the run, because a tested program that died is started again. */
#define _GNU_SOURCE
#include "cli/supervise/custom_explorer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cc/process.h"
#include "cli/cc/words.h"
#include "cli/base/paths.h"
#include "cli/base/say.h"

static char *directory; /* the directory of the library, or NULL */

bool custom_explorer_named(const char *explorer) {
    size_t length = strlen(explorer);
    return strchr(explorer, '/') != NULL || (length > 2 && !strcmp(explorer + length - 2, ".c"));
}

static int make_directory(struct options *options) {
    const char *where = getenv("TMPDIR");
    directory = words_format("%s/heddle-explorer-XXXXXX", where && *where ? where : "/tmp");
    if (mkdtemp(directory) == NULL) {
        int code = say_error(EXIT_USAGE, "%s: %s", directory, strerror(errno));
        directory = NULL;
        return code;
    }
    /* An absolute path, because the program may run in another directory. */
    char *path = realpath(directory, NULL);
    size_t room = sizeof options->explorer_library;
    int length = snprintf(options->explorer_library, room, "%s/explorer.so", path ? path : "");
    free(path);
    if (length >= (int)room)
        return say_error(EXIT_USAGE, "%s: its name is too long", directory);
    return 0;
}

static int compile(const char *source, const char *library) {
    static const char *const flags[] = {"-shared", "-fPIC", "-O2", "-g", "-fno-stack-protector",
                                        NULL};
    struct words command = {0};
    const char *wish = getenv("CC");
    words_split(&command, wish && *wish ? wish : "cc", false);
    words_add_all(&command, flags);
    words_add(&command, "-I");
    words_add(&command, paths_include());
    words_add(&command, "-o");
    words_add(&command, library);
    words_add(&command, source);
    if (process_run(&command) != 0)
        return say_error(EXIT_USAGE, "--explorer: %s does not compile", source);
    return 0;
}

int custom_explorer_build(struct options *options) {
    const char *source = options->explorer;
    if (!custom_explorer_named(source))
        return 0;
    if (access(source, R_OK) != 0)
        return say_error(EXIT_USAGE, "--explorer: %s: %s", source, strerror(errno));
    if (paths_include() == NULL)
        return say_error(EXIT_USAGE, "--explorer: heddle/explorer.h was not found beside the tool "
                                     "or in HEDDLE_INCLUDEDIR");
    int code = make_directory(options);
    if (code == 0)
        code = compile(source, options->explorer_library);
    if (code != 0)
        custom_explorer_remove();
    return code;
}

void custom_explorer_remove(void) {
    if (directory != NULL)
        process_remove_directory(directory);
    directory = NULL;
}
