/* trial.c - see trial.h.
 *
 * The copy is a fork. It makes its view of the session private, so nothing that it does reaches the
 * search. It has a host of its own, which records nothing. The value is written to the memory of
 * the copy, where the look then finds it. The result comes back through a page that both processes
 * share.
 *
 * In the copy, plain accesses are operations, so the trial sees each of them. It ends at the first
 * operation that is not part of a round: a look at the same bytes, a plain read, a plain write of
 * the value that was there, a fence, a sleep, or giving way to other tasks. It also ends when the
 * last value makes the task go round.
 *
 * If the task went elsewhere, the digest is that of the first operation behind the last look, also
 * if this is a plain access: the frames and registers of the task, and what the operation is. A value
 * that the task has read and can still use is in one of these. From there on, equal states behave
 * in the same way, whatever is in the memory. */
#define _GNU_SOURCE
#include "substrates/native/tasks/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/bytes.h"
#include "base/check.h"
#include "base/hash_table.h"
#include "engine/session.h"
#include "engine/system.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/native.h"
#include "substrates/native/runtime.h"
#include "substrates/native/tasks/fiber.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/spin.h"

enum {
    STATES = 3, /* of a round */
    SECONDS = 1,
    EFFECTS_OF_WRITE = 2, /* plain.c counts one for the operation, and one for the access */
    WRITE_SIZE = 16,
};

bool trial_on;

static struct trial_result *shared; /* the page of the result */

/* In the copy. */
static struct {
    struct op look, write;
    uint64_t effects; /* of the task before the first look */
    struct trial_values values;
    uint32_t now;            /* the value that is read now */
    uint64_t states[STATES]; /* in which the task came to a look at that value */
    uint64_t pcs[STATES];    /* and where */
    uint32_t state_count;
    uint64_t start;    /* the state before the first look */
    uint64_t waits_at; /* where the task looks again and again, as long as the first value stays */
    bool writes;       /* a plain write is under way */
    unsigned char replaced[WRITE_SIZE]; /* by that write */
    uint64_t behind; /* digest of the first operation behind the last look; 0: none yet */
} trial;

/* --- the end -------------------------------------------------------------------------------- */

static _Noreturn void end(enum trial_end how, uint64_t digest) {
    shared->digest = digest;
    shared->end = how;
    for (;;)
        native_syscall(SYS_exit_group, 0);
}

_Noreturn void trial_leaves(void) {
    const struct task *task = rt.current;
    if (task == NULL || task->state != TASK_ENDED)
        end(TRIAL_FAILED, 0);
    uint64_t result = (uint64_t)task->thread.result;
    end(TRIAL_ELSEWHERE, trial.behind != 0 ? trial.behind : hash_mix(task->id, result));
}

static uint64_t digest_of(const struct task *task) {
    const struct op *op = &task->op;
    uint64_t state = spin_digest(task);
    if (state == 0)
        end(TRIAL_FAILED, 0);
    uint64_t digest = hash_mix(state, (uint64_t)op->kind << 32 | op->order << 16 | op->size);
    digest = hash_mix(hash_mix(digest, op->object), op->object2);
    digest = hash_mix(hash_mix(digest, op->value), op->target);
    return hash_mix(hash_mix(digest, op->pc), task->effects - trial.effects);
}

/* --- what the engine would be told ------------------------------------------------------------ */

static struct event *trial_event(struct host *host, uint32_t task, const struct op *op) {
    static struct event event;
    (void)host;
    event = (struct event){.op = *op, .task = task};
    return &event;
}

static void trial_happened(struct host *host, struct event *event) {
    (void)host, (void)event;
}

static void trial_access(struct host *host, uint32_t task, uint64_t address, uint32_t size,
                         enum plain_access what, uint64_t pc) {
    (void)host, (void)task, (void)address, (void)size, (void)what, (void)pc;
}

static uint32_t trial_choose(struct host *host, enum choice_tag tag, uint32_t task,
                             uint32_t count) {
    (void)host, (void)tag, (void)task, (void)count;
    trial_leaves();
}

static void trial_found(struct host *host, const struct finding *finding) {
    (void)host, (void)finding;
    trial_leaves();
}

static void trial_expect(struct host *host, const struct fingerprint *state) {
    (void)host, (void)state;
}

static uint32_t trial_next(struct host *host, const struct pending *alone) {
    (void)host, (void)alone;
    trial_leaves();
}

static const struct host_ops trial_ops = {
    .choose = trial_choose,
    .event = trial_event,
    .happened = trial_happened,
    .access = trial_access,
    .found = trial_found,
    .expect = trial_expect,
    .next = trial_next,
};

/* --- the copy --------------------------------------------------------------------------------- */

/* The standard output of the copy has no reader. */
static void hush(void) {
    long nothing = native_syscall(SYS_open, "/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0)
        end(TRIAL_FAILED, 0);
    native_syscall(SYS_dup2, nothing, 1);
    native_syscall(SYS_dup2, nothing, 2);
}

static void become_copy(const struct task *task, const struct trial_values *values) {
    const struct rlimit limit = {SECONDS, SECONDS};
    native_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    native_syscall(SYS_prlimit64, 0, RLIMIT_CPU, &limit, NULL);
    trial_on = true;
    rt.current = NULL; /* so that our own calls are not the program's */
    trial.look = task->op;
    trial.effects = task->effects;
    trial.values = *values;
    hush();
    if (!session_leave(rt.session))
        end(TRIAL_FAILED, 0);
    rt.host->ops = &trial_ops;
    live_tasks.concurrent = plain_accesses.explored = true;
}

/* The task comes to a look at the same bytes, and has changed nothing since the first one. */
static bool is_look(const struct task *task) {
    const struct op *op = &task->op;
    return (op->kind == OP_LOAD || op->kind == OP_RMW || op->kind == OP_CAS) &&
           op->object == trial.look.object && op->size == trial.look.size &&
           task->effects == trial.effects &&
           (trial.state_count == 0 ||
            memcmp((const void *)op->object, &trial.values.list[trial.now], op->size) == 0);
}

static _Noreturn void end_round(uint64_t state) {
    shared->from_start = trial.now == 0 && trial.state_count == 1;
    end(TRIAL_RETURNED, state);
}

static bool is_known_state(uint64_t state) {
    for (uint32_t i = 0; i < trial.state_count; i++)
        if (trial.states[i] == state)
            return true;
    return false;
}

/* Each look of a round that waits leads to itself, but for the mark of the value; or to a look
 * elsewhere, which does. On any other way round, the task could leave the loop at a look that the
 * trial makes with one value only. */
static bool is_regular(uint64_t state, uint64_t pc) {
    uint32_t count = trial.state_count;
    if (is_known_state(state) || count == STATES)
        return false;
    return count < 2 || (trial.pcs[1] == pc && trial.pcs[0] != pc);
}

/* The round goes on at a look elsewhere in the program. The second value has made the task come back
 * to the first look: then the round had no effect if the state is the first one again. */
static bool comes_back(const struct task *task, uint64_t state) {
    if (trial.now == 0 || trial.waits_at == trial.look.pc || task->op.pc != trial.look.pc)
        return false;
    if (state == trial.start)
        end(TRIAL_BACK, 0);
    if (trial.now + 1 == trial.values.count)
        end(TRIAL_BACK_MARKED, 0);
    return true;
}

/* Returns when the look is to happen. */
static void come_to_look(const struct task *task) {
    uint64_t state = digest_of(task);
    bool same = trial.state_count > 0 && trial.states[trial.state_count - 1] == state;
    bool changes = (trial.values.at_once && trial.now == 0 && trial.state_count == 1) ||
                   comes_back(task, state);
    if (!same && !changes && !is_regular(state, task->op.pc))
        trial_leaves();
    if (same && trial.now + 1 == trial.values.count)
        end_round(state);
    if (same || changes) {
        trial.now++;
        trial.state_count = 0;
        trial.waits_at = task->op.pc;
    }
    if (trial.state_count == 0 && trial.now == 0)
        trial.start = state;
    trial.pcs[trial.state_count] = task->op.pc;
    trial.states[trial.state_count++] = state;
    trial.behind = 0;
    bytes_copy((void *)task->op.object, &trial.values.list[trial.now], task->op.size);
}

/* Notes a plain access for the result. The look itself may be among them. */
static void note_access(const struct op *op) {
    const struct look_access access = {op->object, op->pc, op->size,
                                       .write = op->kind == OP_PLAIN_WRITE};
    for (uint32_t i = 0; i < shared->access_count; i++)
        if (shared->accesses[i].address == access.address &&
            shared->accesses[i].size == access.size && shared->accesses[i].write == access.write)
            return;
    if (shared->access_count == LOOK_ACCESSES)
        shared->more_accesses = true;
    else
        shared->accesses[shared->access_count++] = access;
}

/* The program makes the write itself, right after this call. */
static void begin_write(const struct op *op) {
    if (op->size > WRITE_SIZE)
        end(TRIAL_ELSEWHERE, trial.behind);
    trial.writes = true;
    trial.write = *op;
    bytes_copy(trial.replaced, (const void *)op->object, op->size);
}

/* A write of the value that was there is no effect. */
static void finish_write(void) {
    if (!trial.writes)
        return;
    trial.writes = false;
    if (memcmp((const void *)trial.write.object, trial.replaced, trial.write.size) != 0)
        end(TRIAL_ELSEWHERE, trial.behind);
    trial.effects += EFFECTS_OF_WRITE;
}

static bool is_plain(const struct op *op) {
    return op->kind == OP_PLAIN_READ || op->kind == OP_PLAIN_WRITE;
}

struct event *trial_performs(struct task *task) {
    const struct op *op = &task->op;
    finish_write();
    if (op->kind == OP_FENCE)
        shared->fenced |= op->order != ORDER_RELEASE && op->order != ORDER_RELAXED;
    if (is_look(task)) {
        come_to_look(task);
    } else if (op->kind != OP_YIELD && op->kind != OP_SLEEP && op->kind != OP_FENCE) {
        if (trial.behind == 0)
            trial.behind = digest_of(task);
        if (!is_plain(op))
            end(TRIAL_ELSEWHERE, trial.behind);
        note_access(op);
        if (op->kind == OP_PLAIN_WRITE)
            begin_write(op);
    }
    return begin_event(task);
}

/* --- the original ----------------------------------------------------------------------------- */

static void make_page(void) {
    if (shared != NULL)
        return;
    long page = native_syscall(SYS_mmap, TRIAL_PAGE, PAGE, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK((uint64_t)page == TRIAL_PAGE);
    shared = (struct trial_result *)page;
}

struct trial_result trial_run(struct task *task, const struct trial_values *values) {
    struct task *running = rt.current;
    make_page();
    *shared = (struct trial_result){.end = TRIAL_DIED};
    long copy = native_syscall(SYS_clone, 0, 0, 0, 0, 0);
    if (copy == 0) {
        become_copy(task, values);
        rt.current = running;
        if (running == NULL)
            fiber_try(task);
    } else if (copy > 0) {
        while (native_syscall(SYS_wait4, copy, NULL, __WALL, NULL) == -EINTR)
            ;
    }
    return *shared;
}
