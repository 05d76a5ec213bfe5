/* expression.c - see expression.h. The operations are those of DWARF 5, 2.5. */
#include "base/unwind/expression.h"

enum { DEPTH = 8 };

enum {
    DW_OP_DEREF = 0x06,
    DW_OP_CONST1U = 0x08,
    DW_OP_CONST1S = 0x09,
    DW_OP_CONST2U = 0x0a,
    DW_OP_CONST2S = 0x0b,
    DW_OP_CONST4U = 0x0c,
    DW_OP_CONST4S = 0x0d,
    DW_OP_CONSTU = 0x10,
    DW_OP_CONSTS = 0x11,
    DW_OP_AND = 0x1a,
    DW_OP_MINUS = 0x1c,
    DW_OP_PLUS = 0x22,
    DW_OP_PLUS_UCONST = 0x23,
    DW_OP_SHL = 0x24,
    DW_OP_GE = 0x2a,
    DW_OP_LIT0 = 0x30,
    DW_OP_BREG0 = 0x70,
};

struct machine {
    const struct unwind_state *state;
    struct bytes code;
    uint64_t values[DEPTH];
    uint32_t count;
};

static void push(struct machine *machine, uint64_t value) {
    if (machine->count < DEPTH)
        machine->values[machine->count++] = value;
    else
        machine->code.failed = true;
}

static uint64_t pop(struct machine *machine) {
    if (machine->count > 0)
        return machine->values[--machine->count];
    machine->code.failed = true;
    return 0;
}

static void push_register(struct machine *machine, uint64_t number) {
    uint64_t offset = (uint64_t)bytes_signed(&machine->code);
    if (unwind_is_known(number))
        push(machine, machine->state->registers[number] + offset);
    else
        machine->code.failed = true;
}

static void load(struct machine *machine) {
    uint64_t value = 0;
    machine->code.failed |= !unwind_load(machine->state, pop(machine), &value);
    push(machine, value);
}

/* The upper operand was pushed last. */
static void join(struct machine *machine, uint64_t op) {
    uint64_t upper = pop(machine), lower = pop(machine);
    switch (op) {
    case DW_OP_AND: push(machine, lower & upper); return;
    case DW_OP_MINUS: push(machine, lower - upper); return;
    case DW_OP_PLUS: push(machine, lower + upper); return;
    case DW_OP_SHL: push(machine, upper < 64 ? lower << upper : 0); return;
    case DW_OP_GE: push(machine, (int64_t)lower >= (int64_t)upper); return;
    }
    machine->code.failed = true;
}

static void execute(struct machine *machine, uint64_t op) {
    struct bytes *code = &machine->code;
    switch (op) {
    case DW_OP_DEREF: load(machine); return;
    case DW_OP_CONST1U: push(machine, bytes_read(code, 1)); return;
    case DW_OP_CONST1S: push(machine, (uint64_t)(int8_t)bytes_read(code, 1)); return;
    case DW_OP_CONST2U: push(machine, bytes_read(code, 2)); return;
    case DW_OP_CONST2S: push(machine, (uint64_t)(int16_t)bytes_read(code, 2)); return;
    case DW_OP_CONST4U: push(machine, bytes_read(code, 4)); return;
    case DW_OP_CONST4S: push(machine, (uint64_t)(int32_t)bytes_read(code, 4)); return;
    case DW_OP_CONSTU: push(machine, bytes_unsigned(code)); return;
    case DW_OP_CONSTS: push(machine, (uint64_t)bytes_signed(code)); return;
    case DW_OP_PLUS_UCONST: push(machine, pop(machine) + bytes_unsigned(code)); return;
    }
    if (op - DW_OP_LIT0 < 32)
        push(machine, op - DW_OP_LIT0);
    else if (op - DW_OP_BREG0 < 32)
        push_register(machine, op - DW_OP_BREG0);
    else
        join(machine, op);
}

bool unwind_evaluate(const struct unwind_rule *rule, const struct unwind_state *state,
                     const uint64_t *pushed, uint64_t *value) {
    uint64_t start = (uint64_t)rule->value;
    struct machine machine = {.state = state, .code = {.at = start, .end = start + rule->size}};
    if (pushed != NULL)
        push(&machine, *pushed);
    while (!bytes_over(&machine.code))
        execute(&machine, bytes_read(&machine.code, 1));
    *value = pop(&machine);
    return !machine.code.failed;
}
