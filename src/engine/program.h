/* program.h - what a search learns about the files and the tasks of the program. */
#ifndef ENGINE_PROGRAM_H
#define ENGINE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SESSION_TASKS_MAX = 1024, /* over all executions */
    MODULES_MAX = 64
};

/* The name of a task, which does not depend on the schedule: the number of the child among those of
 * its parent. */
struct task_name {
    uint32_t parent; /* NO_TASK for the first */
    uint32_t child;  /* counted from 0 */
    uint64_t entry;  /* the address of its start function, for readers */
    uint64_t pc;     /* the place of its creation */
};

struct task_names {
    struct task_name list[SESSION_TASKS_MAX];
    uint32_t count;
};

/* The program or one of its libraries. */
struct module {
    char path[256];
    uint64_t base, end; /* load bias; end of the last segment */
    uint8_t build_id[32];
    uint32_t build_id_size;
    bool opened; /* opened by dlopen */
};

struct modules {
    struct module list[MODULES_MAX];
    uint32_t count;
};

/* Whether both give the same names to the numbers that both have. If not, nothing can be merged,
 * because tasks are known by their numbers everywhere. */
bool task_names_agree(const struct task_names *a, const struct task_names *b);
/* The two must agree. */
void task_names_merge(struct task_names *into, const struct task_names *from);

/* Whether files that both have were loaded at the same addresses. */
bool modules_agree(const struct modules *a, const struct modules *b);
/* The two must agree. */
void modules_merge(struct modules *into, const struct modules *from);

#endif
