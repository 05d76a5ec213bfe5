/* emit.c - writes a program as C, one instruction in a line. All programs of a file share the
 * objects of prelude.h. Each program is a function `main_SEED`. */
#include <string.h>

#include "program.h"

static const char *const orders[ORDERS] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
static const char widths[] = {0, 'b', 'h', 0, 'w', 0, 0, 0, 'd'};

static void put_place(const struct instruction *at, const char *array, FILE *out) {
    bool plain_cell = at->kind <= DO_WRITE && at->kind >= DO_READ && at->object >= DATA;
    fprintf(out, "%s[%d].%c[%d]", array, plain_cell ? at->object - DATA : at->object,
            widths[at->size], at->at / at->size);
}

static const char *failure_order(uint8_t order) {
    return order == ACQ_REL ? "acquire" : order == RELEASE ? "relaxed" : orders[order];
}

static void put_compare_exchange(int task, const struct instruction *at, FILE *out) {
    fprintf(
        out,
        "{ uint%d_t expected = (uint%d_t)0x%llx; int equal = atomic_compare_exchange_%s_explicit(&",
        at->size * 8, at->size * 8, (unsigned long long)at->value,
        at->kind == DO_CAS_WEAK ? "weak" : "strong");
    put_place(at, "cells", out);
    fprintf(out,
            ", &expected, (uint%d_t)0x%llx, memory_order_%s, memory_order_%s); see(%d, expected); "
            "r = see(%d, "
            "(uint64_t)equal); }",
            at->size * 8, (unsigned long long)at->other, orders[at->order],
            failure_order(at->order), task, task);
}

static void put_atomic(int task, const struct instruction *at, FILE *out) {
    static const char *const names[] = {
        [DO_LOAD] = "load",     [DO_STORE] = "store",   [DO_EXCHANGE] = "exchange",
        [DO_ADD] = "fetch_add", [DO_SUB] = "fetch_sub", [DO_OR] = "fetch_or",
        [DO_AND] = "fetch_and", [DO_XOR] = "fetch_xor"};
    bool sees = at->kind != DO_STORE;
    if (sees)
        fprintf(out, "r = see(%d, ", task);
    fprintf(out, "atomic_%s_explicit(&", names[at->kind]);
    put_place(at, "cells", out);
    if (at->kind != DO_LOAD)
        fprintf(out, ", (uint%d_t)0x%llx", at->size * 8, (unsigned long long)at->value);
    fprintf(out, ", memory_order_%s)%s;", orders[at->order], sees ? ")" : "");
}

static void put_poll(int task, const struct instruction *at, FILE *out) {
    if (at->kind == DO_POLL)
        fprintf(out,
                "{ int found = 0; for (int i = 0; i < %d && !found; i++) found = "
                "atomic_load_explicit(&",
                at->count);
    else
        fprintf(out, "while (atomic_load_explicit(&");
    put_place(at, "cells", out);
    fprintf(out, ", memory_order_%s) %s (uint%d_t)0x%llx", orders[at->order],
            at->kind == DO_POLL ? "==" : "!=", at->size * 8, (unsigned long long)at->value);
    if (at->kind == DO_POLL)
        fprintf(out, "; r = see(%d, (uint64_t)found); }", task);
    else
        fprintf(out, ") {%s }", at->count ? " sched_yield();" : "");
}

static void put_plain(int task, const struct instruction *at, FILE *out) {
    bool is_volatile = at->kind == DO_VOLATILE_READ || at->kind == DO_VOLATILE_WRITE;
    const char *array = is_volatile ? "volatile_data" : at->object < DATA ? "data" : "plain_cells";
    if (at->kind == DO_READ || at->kind == DO_VOLATILE_READ) {
        fprintf(out, "r = see(%d, ", task);
        put_place(at, array, out);
        fprintf(out, ");");
    } else {
        put_place(at, array, out);
        fprintf(out, " = (uint%d_t)0x%llx;", at->size * 8, (unsigned long long)at->value);
    }
}

static void put_memory(int task, const struct instruction *at, FILE *out) {
    switch ((enum kind)at->kind) {
    case DO_CAS_STRONG:
    case DO_CAS_WEAK: put_compare_exchange(task, at, out); break;
    case DO_TEST_AND_SET:
        fprintf(out, "r = see(%d, atomic_flag_test_and_set_explicit(&flag, memory_order_%s));",
                task, orders[at->order]);
        break;
    case DO_CLEAR:
        fprintf(out, "atomic_flag_clear_explicit(&flag, memory_order_%s);", orders[at->order]);
        break;
    case DO_FENCE: fprintf(out, "atomic_thread_fence(memory_order_%s);", orders[at->order]); break;
    case DO_AWAIT:
    case DO_POLL: put_poll(task, at, out); break;
    case DO_READ:
    case DO_WRITE:
    case DO_VOLATILE_READ:
    case DO_VOLATILE_WRITE: put_plain(task, at, out); break;
    default: put_atomic(task, at, out);
    }
}

/* Calls that take an object, and some of them a time, and return an error number. */
static const char *const calls[KIND_COUNT] = {
    [DO_LOCK] = "pthread_mutex_lock(&mutexes[%d])",
    [DO_TRYLOCK] = "pthread_mutex_trylock(&mutexes[%d])",
    [DO_TIMEDLOCK] = "pthread_mutex_timedlock(&mutexes[%d], &past)",
    [DO_UNLOCK] = "pthread_mutex_unlock(&mutexes[%d])",
    [DO_RDLOCK] = "pthread_rwlock_rdlock(&rwlocks[%d])",
    [DO_WRLOCK] = "pthread_rwlock_wrlock(&rwlocks[%d])",
    [DO_TRYRDLOCK] = "pthread_rwlock_tryrdlock(&rwlocks[%d])",
    [DO_TRYWRLOCK] = "pthread_rwlock_trywrlock(&rwlocks[%d])",
    [DO_TIMEDRDLOCK] = "pthread_rwlock_timedrdlock(&rwlocks[%d], &past)",
    [DO_TIMEDWRLOCK] = "pthread_rwlock_timedwrlock(&rwlocks[%d], &past)",
    [DO_RWUNLOCK] = "pthread_rwlock_unlock(&rwlocks[%d])",
    [DO_SPIN_LOCK] = "pthread_spin_lock(&spin + %d)",
    [DO_SPIN_TRYLOCK] = "pthread_spin_trylock(&spin + %d)",
    [DO_SPIN_UNLOCK] = "pthread_spin_unlock(&spin + %d)",
    [DO_WAIT] = "pthread_cond_wait(&conds[%d], &mutexes[%d])",
    [DO_TIMEDWAIT] = "pthread_cond_timedwait(&conds[%d], &mutexes[%d], &past)",
    [DO_SEM_WAIT] = "errno_of(sem_wait(&semaphores[%d]))",
    [DO_SEM_TRYWAIT] = "errno_of(sem_trywait(&semaphores[%d]))",
    [DO_SEM_TIMEDWAIT] = "errno_of(sem_timedwait(&semaphores[%d], &past))",
    [DO_SEM_GETVALUE] = "value_of(&semaphores[%d])",
    [DO_RECEIVE] = "(uintptr_t)heddle_receive(&mailbox + %d)",
    [DO_RECEIVE_ODD] = "(uintptr_t)heddle_receive_if(&mailbox + %d, is_odd, NULL)",
    [DO_TRY_RECEIVE] = "try_receive()",
};

static void put_futex(int task, const struct instruction *at, FILE *out) {
    bool wakes = at->kind == DO_FUTEX_WAKE;
    fprintf(out, "r = see(%d, count_or_errno(futex(&", task);
    put_place(at, "cells", out);
    fprintf(out, ", FUTEX_%s%s, 0x%llx, %s, 0x%llx)));", wakes ? "WAKE" : "WAIT",
            at->other != 0 ? "_BITSET" : "",
            wakes ? (unsigned long long)at->count : (unsigned long long)at->value,
            at->kind == DO_FUTEX_TIMEDWAIT ? "&past" : "NULL", (unsigned long long)at->other);
}

static void put_join(int task, const struct instruction *at, FILE *out) {
    const char *name = at->kind == DO_JOIN      ? "pthread_join"
                       : at->kind == DO_TRYJOIN ? "pthread_tryjoin_np"
                                                : "pthread_timedjoin_np";
    fprintf(out, "{ void *result = NULL; int error = %s(threads[%d], &result%s); ", name,
            at->object, at->kind == DO_TIMEDJOIN ? ", &past" : "");
    fprintf(out, "r = after_join(%d, %d, error, result); }", task, at->object);
}

static void put_push(const struct instruction *at, FILE *out) {
    fprintf(out, "pthread_cleanup_push(cleanup, ");
    if (at->count == NO_MUTEX)
        fprintf(out, "NULL");
    else
        fprintf(out, "&mutexes[%d]", at->count);
    fprintf(out, ");");
}

static void put_thread(const struct program *program, int task, const struct instruction *at,
                       FILE *out) {
    unsigned long long seed = program->seed;
    switch ((enum kind)at->kind) {
    case DO_CREATE:
        fprintf(out, "create(%d, task_%llu_%d, %d);", at->object, seed, at->object,
                program->detached[at->object]);
        break;
    case DO_JOIN:
    case DO_TRYJOIN:
    case DO_TIMEDJOIN: put_join(task, at, out); break;
    case DO_DETACH: fprintf(out, "pthread_detach(threads[%d]);", at->object); break;
    case DO_CANCEL: fprintf(out, "pthread_cancel(threads[%d]);", at->object); break;
    case DO_TESTCANCEL: fprintf(out, "pthread_testcancel();"); break;
    case DO_CANCEL_OFF:
        fprintf(out, "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);");
        break;
    case DO_CANCEL_ON: fprintf(out, "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);"); break;
    case DO_CLEANUP_PUSH: put_push(at, out); break;
    case DO_CLEANUP_POP: fprintf(out, "pthread_cleanup_pop(%d);", at->count); break;
    case DO_MAIN_EXIT: /* separate, because the last thread to end then ends the program */
    case DO_THREAD_EXIT: fprintf(out, "pthread_exit(NULL);"); break;
    case DO_EXIT: fprintf(out, "set_leaver(%d); exit(0);", task); break;
    default: break;
    }
}

static void put_other(int task, const struct instruction *at, FILE *out) {
    unsigned long long value = at->value;
    switch ((enum kind)at->kind) {
    case DO_SIGNAL: fprintf(out, "pthread_cond_signal(&conds[%d]);", at->object); break;
    case DO_BROADCAST: fprintf(out, "pthread_cond_broadcast(&conds[%d]);", at->object); break;
    case DO_SEM_POST: fprintf(out, "sem_post(&semaphores[%d]);", at->object); break;
    case DO_BARRIER: fprintf(out, "pthread_barrier_wait(&barrier);"); break;
    case DO_ONCE: fprintf(out, "pthread_once(&onces[%d], once_routine);", at->object); break;
    case DO_CHOOSE:
        fprintf(out, "r = see(%d, (uint64_t)heddle_choose(%d));", task, at->count);
        break;
    case DO_ASSUME: fprintf(out, "heddle_assume(r != 0x%llx);", value); break;
    case DO_ASSERT: fprintf(out, "check(%d, r == 0x%llx);", at->count, value); break;
    case DO_SEND: fprintf(out, "heddle_send(&mailbox, (void *)%llu);", value); break;
    case DO_KEY: fprintf(out, "pthread_setspecific(key, &key);"); break;
    case DO_YIELD: fprintf(out, "sched_yield();"); break;
    case DO_SLEEP: fprintf(out, "usleep(10);"); break;
    case DO_SECTION_BEGIN: fprintf(out, "heddle_atomic_begin();"); break;
    case DO_SECTION_END: fprintf(out, "heddle_atomic_end();"); break;
    case DO_IF_ZERO: fprintf(out, "if (r == 0) {"); break;
    case DO_IF_NONZERO: fprintf(out, "if (r != 0) {"); break;
    case DO_PUBLISH: fprintf(out, "atomic_store(&published[%d], log_of(%d));", task, task); break;
    default: break;
    }
}

static void put_instruction(const struct program *program, int task, const struct instruction *at,
                            FILE *out) {
    fprintf(out, "    ");
    if (at->kind <= DO_VOLATILE_WRITE) {
        put_memory(task, at, out);
    } else if (at->kind >= DO_FUTEX_WAIT && at->kind <= DO_FUTEX_WAKE) {
        put_futex(task, at, out);
    } else if (calls[at->kind] != NULL) {
        fprintf(out, "r = see(%d, (uint64_t)", task);
        fprintf(out, calls[at->kind], at->object, at->count);
        fprintf(out, ");");
    } else {
        put_thread(program, task, at, out);
        put_other(task, at, out);
    }
}

static void put_task(const struct program *program, int task, FILE *out) {
    int closes[CODE_MAX + 1] = {0};
    fprintf(out, "    uint64_t r = 0;\n    (void)r;\n    enter(%d);\n", task);
    for (int i = 0; i < program->length[task]; i++) {
        const struct instruction *at = &program->code[task][i];
        put_instruction(program, task, at, out);
        if (at->kind == DO_IF_ZERO || at->kind == DO_IF_NONZERO)
            closes[i + at->count]++;
        while (closes[i]-- > 0)
            fprintf(out, " }");
        fprintf(out, "\n");
    }
}

void emit(const struct program *program, FILE *out) {
    unsigned long long seed = program->seed;
    for (int task = program->tasks - 1; task > 0; task--) {
        fprintf(out, "\nstatic void *task_%llu_%d(void *unused) {\n    (void)unused;\n", seed,
                task);
        put_task(program, task, out);
        fprintf(out, "    return NULL;\n}\n");
    }
    fprintf(out, "\nstatic void main_%llu(void) {\n    initialise(%d, %d, %d, %d);\n", seed,
            program->tasks, program->semaphore_value[0], program->semaphore_value[1],
            program->barrier_count);
    for (int task = 2; task < program->tasks; task++)
        if (program->parent[task] != 0)
            fprintf(out, "    set_parent(%d, %d);\n", task, program->parent[task]);
    put_task(program, 0, out);
    fprintf(out, "    set_leaver(0);\n}\n");
}

void emit_all(uint64_t first, uint64_t count, FILE *out) {
    struct program program;
    fprintf(out, "#include \"prelude.h\"\n");
    for (uint64_t seed = first; seed < first + count; seed++) {
        generate(&program, seed);
        emit(&program, out);
    }
    fprintf(out, "\nint main(int argc, char **argv) {\n    switch (argc > 1 ? strtoull(argv[1], "
                 "NULL, 10) : 0) {\n");
    for (uint64_t seed = first; seed < first + count; seed++)
        fprintf(out, "    case %llu: main_%llu(); return 0;\n", (unsigned long long)seed,
                (unsigned long long)seed);
    fprintf(out, "    }\n    return 2;\n}\n");
}
