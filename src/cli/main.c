/* main.c - the commands of the tool, by name. `heddle ./prog` is `heddle run ./prog`. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cc/cc.h"
#include "cli/commands/estimate.h"
#include "cli/commands/minimise.h"
#include "cli/replay/replay.h"
#include "cli/commands/report.h"
#include "cli/run/run.h"
#include "cli/base/say.h"
#include "cli/commands/show.h"
#include "cli/sim/sim.h"
#include "cli/base/streams.h"
#include "cli/base/version.h"

struct command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the name of the command */
    const char *usage;
    const char *help;
    bool own_help; /* the command has a --help */
};

static int cc_command(int argc, char **argv) {
    return cc_main(argc, argv, false);
}

static int cxx_command(int argc, char **argv) {
    return cc_main(argc, argv, true);
}

static int version_command(int argc, char **argv) {
    (void)argc, (void)argv;
    puts("heddle " HEDDLE_VERSION);
    return 0;
}

static int help_command(int argc, char **argv);

static const struct command commands[] = {
    {"run", run_main, "[option...] PROGRAM [argument...]", "explore a program", true},
    {"estimate", estimate_main, "[option...] PROGRAM [argument...]",
     "estimate how many executions it has", true},
    {"replay", replay_main, "TRACE [--gdb]", "repeat the execution of a trace", true},
    {"min", minimise_main, "[option...] TRACE", "find a smaller schedule with the same bug", true},
    {"sim", sim_main, "[option...] PROGRAM|TRACE [argument...]", "choose each step yourself", true},
    {"show", show_main, "TRACE", "print the schedule of a trace", true},
    {"report", report_main, "TRACE [-o FILE]", "write a trace as an HTML page", true},
    {"cc", cc_command, "[option...] FILE...", "compile C for Heddle, with gcc or clang", false},
    {"c++", cxx_command, "[option...] FILE...", "the same for C++", false},
    {"help", help_command, "[COMMAND]", "print this text, or the help of a command", false},
    {"version", version_command, "", "the version", false},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct command *find(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void print_help(FILE *out) {
    fprintf(out,
            "Heddle %s: runs a concurrent C or C++ program in every order that can matter.\n\n",
            HEDDLE_VERSION);
    for (size_t i = 0; i < COMMANDS; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].usage);
        fprintf(out, "  heddle %-43s %s\n", left, commands[i].help);
    }
    fputs("\n`heddle ./prog` is `heddle run ./prog`. `heddle run --help` lists the options.\n",
          out);
}

/* `heddle help cc` prints Heddle's help, because `heddle cc --help` is that of the compiler. */
static int help_command(int argc, char **argv) {
    const struct command *command = argc > 1 ? find(argv[1]) : NULL;
    bool own = command != NULL && command->own_help;
    if (argc > 1 && command == NULL)
        return say_error(EXIT_USAGE, "no help on '%s': there is no such command", argv[1]);
    if (own) {
        char *words[] = {argv[1], "--help", NULL};
        return command->run(2, words);
    }
    if (command != NULL)
        printf("Usage: heddle %s %s\n\n%s; see heddle-cc(1).\n", command->name, command->usage,
               command->help);
    else
        print_help(stdout);
    return 0;
}

static int unknown_command(const char *name) {
    const char *names[COMMANDS + 1] = {0};
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *nearest = say_nearest(name, names);
    if (nearest != NULL)
        return say_error(EXIT_USAGE, "'%s' is neither a command nor a program; did you mean '%s'?",
                         name, nearest);
    return say_error(EXIT_USAGE, "'%s' is neither a command nor a program; see heddle help", name);
}

#ifdef HEDDLE_SANITIZE
/* AddressSanitizer calls this. A command does not free its memory before the process ends, which is
 * not a leak. */
const char *__asan_default_options(void);

const char *__asan_default_options(void) {
    return "detect_leaks=0";
}
#endif

static int run_command(int argc, char **argv) {
    const struct command *command = find(argv[1]);
    if (command != NULL)
        return command->run(argc - 1, argv + 1);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help_command(1, argv);
    /* An option, a path or a file: the words belong to `run`, which expects a name before them. */
    if (argv[1][0] == '-' || strchr(argv[1], '/') != NULL || access(argv[1], F_OK) == 0)
        return run_main(argc, argv);
    return unknown_command(argv[1]);
}

int main(int argc, char **argv) {
    int code = streams_open();
    if (code != 0)
        return code;
    if (argc > 0)
        say_set_tool(argv[0]);
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    return streams_close(run_command(argc, argv));
}
