/* runtime.h - the three facts that every part of the native substrate needs: which task runs,
 * for which search, in which session. Each family has headers of its own for the rest:
 *
 *     interpose.h        how a function of ours stands in front of one of the C library
 *     system.h           the substrate as a struct system
 *     layout.h           where things stand in the address space
 *     tasks/             tasks, operations, findings, fibers, stacks, waiting loops, threads
 *     sync/              mutexes, condition variables and all other synchronisation objects
 *     memory/            memory that is put back, the heap, plain and atomic accesses
 *     calls/             calls to the kernel: time, signals, input and output
 *     program/           the tested program: its start, its end, its libraries
 *     machines/          event-driven machines (heddle/machine.h) as tasks
 *
 * The interposed functions (pthread_mutex_lock, __tsan_atomic32_load, ...) all look alike:
 *
 *     struct task *task = rt.current;              // NULL: not under control, do the real thing
 *     if (task == NULL)
 *         return real.pthread_mutex_lock(mutex);
 *     struct event *event = perform(task, &(struct op){.kind = OP_LOCK, ...}, &mutex_wait, object);
 *     ... the effect ...
 *     happened(event);
 *
 * perform() publishes the operation and parks the task in front of it. It returns when the
 * engine has chosen this task. The code up to the next perform() is one step. All tasks run on
 * one OS thread, so nothing here needs a lock. During a search, nothing here may use the C
 * library's state. */
#ifndef NATIVE_RUNTIME_H
#define NATIVE_RUNTIME_H

struct host;
struct session;
struct task;

struct runtime {
    struct task *current; /* NULL: our own code runs, or the program is not under control */
    struct host *host;    /* the search that runs this execution */
    struct session *session;
};

extern struct runtime rt;

#endif
