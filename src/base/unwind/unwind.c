/* unwind.c - see unwind.h. */
#include "base/unwind/unwind.h"

#include "base/unwind/expression.h"

static const uint8_t PRESERVED[] = {UNWIND_RBX, UNWIND_RBP, UNWIND_R12, UNWIND_R13,
                                    UNWIND_R14, UNWIND_R15, UNWIND_RIP};

void unwind_add(struct unwind *self, const struct unwind_module *module) {
    if (self->module_count < UNWIND_MODULES)
        self->modules[self->module_count++] = *module;
}

/* --- the row of a place --- */

static const struct unwind_module *module_of(const struct unwind *self, uint64_t place) {
    for (uint32_t i = 0; i < self->module_count; i++) {
        const struct unwind_module *module = &self->modules[i];
        if (place - module->code_start < module->code_end - module->code_start)
            return module;
    }
    return NULL;
}

/* A place without a row is kept, too, as a row without a rule for the frame. */
static void work_out(struct unwind *self, uint64_t place, struct unwind_kept *kept) {
    const struct unwind_module *module = module_of(self, place);
    struct unwind_entry entry;
    kept->place = place;
    kept->code = module != NULL;
    kept->signal_frame = false;
    if (module != NULL && unwind_find(module, place, &entry) &&
        unwind_row_at(&entry, place, &kept->row, &self->room))
        kept->signal_frame = entry.signal_frame;
    else
        kept->row.frame.kind = RULE_UNKNOWN;
}

static const struct unwind_kept *know(struct unwind *self, const struct unwind_frame *frame) {
    uint64_t place = frame->registers[UNWIND_RIP] - !frame->interrupted;
    struct unwind_kept *kept = &self->kept[(place ^ place >> 9) % UNWIND_ROWS];
    if (kept->place != place)
        work_out(self, place, kept);
    return kept;
}

/* --- what the rules say --- */

/* Computes the value of a register in the caller. Returns false if it is not known. */
static bool apply(const struct unwind_rule *rule, uint32_t number, uint64_t end,
                  const struct unwind_state *state, uint64_t *value) {
    switch ((enum unwind_rule_kind)rule->kind) {
    case RULE_SAME: *value = state->registers[number]; return true;
    case RULE_UNKNOWN: return false;
    case RULE_SAVED: return unwind_load(state, end + (uint64_t)rule->value, value);
    case RULE_OFFSET: *value = end + (uint64_t)rule->value; return true;
    case RULE_SUM:
        *value = state->registers[rule->from] + (uint64_t)rule->value;
        return unwind_is_known(rule->from);
    case RULE_SAVED_BY:
        return unwind_evaluate(rule, state, &end, value) && unwind_load(state, *value, value);
    case RULE_VALUE_BY: return unwind_evaluate(rule, state, &end, value);
    }
    return false;
}

static bool find_end(const struct unwind_rule *rule, const struct unwind_state *state,
                     uint64_t *end) {
    bool found = rule->kind == RULE_VALUE_BY ? unwind_evaluate(rule, state, NULL, end)
                                             : apply(rule, UNWIND_RSP, 0, state, end);
    /* Callers are above. A stack pointer that is not aligned to a word is not valid. */
    return found && *end > state->registers[UNWIND_RSP] && *end <= state->high && *end % 8 == 0;
}

bool unwind_up(struct unwind *self, struct unwind_frame *frame, uint64_t stack_low,
               uint64_t stack_high) {
    const struct unwind_state state = {frame->registers, stack_low, stack_high};
    const struct unwind_kept *known = know(self, frame);
    struct unwind_frame caller = {.interrupted = known->signal_frame};
    uint64_t end;
    if (!find_end(&known->row.frame, &state, &end))
        return false;
    for (uint32_t i = 0; i < sizeof PRESERVED; i++) {
        uint32_t number = PRESERVED[i];
        uint64_t *value = &caller.registers[number];
        if (!apply(&known->row.registers[number], number, end, &state, value) &&
            number == UNWIND_RIP)
            return false;
    }
    caller.registers[UNWIND_RSP] = end;
    if (!know(self, &caller)->code)
        return false;
    *frame = caller;
    return true;
}
