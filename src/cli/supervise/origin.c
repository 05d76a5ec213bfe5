/* origin.c - see origin.h.
 *
 * The hash is XXH3-128 over the machine's id, the number of the user, the program, the directory
 * and the arguments, each with its length. The id itself is confidential (machine-id(5)) and is
 * never written. A machine without an id is known by its boot id and its name, until it is started
 * again. The environment is not part of the hash: a trace does not contain it, so the program gets
 * the caller's environment.
 *
 * A hash is not a signature: a person who has read the id, or can derive it from traces, can forge
 * a mark. The mark only prevents that an unknown trace runs an unknown program by mistake. */
#define _GNU_SOURCE
#include "cli/supervise/origin.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"
#include "cli/base/say.h"
#include "trace/trace.h"

enum { ID_SIZE = 256, MARK_SIZE = 33 };

/* --- the mark --- */

/* Reads the first word of a file. It must have at least `least` characters. */
static bool read_word(const char *path, size_t least, char word[ID_SIZE]) {
    FILE *file = fopen(path, "re");
    bool got = file != NULL && fgets(word, ID_SIZE, file) != NULL;
    if (file != NULL)
        fclose(file);
    if (!got)
        return false;
    word[strcspn(word, " \n")] = '\0';
    return strlen(word) >= least;
}

/* Reads the id of the machine. A machine that has not been set up yet has the id
 * "uninitialized". */
static bool read_id(char id[ID_SIZE]) {
    enum { DIGITS = 32 };
    static const char *const files[] = {"/etc/machine-id", "/var/lib/dbus/machine-id"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (read_word(files[i], DIGITS, id) && strspn(id, "0123456789abcdef") == DIGITS)
            return true;
    char name[ID_SIZE] = "", boot[ID_SIZE];
    gethostname(name, sizeof name - 1);
    if (!read_word("/proc/sys/kernel/random/boot_id", DIGITS, boot))
        return false;
    snprintf(id, ID_SIZE, "%.100s %.100s", boot, name);
    return true;
}

static void add(XXH3_state_t *state, const char *text) {
    uint64_t length = strlen(text);
    XXH3_128bits_update(state, &length, sizeof length);
    XXH3_128bits_update(state, text, length);
}

/* Makes the mark. Returns false if nothing is known of this machine. */
static bool make_mark(const struct trace *trace, char mark[MARK_SIZE]) {
    char id[ID_SIZE], user[ID_SIZE];
    if (!read_id(id))
        return false;
    snprintf(user, sizeof user, "%lu", (unsigned long)getuid());
    XXH3_state_t *state = XXH3_createState();
    CHECK(state);
    XXH3_128bits_reset(state);
    add(state, "heddle-origin");
    add(state, id);
    add(state, user);
    add(state, trace->program);
    add(state, trace->directory);
    for (uint32_t i = 0; i < trace->argument_count; i++)
        add(state, trace->arguments[i]);
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    snprintf(mark, MARK_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return true;
}

void origin_mark(struct trace *trace) {
    char mark[MARK_SIZE];
    trace->origin = make_mark(trace, mark) ? trace_copy(trace, mark) : "";
}

bool origin_is_here(const struct trace *trace) {
    char mark[MARK_SIZE];
    return trace->origin[0] && make_mark(trace, mark) && strcmp(mark, trace->origin) == 0;
}

/* --- the question --- */

/* Returns the command line that would run, as a user would type it. The caller frees it. */
static char *command_of(const struct trace *trace) {
    char *text = NULL, word[2 * PATH_MAX];
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    CHECK(out);
    fputs(say_quoted(trace->program, word, sizeof word), out);
    for (uint32_t i = 1; i < trace->argument_count; i++)
        fprintf(out, " %s", say_quoted(trace->arguments[i], word, sizeof word));
    if (trace->directory[0])
        fprintf(out, ", in %s", say_quoted(trace->directory, word, sizeof word));
    CHECK(fclose(out) == 0);
    return text;
}

static bool can_ask(void) {
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* Reads the answer. Only its first letter counts; the end of the input means no. */
static bool ask(void) {
    fputs("Run it? [y/N] ", stderr);
    fflush(stderr);
    int first = getchar(), next = first;
    while (next != '\n' && next != EOF)
        next = getchar();
    return first == 'y' || first == 'Y';
}

static int refuse(const char *path, const char *command) {
    return say_error(EXIT_USAGE,
                     "%s: was not recorded here by you, and would run: %s; if you trust it, say "
                     "--yes",
                     path, command);
}

int origin_consent(const struct trace *trace, const char *path, bool yes) {
    if (origin_is_here(trace))
        return 0;
    char *command = command_of(trace);
    int code = 0;
    if (!yes && !can_ask()) {
        code = refuse(path, command);
    } else {
        say_error(0, "%s: was not recorded here by you, and runs: %s", path, command);
        if (!yes && !ask())
            code = say_error(EXIT_USAGE, "%s: not run", path);
    }
    free(command);
    return code;
}
