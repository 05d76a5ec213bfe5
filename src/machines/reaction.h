/* reaction.h - the reaction of a machine to an event, from taking it to being at rest again: its
 * action, the move, the functions of the states that it leaves and enters, and the events that
 * these raise.
 *
 * The same code runs under the tool and without it. The caller sets `wrong`, which reports a
 * fault of the program. Sends, creations and the like are not handled here. */
#ifndef MACHINES_REACTION_H
#define MACHINES_REACTION_H

#include "machines/table.h"

/* Where a machine stands. Plain data. */
struct machine {
    const struct machine_table *table;
    uint8_t depth;                    /* of the stack of states */
    uint8_t stack[MACHINE_STACK_MAX]; /* the present state is the last one */
    bool halted;
};

enum machine_wrong {
    MACHINE_UNHANDLED, /* an event that no state on the stack mentions */
    MACHINE_MISUSE,    /* a call that makes no sense */
};

enum machine_then { THEN_NOTHING, THEN_GOTO, THEN_PUSH, THEN_POP, THEN_HALT, THEN_RAISE };

enum { MACHINE_RAISES_MAX = 100 }; /* raises in a row: more than this never come to rest */

struct reaction {
    struct machine *machine; /* borrowed, as is its memory */
    void *memory;
    /* Reports what is wrong, and does not return. */
    void (*wrong)(struct reaction *reaction, enum machine_wrong kind, const char *text);

    const struct machine_event *event; /* the event of the reaction, or NULL */
    machine_id sender, receiver;       /* of that event */
    enum machine_then then;            /* what the action asks for: done when it has returned */
    uint8_t target;                    /* the state to which the machine goes then */
    uint32_t raises, moves;            /* counted so far */
    struct machine_message message;    /* the last message of machine_receive */
    const struct machine_event *raised;
    _Alignas(
        16) char payloads[2][MACHINE_PAYLOAD_MAX]; /* the payloads of the last two raised events */
    _Alignas(16) char received[MACHINE_PAYLOAD_MAX]; /* the payload of that message */
};

/* Enters the first state. */
void reaction_start(struct reaction *reaction);

/* Reacts to an event that the present state does not defer. */
void reaction_to(struct reaction *reaction, const struct machine_event *event, const void *payload);

/* The row of a machine for an event: from the present state down its stack. NULL: the event is
 * not handled. */
const struct machine_row *machine_row_for(const struct machine *machine,
                                          const struct machine_event *event);

/* --- what actions ask for: done when the action has returned --- */

void reaction_move(struct reaction *reaction, enum machine_then how, const char *state);
void reaction_raise(struct reaction *reaction, const struct machine_event *event,
                    const void *payload, size_t size);
/* Checks that the event carries a payload of this size. Otherwise the program is wrong. */
void reaction_check_payload(struct reaction *reaction, const struct machine_event *event,
                            size_t size);

static inline const char *machine_state_name(const struct machine *machine) {
    return machine->table->states[machine->stack[machine->depth - 1]].name;
}

#endif
