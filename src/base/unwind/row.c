/* row.c - see row.h. The instructions are those of DWARF 5, 6.4.2, and GNU's. */
#include "base/unwind/row.h"

enum { UPPER_ADVANCE = 1, UPPER_OFFSET = 2, UPPER_RESTORE = 3 }; /* of the upper two bits */

enum {
    DW_CFA_NOP = 0x00,
    DW_CFA_SET_LOC = 0x01,
    DW_CFA_ADVANCE_1 = 0x02,
    DW_CFA_ADVANCE_2 = 0x03,
    DW_CFA_ADVANCE_4 = 0x04,
    DW_CFA_OFFSET_EXTENDED = 0x05,
    DW_CFA_RESTORE_EXTENDED = 0x06,
    DW_CFA_UNDEFINED = 0x07,
    DW_CFA_SAME_VALUE = 0x08,
    DW_CFA_REGISTER = 0x09,
    DW_CFA_REMEMBER_STATE = 0x0a,
    DW_CFA_RESTORE_STATE = 0x0b,
    DW_CFA_DEF_CFA = 0x0c,
    DW_CFA_DEF_CFA_REGISTER = 0x0d,
    DW_CFA_DEF_CFA_OFFSET = 0x0e,
    DW_CFA_DEF_CFA_EXPRESSION = 0x0f,
    DW_CFA_EXPRESSION = 0x10,
    DW_CFA_OFFSET_EXTENDED_SF = 0x11,
    DW_CFA_DEF_CFA_SF = 0x12,
    DW_CFA_DEF_CFA_OFFSET_SF = 0x13,
    DW_CFA_VAL_OFFSET = 0x14,
    DW_CFA_VAL_OFFSET_SF = 0x15,
    DW_CFA_VAL_EXPRESSION = 0x16,
    DW_CFA_GNU_ARGS_SIZE = 0x2e,
};

/* The execution of the instructions up to a place. */
struct run {
    const struct unwind_entry *entry;
    struct bytes code;
    struct unwind_row *row;
    struct unwind_room *room;
    uint64_t at; /* the row is valid from this place on */
};

static int64_t in_units(const struct run *run, int64_t factor) {
    return (int64_t)((uint64_t)factor * (uint64_t)run->entry->data_unit);
}

/* Rules for other registers than these 17 (for example vectors) are not needed. */
static void set_rule(struct run *run, uint64_t number, struct unwind_rule rule) {
    if (number < UNWIND_REGISTERS)
        run->row->registers[number] = rule;
}

static void set_saved(struct run *run, uint64_t number, enum unwind_rule_kind kind,
                      int64_t factor) {
    set_rule(run, number,
             (struct unwind_rule){.kind = (uint8_t)kind, .value = in_units(run, factor)});
}

static void restore(struct run *run, uint64_t number) {
    if (number < UNWIND_REGISTERS)
        run->row->registers[number] = run->room->initial.registers[number];
}

static void set_frame(struct run *run, uint64_t number, int64_t offset) {
    run->code.failed |= number >= UNWIND_REGISTERS;
    run->row->frame =
        (struct unwind_rule){.kind = RULE_SUM, .from = (uint8_t)number, .value = offset};
}

/* Only a rule that is a register with an offset can get a new register or offset. */
static void set_frame_part(struct run *run, uint64_t number, int64_t offset) {
    run->code.failed |= run->row->frame.kind != RULE_SUM;
    set_frame(run, number, offset);
}

static struct unwind_rule read_expression(struct run *run, enum unwind_rule_kind kind) {
    uint64_t size = bytes_unsigned(&run->code);
    struct bytes part = bytes_part(&run->code, size);
    run->code.failed |= size > UINT16_MAX;
    return (struct unwind_rule){
        .kind = (uint8_t)kind, .size = (uint16_t)size, .value = (int64_t)part.at};
}

static void remember(struct run *run) {
    struct unwind_room *room = run->room;
    if (room->remembered_count < sizeof room->remembered / sizeof room->remembered[0])
        room->remembered[room->remembered_count++] = *run->row;
    else
        run->code.failed = true;
}

static void recall(struct run *run) {
    struct unwind_room *room = run->room;
    if (room->remembered_count > 0)
        *run->row = room->remembered[--room->remembered_count];
    else
        run->code.failed = true;
}

static void advance(struct run *run, uint64_t factor) {
    run->at += factor * run->entry->code_unit;
}

/* Executes an instruction about the frame or the place. Returns false if the instruction is about a
 * register. */
static bool execute_general(struct run *run, uint64_t instruction) {
    struct bytes *code = &run->code;
    struct unwind_rule *frame = &run->row->frame;
    uint64_t number;
    switch (instruction) {
    case DW_CFA_NOP: return true;
    case DW_CFA_SET_LOC: run->at = bytes_pointer(code, run->entry->encoding, 0); return true;
    case DW_CFA_ADVANCE_1: advance(run, bytes_read(code, 1)); return true;
    case DW_CFA_ADVANCE_2: advance(run, bytes_read(code, 2)); return true;
    case DW_CFA_ADVANCE_4: advance(run, bytes_read(code, 4)); return true;
    case DW_CFA_REMEMBER_STATE: remember(run); return true;
    case DW_CFA_RESTORE_STATE: recall(run); return true;
    case DW_CFA_DEF_CFA:
        number = bytes_unsigned(code);
        set_frame(run, number, (int64_t)bytes_unsigned(code));
        return true;
    case DW_CFA_DEF_CFA_SF:
        number = bytes_unsigned(code);
        set_frame(run, number, in_units(run, bytes_signed(code)));
        return true;
    case DW_CFA_DEF_CFA_REGISTER:
        set_frame_part(run, bytes_unsigned(code), frame->value);
        return true;
    case DW_CFA_DEF_CFA_OFFSET:
        set_frame_part(run, frame->from, (int64_t)bytes_unsigned(code));
        return true;
    case DW_CFA_DEF_CFA_OFFSET_SF:
        set_frame_part(run, frame->from, in_units(run, bytes_signed(code)));
        return true;
    case DW_CFA_DEF_CFA_EXPRESSION: *frame = read_expression(run, RULE_VALUE_BY); return true;
    case DW_CFA_GNU_ARGS_SIZE: bytes_unsigned(code); return true;
    }
    return false;
}

static void execute_register(struct run *run, uint64_t instruction) {
    struct bytes *code = &run->code;
    uint64_t number = bytes_unsigned(code);
    switch (instruction) {
    case DW_CFA_OFFSET_EXTENDED:
        set_saved(run, number, RULE_SAVED, (int64_t)bytes_unsigned(code));
        return;
    case DW_CFA_OFFSET_EXTENDED_SF: set_saved(run, number, RULE_SAVED, bytes_signed(code)); return;
    case DW_CFA_VAL_OFFSET:
        set_saved(run, number, RULE_OFFSET, (int64_t)bytes_unsigned(code));
        return;
    case DW_CFA_VAL_OFFSET_SF: set_saved(run, number, RULE_OFFSET, bytes_signed(code)); return;
    case DW_CFA_RESTORE_EXTENDED: restore(run, number); return;
    case DW_CFA_UNDEFINED:
        set_rule(run, number, (struct unwind_rule){.kind = RULE_UNKNOWN});
        return;
    case DW_CFA_SAME_VALUE: set_rule(run, number, (struct unwind_rule){.kind = RULE_SAME}); return;
    case DW_CFA_REGISTER: {
        uint64_t from = bytes_unsigned(code);
        code->failed |= from >= UNWIND_REGISTERS;
        set_rule(run, number, (struct unwind_rule){.kind = RULE_SUM, .from = (uint8_t)from});
        return;
    }
    case DW_CFA_EXPRESSION: set_rule(run, number, read_expression(run, RULE_SAVED_BY)); return;
    case DW_CFA_VAL_EXPRESSION: set_rule(run, number, read_expression(run, RULE_VALUE_BY)); return;
    }
    code->failed = true;
}

static void execute_one(struct run *run) {
    uint64_t instruction = bytes_read(&run->code, 1), operand = instruction & 0x3f;
    switch (instruction >> 6) {
    case UPPER_ADVANCE: advance(run, operand); return;
    case UPPER_OFFSET:
        set_saved(run, operand, RULE_SAVED, (int64_t)bytes_unsigned(&run->code));
        return;
    case UPPER_RESTORE: restore(run, operand); return;
    }
    if (!execute_general(run, instruction))
        execute_register(run, instruction);
}

/* Executes the instructions up to the first one for code after the place. */
static bool execute(struct run *run, struct bytes code, uint64_t place) {
    run->code = code;
    while (!bytes_over(&run->code)) {
        execute_one(run);
        if (run->at > place)
            break;
    }
    return !run->code.failed;
}

bool unwind_row_at(const struct unwind_entry *entry, uint64_t place, struct unwind_row *row,
                   struct unwind_room *room) {
    struct run run = {.entry = entry, .row = row, .room = room, .at = entry->start};
    *row =
        (struct unwind_row){.frame.kind = RULE_UNKNOWN, .registers[UNWIND_RIP].kind = RULE_UNKNOWN};
    room->initial = *row;
    room->remembered_count = 0;
    if (!execute(&run, entry->common, place))
        return false;
    room->initial = *row;
    return execute(&run, entry->own, place) && row->frame.kind != RULE_UNKNOWN;
}
