/* graph_file.c - see graph.h: the file, and Graphviz, which is another process. */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cc_process.h"
#include "cli/graph.h"
#include "cli/outputs.h"
#include "cli/say.h"

extern char **environ;

static bool ends_in(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcasecmp(path + length - end, suffix) == 0;
}

static bool is_svg(const char *path) {
    return ends_in(path, ".svg");
}

int graph_prepare(const char *path) {
    if (path == NULL)
        return 0;
    if (!is_svg(path) && !ends_in(path, ".dot") && !ends_in(path, ".gv"))
        return say_error(EXIT_USAGE, "--graph: %s: the name must end in .dot, .gv or .svg", path);
    if (is_svg(path) && !process_is_on_path("dot"))
        return say_error(EXIT_USAGE,
                         "--graph: %s: an SVG needs the program `dot` of Graphviz, which is not "
                         "there; a .dot file does not",
                         path);
    return outputs_prepare("--graph", path);
}

static bool ended_well(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* `dot` from one file to the other. */
static bool render(FILE *from, FILE *to) {
    char *const command[] = {"dot", "-Tsvg", NULL};
    posix_spawn_file_actions_t actions;
    pid_t process;
    if (fflush(from) != 0 || lseek(fileno(from), 0, SEEK_SET) != 0 ||
        posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool started = posix_spawn_file_actions_adddup2(&actions, fileno(from), STDIN_FILENO) == 0 &&
                   posix_spawn_file_actions_adddup2(&actions, fileno(to), STDOUT_FILENO) == 0 &&
                   posix_spawnp(&process, command[0], &actions, NULL, command, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return started && ended_well(process);
}

/* Copies the output of `dot` into memory. */
static bool take_back(FILE *from, FILE *out) {
    char buffer[65536];
    size_t length;
    rewind(from);
    while ((length = fread(buffer, 1, sizeof buffer, from)) > 0)
        fwrite(buffer, 1, length, out);
    return !ferror(from);
}

static bool draw_svg(const struct collect_source *source, const struct judgement *judgement,
                     FILE *out) {
    FILE *file = tmpfile(), *drawn = tmpfile();
    bool done = file != NULL && drawn != NULL && graph_draw(source, judgement, file) &&
                render(file, drawn) && take_back(drawn, out);
    if (file != NULL)
        fclose(file);
    if (drawn != NULL)
        fclose(drawn);
    return done;
}

bool graph_write(const char *path, const struct collect_source *source,
                 const struct judgement *judgement) {
    struct wrap_draft draft;
    FILE *out = wrap_draft(&draft);
    bool done =
        is_svg(path) ? draw_svg(source, judgement, out) : graph_draw(source, judgement, out);
    return outputs_write(path, done, &draft);
}
