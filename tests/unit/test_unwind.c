/* test_unwind.c - stacks found by .eh_frame. They must have the same frames as libgcc's unwinder
 * finds, through all kinds of functions, through the C library and through a signal. Damaged
 * tables, stacks and registers must do no harm. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unwind.h>

#include "base/random.h"
#include "base/unwind/module.h"
#include "base/unwind/unwind.h"

enum { FRAMES_MAX = 64, PAGE_SIZE = 4096 };

static struct unwind tables;

struct places {
    uint64_t pcs[FRAMES_MAX];
    uint32_t count;
};

/* --- this process --- */

static int add_module(struct dl_phdr_info *info, size_t size, void *unused) {
    struct unwind_module module = unwind_module_of(info);
    (void)size, (void)unused;
    unwind_add(&tables, &module);
    return 0;
}

static int read_tables(void **state) {
    (void)state;
    dl_iterate_phdr(add_module, NULL);
    return 0;
}

static void stack_range(uint64_t *low, uint64_t *high) {
    pthread_attr_t attributes;
    void *start;
    size_t size;
    assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    *low = (uint64_t)start;
    *high = (uint64_t)start + size;
}

static struct unwind_frame frame_of(const ucontext_t *context) {
    const greg_t *registers = context->uc_mcontext.gregs;
    struct unwind_frame frame = {.interrupted = true};
    frame.registers[UNWIND_RBX] = (uint64_t)registers[REG_RBX];
    frame.registers[UNWIND_RBP] = (uint64_t)registers[REG_RBP];
    frame.registers[UNWIND_RSP] = (uint64_t)registers[REG_RSP];
    frame.registers[UNWIND_R12] = (uint64_t)registers[REG_R12];
    frame.registers[UNWIND_R13] = (uint64_t)registers[REG_R13];
    frame.registers[UNWIND_R14] = (uint64_t)registers[REG_R14];
    frame.registers[UNWIND_R15] = (uint64_t)registers[REG_R15];
    frame.registers[UNWIND_RIP] = (uint64_t)registers[REG_RIP];
    return frame;
}

static void walk(struct unwind_frame frame, struct places *places) {
    uint64_t low, high;
    stack_range(&low, &high);
    while (places->count < FRAMES_MAX && unwind_up(&tables, &frame, low, high))
        places->pcs[places->count++] = frame.registers[UNWIND_RIP];
}

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *argument) {
    struct places *places = argument;
    if (places->count < FRAMES_MAX && _Unwind_GetIP(context) != 0)
        places->pcs[places->count++] = _Unwind_GetIP(context);
    return _URC_NO_REASON;
}

static volatile uint32_t
    compared; /* the number of stacks compared, so that no test passes without comparing one */

/* Our stack begins with the caller of this function, libgcc's with the function itself. */
static __attribute__((noinline)) void compare(void) {
    struct places ours = {.count = 0}, theirs = {.count = 0};
    ucontext_t context;
    getcontext(&context);
    walk(frame_of(&context), &ours);
    _Unwind_Backtrace(add_frame, &theirs);
    assert_in_range(ours.count, 3, FRAMES_MAX - 1);
    assert_int_equal(theirs.count, ours.count + 1);
    for (uint32_t i = 0; i < ours.count; i++)
        assert_int_equal(ours.pcs[i], theirs.pcs[i + 1]);
    compared++;
}

/* --- functions of all kinds --- */

static volatile int sink;

static __attribute__((noinline)) void plain_function(void) {
    compare();
    sink++;
}

static __attribute__((noinline)) void variable_frame(size_t size) {
    char *room = alloca(size);
    memset(room, 1, size);
    plain_function();
    sink += room[0];
}

/* The stack is realigned, so the table describes the end of the frame by an expression. */
static __attribute__((noinline)) void realigned_frame(size_t size) {
    _Alignas(128) char aligned[256];
    memset(aligned, 2, sizeof aligned);
    variable_frame(size);
    char *room = alloca(size);
    memset(room, 3, size);
    variable_frame(size + 48);
    sink += aligned[0] + room[0];
}

static int by_callback(const void *a, const void *b) {
    realigned_frame(24);
    return *(const int *)a - *(const int *)b;
}

static __attribute__((noinline)) void through_library(void) {
    int numbers[] = {3, 1, 2};
    qsort(numbers, 3, sizeof numbers[0], by_callback);
    sink += numbers[0];
}

static void on_signal(int signal) {
    (void)signal;
    through_library();
}

static void test_functions(void **state) {
    (void)state;
    plain_function();
    variable_frame(100);
    realigned_frame(16);
    through_library();
}

static void test_signal(void **state) {
    (void)state;
    compared = 0;
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    signal(SIGUSR1, SIG_DFL);
    assert_true(compared > 0);
}

static void *in_thread(void *unused) {
    through_library();
    return unused;
}

static void test_thread(void **state) {
    pthread_t thread;
    (void)state;
    compared = 0;
    assert_int_equal(pthread_create(&thread, NULL, in_thread, NULL), 0);
    pthread_join(thread, NULL);
    assert_true(compared > 0);
}

/* --- damage --- */

/* A range of memory between two pages that cannot be accessed. */
static char *guarded(size_t size) {
    size_t pages = (size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
    char *memory = mmap(NULL, pages + 2 * PAGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(mprotect(memory + PAGE_SIZE, pages, PROT_READ | PROT_WRITE), 0);
    return memory + PAGE_SIZE + (pages - size);
}

static void free_guarded(char *at, size_t size) {
    size_t pages = (size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
    munmap(at + size - pages - PAGE_SIZE, pages + 2 * PAGE_SIZE);
}

/* A word for a damaged stack: an address of code, an address of the stack, or any number. */
static uint64_t draw_word(struct random *random, const struct unwind_module *module, uint64_t low,
                          uint64_t high) {
    switch (random_below(random, 3)) {
    case 0: return module->code_start + random_below(random, module->code_end - module->code_start);
    case 1: return low + random_below(random, high - low);
    default: return random_next(random);
    }
}

static void walk_damaged(struct random *random, const struct unwind_module *module) {
    enum { WORDS = 512 };
    static struct unwind damaged; /* built anew each time, because the tables change */
    size_t bytes = WORDS * sizeof(uint64_t);
    char *stack = guarded(bytes);
    uint64_t low = (uint64_t)stack, high = low + bytes;
    memset(&damaged, 0, sizeof damaged);
    unwind_add(&damaged, module);
    for (uint32_t i = 0; i < WORDS; i++)
        ((uint64_t *)stack)[i] = draw_word(random, module, low, high);
    struct unwind_frame frame = {.interrupted = random_below(random, 2)};
    for (uint32_t i = 0; i < UNWIND_REGISTERS; i++)
        frame.registers[i] = draw_word(random, module, low, high);
    frame.registers[UNWIND_RIP] =
        module->code_start + random_below(random, module->code_end - module->code_start);
    frame.registers[UNWIND_RSP] = low + random_below(random, 64) * 8;
    uint64_t before = frame.registers[UNWIND_RSP];
    while (unwind_up(&damaged, &frame, low,
                     high)) { /* each frame is above the last, so the loop ends */
        assert_true(frame.registers[UNWIND_RSP] > before && frame.registers[UNWIND_RSP] <= high);
        before = frame.registers[UNWIND_RSP];
    }
    free_guarded(stack, bytes);
}

/* As long as the copy is not damaged, it must say the same as the original. */
static void check_copy(const struct unwind_module *original, const struct unwind_module *copy,
                       uint64_t moved) {
    uint32_t found = 0;
    for (uint64_t place = original->code_start; place < original->code_end; place += 16) {
        struct unwind_entry here = {0}, there = {0};
        bool known = unwind_find(original, place, &here);
        assert_int_equal(known, unwind_find(copy, place + moved, &there));
        assert_true(!known || (here.start + moved == there.start && here.size == there.size));
        found += known;
    }
    assert_true(found > 0);
}

/* Damages a copy of the module's tables more and more. The tables use relative addresses, so a
 * copy describes code that is moved by the same distance. The tables are the last part of their
 * segment. */
static void damage_module(const struct unwind_module *original, struct random *random) {
    enum { ROUNDS = 3000, PERIOD = 50 };
    size_t used = original->end - original->index, size = (used + 7) & ~(size_t)7;
    char *copy = guarded(size);
    uint64_t moved = (uint64_t)copy - original->index;
    struct unwind_module module = {
        .code_start = original->code_start + moved,
        .code_end = original->code_end + moved,
        .index = original->index + moved,
        .start = original->index + moved,
        .end = original->index + moved + size,
    };
    memcpy(copy, (const void *)original->index, used);
    check_copy(original, &module, moved);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (round % PERIOD == 0)
            memcpy(copy, (const void *)original->index, used);
        uint64_t damage =
            round % PERIOD * used / 20000; /* up to about a twentieth of the bytes per round */
        for (uint64_t i = 0; i <= damage; i++)
            copy[random_below(random, used)] = (char)random_next(random);
        for (uint32_t i = 0; i < 8; i++)
            walk_damaged(random, &module);
    }
    free_guarded(copy, size);
}

static void test_damage(void **state) {
    struct random random;
    (void)state;
    random_seed(&random, 11);
    for (uint32_t i = 0; i < tables.module_count; i++)
        if (tables.modules[i].index != 0)
            damage_module(&tables.modules[i], &random);
}

/* The index is cut off, or claims more entries than there are. */
static void test_short(void **state) {
    struct random random;
    (void)state;
    random_seed(&random, 12);
    const struct unwind_module *module = &tables.modules[0];
    for (uint64_t end = module->index; end < module->index + 200; end++) {
        struct unwind_module cut = *module;
        cut.end = end;
        for (uint32_t i = 0; i < 20; i++)
            walk_damaged(&random, &cut);
    }
}

/* Without tables there is no frame above, and the frame stays as it is. */
static void test_no_tables(void **state) {
    static struct unwind none;
    struct unwind_frame frame = {.registers[UNWIND_RIP] = (uint64_t)&test_no_tables};
    uint64_t low, high;
    (void)state;
    stack_range(&low, &high);
    frame.registers[UNWIND_RSP] = (uint64_t)&low & ~(uint64_t)7;
    struct unwind_frame before = frame;
    assert_false(unwind_up(&none, &frame, low, high));
    struct unwind_module module = tables.modules[0];
    module.index = 0;
    unwind_add(&none, &module);
    assert_false(unwind_up(&none, &frame, low, high));
    assert_memory_equal(&before, &frame, sizeof frame);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_signal),
        cmocka_unit_test(test_thread),    cmocka_unit_test(test_damage),
        cmocka_unit_test(test_short),     cmocka_unit_test(test_no_tables),
    };
    return cmocka_run_group_tests(tests, read_tables, NULL);
}
