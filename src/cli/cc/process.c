/* process.c - the system calls of `heddle cc`. */
#define _GNU_SOURCE
#include "cli/cc/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile sig_atomic_t running_command; /* the process of the running command, or 0 */
static volatile sig_atomic_t interrupted;

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals, CANNOT_START = 127 };

bool process_is_on_path(const char *name) {
    const char *path = getenv("PATH");
    char *copy = words_format("%s", path ? path : "/usr/local/bin:/usr/bin:/bin");
    bool found = false;
    for (char *directory = strtok(copy, ":"); directory && !found; directory = strtok(NULL, ":")) {
        char *file = words_format("%s/%s", directory, name);
        found = access(file, X_OK) == 0;
        free(file);
    }
    free(copy);
    return found;
}

static int wait_for(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return CANNOT_START;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void hold_ending_signals(sigset_t *before) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < ENDING_SIGNALS; i++)
        sigaddset(&set, ending_signals[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

/* Starts a command with the given signal mask. Returns its process, or 0 with the error in
 * `errno`. */
static pid_t spawn(const struct words *command, const sigset_t *mask) {
    pid_t process = 0;
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    errno = posix_spawnp(&process, command->items[0], NULL, &attributes, command->items, environ);
    posix_spawnattr_destroy(&attributes);
    return errno == 0 ? process : 0;
}

/* Signals are blocked until the new process is known. A signal that came earlier could not be
 * passed on, and would be lost. */
static pid_t start(const struct words *command) {
    sigset_t before;
    hold_ending_signals(&before);
    pid_t process = interrupted ? 0 : spawn(command, &before);
    if (process == 0 && !interrupted)
        fprintf(stderr, "heddle: cannot start %s: %s\n", command->items[0], strerror(errno));
    running_command = process;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return process;
}

int process_run(const struct words *command) {
    pid_t process = start(command);
    int status = process > 0 ? wait_for(process) : CANNOT_START;
    running_command = 0;
    return interrupted ? 128 + interrupted : status;
}

static bool contains(int descriptor, const char *text) {
    FILE *output = fdopen(descriptor, "r");
    char *line = NULL;
    size_t size = 0;
    bool found = false;
    while (output && getline(&line, &size, output) >= 0)
        found |= strstr(line, text) != NULL;
    free(line);
    if (output)
        fclose(output);
    return found;
}

bool process_output_contains(const struct words *command, const char *text) {
    int ends[2];
    pid_t process = 0;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    int error = posix_spawnp(&process, command->items[0], &actions, NULL, command->items, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    bool found = contains(ends[0], text);
    if (!error)
        wait_for(process);
    return found;
}

static void forward(int signal) {
    interrupted = signal;
    if (running_command)
        kill((pid_t)running_command, signal);
}

/* A signal that is ignored stays ignored (nohup). The command itself starts with the default
 * actions, because exec resets caught signals. */
void process_forward_signals(void) {
    struct sigaction action = {.sa_handler = forward}, old;
    for (int i = 0; i < ENDING_SIGNALS; i++)
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
}

bool process_interrupted(void) {
    return interrupted != 0;
}

void process_remove_directory(const char *path) {
    DIR *directory = opendir(path);
    struct dirent *entry;
    while (directory && (entry = readdir(directory)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        closedir(directory);
    rmdir(path);
}
