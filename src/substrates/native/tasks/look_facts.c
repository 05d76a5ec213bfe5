/* look_facts.c - see look_facts.h.
 *
 * A trial makes the round in a copy of the process (trial.h). Its result depends on the number of
 * the look (the place, the operation, the frames and registers of the task), on the value, and on
 * the memory that the round accesses. The path to the first access is decided by the number and the
 * value, so the first access is the same each time; with the same content there, so is the second
 * one; and so on. A fact lists the accesses that the trial has made. If their memory has the same
 * content again, the answer is the same. A round with more accesses than a fact can list is taken to
 * pass: then it is an ordinary round.
 *
 * The result of a failed look can stay in a register or a stack slot (code without optimisation
 * keeps it in a temporary). Such a *mark* does no harm if it is gone after the next value, whichever
 * that is. To find this out, one trial reads the value alone, and another one reads the two values
 * in a row: both must come to the same state. If the two values have led back to the look, with the
 * mark, the same must hold for each third value. Such a round must not access memory, which could
 * be different for the second value and for the third one. The memory that a round accesses is the same in both.
 * This is no restriction: in a program without data races, nothing that a failed round reads can
 * change before the task has done something that orders the change behind the round. A failed load
 * or compare-exchange orders nothing behind it; a failed exchange may, so a mark and an access
 * together are too much there. */
#include "substrates/native/tasks/look_facts.h"

#include <string.h>

#include "base/bytes.h"
#include "engine/looks.h"
#include "engine/session.h"
#include "event/op_kind.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/runtime.h"
#include "substrates/native/tasks/spin.h"
#include "substrates/native/tasks/task.h"
#include "substrates/native/tasks/trial.h"

enum {
    TRIALS = 20000, /* of a search */
    CONTENTS = 32,  /* for which a question is answered: more would cost a trial at each look */
};

#define CONTENT 0x8ebc6af09c88c6e3u /* of no memory */

static struct looks *looks(void) {
    return rt.session->live.looks;
}

static uint64_t value_at(uint64_t address, uint32_t size) {
    uint64_t value = 0;
    bytes_copy(&value, (const void *)address, size);
    return value;
}

uint64_t look_value(const struct task *task) {
    return value_at(task->op.object, task->op.size);
}

/* --- numbers ---------------------------------------------------------------------------------- */

bool look_identify(struct task *task) {
    struct look *look = task->polling.look;
    const struct op *op = &task->op;
    uint64_t state = spin_digest(task);
    look->number = 0;
    if (state == 0)
        return false;
    uint64_t digest = hash_mix(hash_mix(state, look->place),
                               (uint64_t)task->id << 32 | op->kind << 16 | op->size);
    look->number = looks_number(looks(), hash_mix(hash_mix(digest, op->object), op->value));
    return look->number <= LOOKS_MAX;
}

/* --- trials ----------------------------------------------------------------------------------- */

/* A copy that dies may have taken too long. This depends on the machine, so it must not decide. */
static struct trial_result try_values(struct task *task, const struct trial_values *values) {
    struct trial_result result = {.end = TRIAL_DIED};
    if (looks()->trials < TRIALS) {
        looks()->trials++;
        result = trial_run(task, values);
    }
    if (!trial_on && result.end == TRIAL_DIED && task->polling.look != NULL)
        task->polling.look->too_much = true;
    return result;
}

static struct trial_result try_value(struct task *task, uint64_t value) {
    const struct trial_values values = {.list = {value}, .count = 1};
    return try_values(task, &values);
}

bool look_goes_round(struct task *task, uint64_t value) {
    return try_value(task, value).end == TRIAL_RETURNED;
}

/* Memory of the heap may have been freed since the accesses were noted. */
static uint64_t content_of(const struct look_access *accesses, uint32_t count) {
    uint64_t digest = CONTENT;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t address = accesses[i].address;
        uint32_t size = accesses[i].size;
        if (in_heap(address) && !heap_is_live(address, size))
            return 0;
        for (uint32_t at = 0; at < size; at += sizeof(uint64_t)) {
            uint32_t left = size - at;
            digest = hash_mix(digest, value_at(address + at, left < 8 ? left : 8));
        }
    }
    return digest | 1;
}

/* --- facts ------------------------------------------------------------------------------------ */

static struct look_fact find_out(struct task *task, uint64_t value) {
    struct trial_result result = try_value(task, value);
    struct look_fact fact = {
        .answer = LOOK_PASSES, .access_count = result.access_count, .fenced = result.fenced};
    if (trial_on)
        return fact;
    memcpy(fact.accesses, result.accesses, sizeof fact.accesses);
    fact.content = content_of(fact.accesses, fact.access_count);
    if (result.end == TRIAL_RETURNED && !result.more_accesses)
        fact.answer = result.from_start ? LOOK_WAITS : LOOK_WAITS_MARKED;
    return fact;
}

const struct look_fact *look_fact_for(struct task *task, uint64_t value) {
    uint64_t question = looks_of_value(task->polling.look->number, value);
    const struct look_fact *fact = looks_fact(looks(), question);
    uint32_t contents = 0;
    for (; fact != NULL; fact = looks_next(looks(), fact), contents++)
        if (content_of(fact->accesses, fact->access_count) == fact->content)
            return fact;
    if (contents == CONTENTS)
        task->polling.look->too_much = true;
    struct look_fact found = find_out(task, value);
    return trial_on ? NULL : looks_learn(looks(), question, &found);
}

/* --- marks ------------------------------------------------------------------------------------ */

static uint64_t content_for(const struct look_fact *fact) {
    return look_waits(fact->answer) ? fact->content : 0;
}

/* What a pair of values, or three, come to, compared with the last one alone. */
static enum look_answer compare(struct task *task, const struct trial_values *values,
                                const struct trial_result *alone) {
    struct trial_result all = try_values(task, values);
    if (all.end == TRIAL_BACK_MARKED)
        return all.access_count > 0 ? LOOK_REMEMBERS_MARK : LOOK_KEEPS_MARK;
    bool alike = alone->end == all.end && all.end > TRIAL_FAILED && alone->digest == all.digest;
    return alike || all.end == TRIAL_BACK ? LOOK_FORGETS_MARK : LOOK_REMEMBERS_MARK;
}

/* The second value can come at once or later. The worse answer counts. */
static enum look_answer compare_both(struct task *task, struct trial_values values) {
    struct trial_result alone = try_value(task, values.list[values.count - 1]);
    if (trial_on)
        return LOOK_UNKNOWN;
    enum look_answer later = compare(task, &values, &alone);
    if (trial_on || later == LOOK_REMEMBERS_MARK)
        return later;
    values.at_once = true;
    enum look_answer at_once = compare(task, &values, &alone);
    return at_once == LOOK_FORGETS_MARK ? later : at_once;
}

static enum look_answer answer_to(struct task *task, uint64_t question,
                                  const struct trial_values *values) {
    const struct look_fact *known = looks_fact(looks(), question);
    if (known != NULL)
        return known->answer;
    struct look_fact fact = {.answer = compare_both(task, *values)};
    return trial_on ? LOOK_UNKNOWN : looks_learn(looks(), question, &fact)->answer;
}

/* What may have been read in vain, before the task passes. */
struct read_in_vain {
    uint64_t first; /* the value that has left a mark */
    uint64_t content;
    const uint64_t *values; /* that may have come in between */
    uint32_t count;
    uint64_t now; /* the last one */
};

static bool forgets_third(struct task *task, const struct read_in_vain *vain, uint64_t pair,
                          uint64_t second, uint64_t third) {
    const struct look_fact *of_third = look_fact_for(task, third);
    const struct trial_values values = {.list = {vain->first, second, third}, .count = 3};
    if (trial_on)
        return true;
    uint64_t question = looks_of_triple(pair, third, content_for(of_third));
    return answer_to(task, question, &values) == LOOK_FORGETS_MARK || trial_on;
}

/* The task comes back to the look with the mark. Any value may follow, also the first one. */
static bool forgets_later(struct task *task, const struct read_in_vain *vain, uint64_t pair,
                          uint64_t second) {
    for (uint32_t i = 0; i < vain->count && !trial_on; i++)
        if (!forgets_third(task, vain, pair, second, vain->values[i]))
            return false;
    return trial_on || forgets_third(task, vain, pair, second, vain->now);
}

/* The second value leads to the same state, whether the first one was read before it or not. */
static bool forgets(struct task *task, const struct read_in_vain *vain, uint64_t second) {
    const struct look_fact *of_second = look_fact_for(task, second);
    const struct trial_values values = {.list = {vain->first, second}, .count = 2};
    if (trial_on)
        return true;
    uint64_t pair = looks_of_pair(task->polling.look->number, vain->first, second,
                                  hash_mix(vain->content, content_for(of_second)));
    enum look_answer answer = answer_to(task, pair, &values);
    if (trial_on || answer == LOOK_FORGETS_MARK)
        return true;
    return answer == LOOK_KEEPS_MARK && forgets_later(task, vain, pair, second);
}

bool look_leaves_no_mark(struct task *task, uint64_t first, uint64_t now, const uint64_t *values,
                         uint32_t count) {
    const struct look_fact *found = look_fact_for(task, first);
    if (found == NULL || found->answer != LOOK_WAITS_MARKED)
        return true;
    if (found->access_count > 0 && task->op.kind == OP_RMW)
        return false;
    const struct read_in_vain vain = {first, content_for(found), values, count, now};
    for (uint32_t i = 0; i < count && !trial_on; i++)
        if (values[i] != first && values[i] != now && !forgets(task, &vain, values[i]))
            return false;
    return trial_on || forgets(task, &vain, now);
}
