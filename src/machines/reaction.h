/* reaction.h - what a machine does about an event, from taking it to being at rest again: its action, the
 * move, the functions of the states that it leaves and enters, and whatever these raise.
 *
 * The same under the tool and without it. Who runs it says by a host what happens when the program is
 * wrong; sends, creations and the like are not its business. */
#ifndef MACHINES_REACTION_H
#define MACHINES_REACTION_H

#include "machines/table.h"

/* Where a machine stands. Plain data. */
struct machine {
    const struct machine_table *table;
    uint8_t depth;                    /* of its stack of states; */
    uint8_t stack[MACHINE_STACK_MAX]; /* the present one is the last */
    bool halted;
};

enum machine_wrong {
    MACHINE_UNHANDLED, /* an event that its states do not mention */
    MACHINE_MISUSE,    /* a call that makes no sense */
};

enum machine_then { THEN_NOTHING, THEN_GOTO, THEN_PUSH, THEN_POP, THEN_HALT, THEN_RAISE };

enum { MACHINE_RAISES_MAX = 100 }; /* in a row: more never come to rest */

struct reaction {
    struct machine *machine; /* borrowed, as its memory is */
    void *memory;
    /* Says what is wrong, and does not come back. */
    void (*wrong)(struct reaction *reaction, enum machine_wrong kind, const char *text);

    const struct machine_event *event; /* at hand, or NULL */
    machine_id sender, receiver;       /* of it */
    enum machine_then then;            /* asked for by the action that runs */
    uint8_t target;                    /* where it goes then */
    uint32_t raises, moves;            /* so far */
    struct machine_message message;    /* that machine_receive gave */
    const struct machine_event *raised;
    _Alignas(16) char payloads[2][MACHINE_PAYLOAD_MAX]; /* of the last raised events, by turns */
    _Alignas(16) char received[MACHINE_PAYLOAD_MAX];    /* of that message */
};

/* Enters the first state. */
void reaction_start(struct reaction *reaction);

/* Reacts to an event that the present state does not defer. */
void reaction_to(struct reaction *reaction, const struct machine_event *event, const void *payload);

/* What a machine says about an event: from the present state down its stack. NULL: unhandled. */
const struct machine_row *machine_row_for(const struct machine *machine,
                                          const struct machine_event *event);

/* --- what actions ask for: it comes when they have returned --- */

void reaction_move(struct reaction *reaction, enum machine_then how, const char *state);
void reaction_raise(struct reaction *reaction, const struct machine_event *event,
                    const void *payload, size_t size);
/* Is this what the event carries? Else it is wrong. */
void reaction_check_payload(struct reaction *reaction, const struct machine_event *event,
                            size_t size);

static inline const char *machine_state_name(const struct machine *machine) {
    return machine->table->states[machine->stack[machine->depth - 1]].name;
}

#endif
