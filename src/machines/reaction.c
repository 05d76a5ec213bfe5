/* reaction.c - see reaction.h. */
#include "machines/reaction.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 200, MOVES_MAX = 1000 };

static void wrong(struct reaction *self, enum machine_wrong kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void wrong(struct reaction *self, enum machine_wrong kind, const char *format, ...) {
    char text[TEXT_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    self->wrong(self, kind, text);
}

static const char *name_of(const struct reaction *self) {
    return self->machine->table->type->name;
}

/* --- looking up ----------------------------------------------------------------------------- */

/* *level: the position on the stack of the state that has the row. */
static const struct machine_row *find(const struct machine *machine,
                                      const struct machine_event *event, uint32_t *level) {
    for (uint32_t i = machine->depth; i-- > 0;) {
        const struct machine_state *state = &machine->table->states[machine->stack[i]];
        const struct machine_row *row = machine_state_row(state, event);
        if (row != NULL) {
            *level = i;
            return row;
        }
    }
    return NULL;
}

const struct machine_row *machine_row_for(const struct machine *machine,
                                          const struct machine_event *event) {
    uint32_t level;
    return find(machine, event, &level);
}

/* --- moving --------------------------------------------------------------------------------- */

static const struct machine_state *present(const struct machine *machine) {
    return &machine->table->states[machine->stack[machine->depth - 1]];
}

static void enter(struct reaction *self, uint8_t state) {
    struct machine *machine = self->machine;
    if (machine->depth == MACHINE_STACK_MAX) {
        wrong(self, MACHINE_MISUSE, "%s has pushed more than %d states", name_of(self),
              MACHINE_STACK_MAX);
        return;
    }
    machine->stack[machine->depth++] = state;
    if (present(machine)->entry != NULL)
        present(machine)->entry(self->memory);
}

/* A function that is called on leaving a state must not ask for a move. */
static void leave(struct reaction *self) {
    struct machine *machine = self->machine;
    if (present(machine)->exit != NULL)
        present(machine)->exit(self->memory);
    if (self->then != THEN_NOTHING)
        wrong(self, MACHINE_MISUSE, "%s moves or raises while it leaves state \"%s\"",
              name_of(self), machine_state_name(machine));
    machine->stack[--machine->depth] = 0;
}

static void move(struct reaction *self, enum machine_then how, uint8_t target, uint32_t level) {
    struct machine *machine = self->machine;
    switch (how) {
    case THEN_GOTO:
        while (machine->depth > level)
            leave(self);
        enter(self, target);
        break;
    case THEN_PUSH: enter(self, target); break;
    case THEN_POP:
        if (machine->depth == 1)
            wrong(self, MACHINE_MISUSE, "%s pops state \"%s\", and there is none below",
                  name_of(self), machine_state_name(machine));
        leave(self);
        break;
    case THEN_HALT: machine->halted = true; break;
    case THEN_RAISE:
    case THEN_NOTHING: break;
    }
}

/* Does the move that was asked for, and the moves that the entered states ask for in turn. */
static void settle(struct reaction *self, uint32_t level) {
    struct machine *machine = self->machine;
    while (self->then != THEN_NOTHING && self->then != THEN_RAISE && !machine->halted) {
        enum machine_then how = self->then;
        if (++self->moves > MOVES_MAX)
            wrong(self, MACHINE_MISUSE, "%s goes from state to state without end, now in \"%s\"",
                  name_of(self), machine_state_name(machine));
        self->then = THEN_NOTHING;
        move(self, how, self->target, level);
        level = machine->depth - 1u;
    }
}

/* --- reacting ------------------------------------------------------------------------------- */

static void unhandled(struct reaction *self, const struct machine_event *event) {
    wrong(self, MACHINE_UNHANDLED, "event %s is not handled by %s in state \"%s\"", event->name,
          name_of(self), machine_state_name(self->machine));
}

/* The move that the table asks for, unless the action has asked for another. */
static void move_by_row(struct reaction *self, const struct machine_row *row) {
    bool moves = row->state != NULL || row->kind == MACHINE_ROW_POP;
    if (!moves || self->then == THEN_HALT)
        return;
    if (self->then != THEN_NOTHING)
        wrong(self, MACHINE_MISUSE, "%s moves by its table and by its action, on event %s",
              name_of(self), row->event->name);
    self->then = row->kind == MACHINE_ROW_POP    ? THEN_POP
                 : row->kind == MACHINE_ROW_PUSH ? THEN_PUSH
                                                 : THEN_GOTO;
    if (row->state != NULL)
        self->target = (uint8_t)machine_state_named(self->machine->table, row->state);
}

static void react(struct reaction *self, const struct machine_event *event, const void *payload) {
    uint32_t level = 0;
    const struct machine_row *row = find(self->machine, event, &level);
    self->event = event;
    if (row == NULL || row->kind == MACHINE_ROW_DEFER) {
        unhandled(self, event);
        return;
    }
    if (row->kind == MACHINE_ROW_IGNORE)
        return;
    if (row->action != NULL)
        row->action(self->memory, payload);
    move_by_row(self, row);
    settle(self, level);
}

/* A raised event is handled at once, before all events that wait. */
static void handle_raised(struct reaction *self) {
    while (self->then == THEN_RAISE && !self->machine->halted) {
        const void *payload = self->payloads[self->raises % 2];
        if (self->raises > MACHINE_RAISES_MAX)
            wrong(self, MACHINE_MISUSE, "%s raises more than %d events in a row, now %s",
                  name_of(self), MACHINE_RAISES_MAX, self->raised->name);
        self->then = THEN_NOTHING;
        self->sender = 0;
        react(self, self->raised, payload);
    }
    self->event = NULL;
}

void reaction_start(struct reaction *self) {
    self->machine->depth = 0;
    enter(self, (uint8_t)self->machine->table->start);
    settle(self, 0);
    handle_raised(self);
}

void reaction_to(struct reaction *self, const struct machine_event *event, const void *payload) {
    react(self, event, payload);
    handle_raised(self);
}

/* --- what actions ask for ------------------------------------------------------------------- */

static bool ask(struct reaction *self, enum machine_then how) {
    if (self->then != THEN_NOTHING) {
        wrong(self, MACHINE_MISUSE, "one action of %s, in state \"%s\", asks for two moves",
              name_of(self), machine_state_name(self->machine));
        return false;
    }
    self->then = how;
    return true;
}

void reaction_move(struct reaction *self, enum machine_then how, const char *state) {
    const struct machine_table *table = self->machine->table;
    bool named = how == THEN_GOTO || how == THEN_PUSH;
    uint32_t target = 0;
    if (named)
        target = state != NULL ? machine_state_named(table, state) : table->state_count;
    if (target == table->state_count)
        wrong(self, MACHINE_MISUSE, "%s goes to state \"%s\", which is unknown", name_of(self),
              state != NULL ? state : "(null)");
    else if (ask(self, how))
        self->target = (uint8_t)target;
}

void reaction_check_payload(struct reaction *self, const struct machine_event *event, size_t size) {
    if (size != event->size)
        wrong(self, MACHINE_MISUSE, "event %s carries %u bytes (%s), not %zu", event->name,
              event->size, event->type, size);
}

void reaction_raise(struct reaction *self, const struct machine_event *event, const void *payload,
                    size_t size) {
    reaction_check_payload(self, event, size);
    if (!ask(self, THEN_RAISE))
        return;
    self->raised = event;
    memcpy(self->payloads[++self->raises % 2], payload, event->size);
}
