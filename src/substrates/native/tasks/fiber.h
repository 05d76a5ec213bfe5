/* fiber.h - tasks as fibers on one OS thread (fiber.c). */
#ifndef NATIVE_FIBER_H
#define NATIVE_FIBER_H

#include <stdbool.h>
#include <stdint.h>

struct task;

/* --- preparing --- */

/* Maps the slot of a task and finds a thread whose thread-local storage the task can use. Not
 * during an execution that starts from saved memory: starting a thread changes the C library's
 * memory for good. */
void fiber_prepare(struct task *task);
/* The same for a machine, which needs a stack but no thread-local storage. */
void fiber_prepare_machine(struct task *task);
/* The thread-local storage of the task is put back from now on. */
void fiber_track(const struct task *task);
/* Around the preparation of several fibers. */
void fibers_on_one_processor(void);
void fibers_on_all_processors(void);

/* Gives the task a context at the beginning of fiber_main. */
void fiber_start(struct task *task);
/* Gives the task a context at the beginning of machine_main. */
void fiber_start_machine(struct task *task, uint64_t top);
/* What a fiber does (program/start.c). */
void fiber_main(struct task *task);

/* --- switching --- */

/* Engine side: runs tasks until native_next() gives NULL. */
void fiber_run(struct task *task);
/* Task side: returns when native_next() gives this task. */
void fiber_park(struct task *task);
/* Task side: goes to the engine, and returns when something goes on at *context. */
void fiber_leave(void **context);
/* Task side: goes to the task that moves next, and never comes back. */
_Noreturn void fiber_abandon(void);
/* Task side: goes to the engine, and never comes back. */
_Noreturn void fiber_return(void);
/* As fiber_abandon, but the task still stands there, with its stack. */
_Noreturn void fiber_stop(struct task *task);
/* Engine side, in a copy of the process: goes on as the task, and never comes back. */
_Noreturn void fiber_try(struct task *task);
/* Task side: calls the function on the engine's stack, so that the call leaves nothing on the
 * task's own. */
uint64_t fiber_on_engine_stack(uint64_t (*function)(uint64_t argument), uint64_t argument);

/* The thread control block of the task that runs: it begins with its own address. */
static inline uint64_t read_fs(void) {
    uint64_t self;
    __asm__("mov %%fs:0, %0" : "=r"(self));
    return self;
}

#endif
