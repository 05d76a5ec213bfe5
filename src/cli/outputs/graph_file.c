/* graph_file.c - --graph=FILE: the file, and Graphviz, which is another process. graph.h makes the
 * picture. */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cc/process.h"
#include "cli/outputs/graph.h"
#include "cli/outputs/output.h"
#include "cli/base/say.h"

extern char **environ;

static bool ends_in(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcasecmp(path + length - end, suffix) == 0;
}

static bool is_svg(const char *path) {
    return ends_in(path, ".svg");
}

static int prepare(struct output *self) {
    const char *path = self->path;
    self->needs = OUTPUT_NEEDS_TREE;
    if (!is_svg(path) && !ends_in(path, ".dot") && !ends_in(path, ".gv"))
        return say_error(EXIT_USAGE, "--graph: %s: the name must end in .dot, .gv or .svg", path);
    if (is_svg(path) && !process_is_on_path("dot"))
        return say_error(EXIT_USAGE,
                         "--graph: %s: an SVG needs the program `dot` of Graphviz, which is not "
                         "there; a .dot file does not",
                         path);
    return output_open_file(self);
}

static bool ended_well(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs `dot` with one file as input and the other as output. */
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

static bool end(struct output *self, const struct ending *ending) {
    const struct output_run *run = self->run;
    struct wrap_draft draft;
    FILE *out = wrap_draft(&draft);
    bool done = is_svg(self->path) ? draw_svg(run->source, run->judgement, out)
                                   : graph_draw(run->source, run->judgement, out);
    (void)ending;
    return output_write(self, done, &draft);
}

const struct output_ops graph_output = {.open = prepare, .end = end};
