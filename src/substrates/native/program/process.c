/* process.c - exit, _exit, abort, failed assertions.
 *
 * exit() is the C library's own, on the fiber of the calling task. So the program's handlers and
 * static destructors run, with steps of other tasks in between. The very last handler is ours:
 * there the end of the process becomes an operation, if another task could notice it, and the
 * execution is over. A non-zero status is a finding. The exit of a machine is in machines/end.c. */
#define _GNU_SOURCE
#include "substrates/native/program/process.h"

#include <assert.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/image.h"
#include "engine/session.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/thread_end.h"

struct exit_handlers exit_handlers;
static struct exit_handlers handlers_before_main; /* the handlers that constructors registered */

void process_keep_handlers(void) {
    handlers_before_main = exit_handlers;
}

void process_reset(void) {
    exit_handlers = handlers_before_main;
}

void process_write(struct image *image) {
    image_write_number(image, exit_handlers.all);
    image_write_number(image, exit_handlers.own);
}

void process_read(struct image *image) {
    exit_handlers.all = (uint32_t)image_read_number(image);
    exit_handlers.own = (uint32_t)image_read_number(image);
}

/* A parent process gets the low eight bits of the status, so 256 means success. */
_Noreturn void process_is_over(struct task *task, int status, uint64_t pc) {
    status &= 0xff;
    if (status != 0) /* with --keep-going, tasks that are blocked for ever then are found, too */
        found_on_the_way(task, FINDING_EXIT, 0, pc, "the program exits with status %d", status);
    end_execution(OUTCOME_ENDED);
}

static _Noreturn void process_ends(struct task *task, int status, uint64_t pc) {
    if (!task_is_last(task)) {
        struct op op = {.kind = OP_EXIT, .value = (uint64_t)status, .pc = pc};
        happened(perform(task, &op, NULL, NULL));
    }
    task->wait = NULL; /* the last operation of the task is over */
    process_is_over(task, status, pc);
}

/* Output is shown in a replay only. During a search it goes nowhere. */
void process_flush(void) {
    if (rt.session->request.options.mode == MODE_REPLAY)
        fflush(NULL);
}

/* std::ios_base::Init::~Init(). Every file that includes <iostream> registers it, and no program
 * can tell which thread runs it. */
extern void end_of_streams(void *self) __asm__("_ZNSt8ios_base4InitD1Ev") __attribute__((weak));

/* Counts handlers. If there are none, the C library's exit would do nothing for the program, and
 * skipping it leaves much memory untouched. */
EXPORT int __cxa_atexit(void (*handler)(void *), void *argument, void *library) {
    exit_handlers.all++;
    exit_handlers.own += handler != end_of_streams;
    return real.__cxa_atexit(handler, argument, library);
}

EXPORT int on_exit(void (*handler)(int, void *), void *argument) {
    exit_handlers.all++;
    exit_handlers.own++;
    return real.on_exit(handler, argument);
}

/* The destructors of every program call this for the program's handlers. If there are no
 * handlers, the function would only take locks, and two pages of the C library would have to be
 * put back. */
EXPORT void __cxa_finalize(void *library) {
    if (rt.current == NULL || !rt.current->end.exiting || exit_handlers.all > 0)
        real.__cxa_finalize(library);
}

static void at_end(int status, void *unused) {
    struct task *task = rt.current;
    (void)unused;
    if (task == NULL)
        return;
    process_flush();
    process_ends(task, status, task->end.exit_pc);
}

/* Other tasks may call exit while this task stands before its end, so the handler is registered
 * again. */
static void last_handler(int status, void *unused) {
    if (rt.current != NULL)
        process_register_end();
    at_end(status, unused);
}

void process_register_end(void) {
    real.on_exit(last_handler, NULL);
}

static _Noreturn void run_handlers(int status) {
    if (rt.current != NULL && exit_handlers.all == 0) {
        process_run_destructors();
        at_end(status, NULL);
    }
    real.exit(status);
    __builtin_unreachable();
}

EXPORT void exit(int status) {
    struct task *task = rt.current;
    if (task != NULL && machine_acts(task))
        machine_exits(task, status, CALLER);
    if (task != NULL) {
        task->end.exit_pc = CALLER;
        task->end.exiting = true;
        thread_local_destructors(task);
    }
    run_handlers(status);
}

_Noreturn void process_exit_last(struct task *task) {
    task->end.exit_pc = task->op.pc;
    run_handlers(0);
}

static _Noreturn void exit_at_once(int status, uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL)
        real._exit(status);
    if (machine_acts(task))
        machine_exits(task, status, pc);
    process_ends(task, status, pc);
}

EXPORT void _exit(int status) {
    exit_at_once(status, CALLER);
}

EXPORT void _Exit(int status) {
    exit_at_once(status, CALLER);
}

EXPORT void quick_exit(int status) {
    if (rt.current == NULL)
        real.quick_exit(status);
    noted("quick_exit", "handlers of at_quick_exit are not run", CALLER);
    exit_at_once(status, CALLER);
}

/* From the C++ library, if it is there. */
struct type_info {
    const void *table;
    const char *name;
};
extern const struct type_info *__cxa_current_exception_type(void) __attribute__((weak));
extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status)
    __attribute__((weak));

/* The type of the exception that the task handles, as users write it, or NULL. std::terminate
 * handles an exception that is never caught. */
static const char *exception_type(void) {
    int status;
    if (__cxa_current_exception_type == NULL || __cxa_demangle == NULL)
        return NULL;
    const struct type_info *type = __cxa_current_exception_type();
    if (type == NULL)
        return NULL;
    const char *name = __cxa_demangle(type->name, NULL, NULL, &status);
    return name != NULL ? name : type->name;
}

EXPORT void abort(void) {
    struct task *task = rt.current;
    if (task == NULL)
        real.abort();
    uint64_t pc = CALLER;
    const char *exception = exception_type();
    if (exception == NULL)
        found(task, FINDING_ASSERTION, 0, pc, "abort() was called");
    found(task, FINDING_ASSERTION, 0, pc, "abort() was called while handling an exception: %.150s",
          exception);
}

EXPORT void __assert_fail(const char *assertion, const char *file, unsigned int line,
                          const char *function) {
    struct task *task = rt.current;
    if (task == NULL)
        real.__assert_fail(assertion, file, line, function);
    found(task, FINDING_ASSERTION, 0, CALLER, "assertion `%s' failed", assertion);
}

EXPORT void __stack_chk_fail(void) {
    struct task *task = rt.current;
    if (task == NULL)
        real.abort();
    found(task, FINDING_CRASH, 0, CALLER, "the stack of this function was overwritten");
}

/* The program's own destructor functions, found once. */
static void (**destructors)(void);
static size_t destructor_count;

static int find_destructors(struct dl_phdr_info *info, size_t size, void *unused) {
    const ElfW(Dyn) *dynamic = NULL;
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; dynamic != NULL && dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_FINI_ARRAY)
            destructors = (void (**)(void))(info->dlpi_addr + dynamic->d_un.d_ptr);
        if (dynamic->d_tag == DT_FINI_ARRAYSZ)
            destructor_count = dynamic->d_un.d_val / sizeof *destructors;
    }
    return 1; /* the program comes first; the destructors of libraries do not run */
}

void process_find_destructors(void) {
    dl_iterate_phdr(find_destructors, NULL);
}

void process_run_destructors(void) {
    for (size_t i = destructor_count; destructors != NULL && i > 0; i--)
        destructors[i - 1]();
}
