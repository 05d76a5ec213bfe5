/* random_machines.h - random programs of machines, as tables drawn from a seed. The program
 * (random_machines.c) and the model of what machine.h promises (random_machines_model.c) read the
 * same tables, and share nothing else.
 *
 * A root creates the nodes, one after the other, and sends them first events. An action of a node
 * is a short list of instructions. Each instruction that makes something new takes one unit of the
 * node's fuel, and does nothing if there is no fuel. So every program ends. */
#ifndef RANDOM_MACHINES_H
#define RANDOM_MACHINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    TYPES = 2,
    STATES = 3,
    EVENTS = 4, /* the last event carries nothing */
    BARE_EVENT = EVENTS - 1,
    NODES_MAX = 3,
    ACTIONS = 14,
    PLAIN_ACTIONS = 7, /* the first actions do not move */
    EXITS = 2,         /* exit functions, after the actions: they do not move, wait or halt */
    WATCH_ACTIONS = 4, /* actions of the monitor; the last one is its AT_END */
    LENGTH_MAX = 4,
    CHANNELS = 4, /* the first channel is perfect */
    VALUES = 3,   /* the number of a node counts modulo this */
    STARTS_MAX = 4,
};

enum instruction_kind {
    DO_NOTHING,
    DO_SEND,     /* sends event a with value c to target b over channel d */
    DO_CREATE,   /* creates a node of type a */
    DO_CHOOSE,   /* sets the number to one of a values */
    DO_RECEIVE,  /* receives one of the events in the set a, which becomes the current event */
    DO_ANNOUNCE, /* announces event a with value b */
    DO_ADD,      /* adds a to the number */
    DO_ADD_LOAD, /* adds the load of the current event to the number */
    DO_LEARN, /* the peer becomes the sender of the event, or, if a is 1, the machine in its load */
    DO_UNLESS, /* skips the next instruction if the number is a */
    DO_ASSERT, /* asserts that the number is not a */
    DO_HALT,
    DO_RAISE, /* raises event a with value b */
    DO_GOTO,  /* goes to state a */
    DO_PUSH,  /* pushes state a */
    DO_POP,
    DO_ASSUME, /* assumes that the number is not a */
    DO_EXIT,   /* exits with status b if the number is a */
    DO_OLDER,  /* skips the next instruction unless the peer was created before this node */
    INSTRUCTION_KINDS,
};

enum target { TO_PEER, TO_FIRST, TO_CHILD, TO_SELF, TARGETS };

struct instruction {
    uint8_t kind, a, b, c, d;
};

struct action {
    uint8_t length;
    struct instruction list[LENGTH_MAX];
};

enum row_kind { ROW_NONE, ROW_ON, ROW_PUSH, ROW_POP, ROW_DEFER, ROW_IGNORE };
enum { NO_STATE = 255, NO_ACTION = 255 };

struct row {
    uint8_t kind;   /* enum row_kind */
    uint8_t target; /* the target of ON and PUSH, or NO_STATE */
    uint8_t action; /* the action, or NO_ACTION */
};

struct node_state {
    uint8_t entry, exit; /* an action and one of the exits, or NO_ACTION */
    struct row rows[EVENTS];
};

struct channel {
    bool loses, doubles;
    uint8_t bound, full; /* full: enum machine_full, 0 to 2 */
};

struct start {
    uint8_t node, event, value, channel;
};

struct tables {
    uint8_t queue_bound[TYPES]; /* 0 if the type has no bound of its own */
    struct node_state states[TYPES][STATES];
    struct action actions[ACTIONS + EXITS];
    bool watched;
    struct node_state watch_states[STATES];
    struct action watch_actions[WATCH_ACTIONS];
    struct channel channels[CHANNELS];
    uint8_t nodes, node_type[NODES_MAX], node_fuel[NODES_MAX];
    uint8_t starts;
    struct start start[STARTS_MAX];
    bool receives, chooses, creates; /* some action has such an instruction */
};

/* --- random choices
 * ----------------------------------------------------------------------------- */

static uint64_t drawn;

static uint32_t draw(uint32_t count) {
    drawn += 0x9e3779b97f4a7c15u;
    uint64_t word = (drawn ^ (drawn >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((word ^ (word >> 31)) % count);
}

static bool one_in(uint32_t count) {
    return draw(count) == 0;
}

/* Draws a number below `count`, where weights[i] says how often i is drawn. */
static uint8_t draw_weighted(const uint8_t *weights, uint32_t count) {
    uint32_t sum = 0, at;
    uint8_t kind = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += weights[i];
    for (at = draw(sum); at >= weights[kind]; kind++)
        at -= weights[kind];
    return kind;
}

static struct instruction draw_instruction(const uint8_t *weights) {
    struct instruction made = {.kind = draw_weighted(weights, INSTRUCTION_KINDS)};
    switch ((enum instruction_kind)made.kind) {
    case DO_SEND:
        made.a = (uint8_t)draw(EVENTS);
        made.b = (uint8_t)draw(TARGETS);
        made.c = (uint8_t)draw(VALUES);
        made.d = one_in(2) ? (uint8_t)draw(CHANNELS) : 0;
        break;
    case DO_CREATE: made.a = (uint8_t)draw(TYPES); break;
    case DO_CHOOSE: made.a = (uint8_t)(2 + draw(VALUES - 1)); break;
    case DO_RECEIVE: made.a = (uint8_t)(1 + draw((1 << EVENTS) - 1)); break;
    case DO_ANNOUNCE:
    case DO_RAISE:
        made.a = (uint8_t)draw(EVENTS);
        made.b = (uint8_t)draw(VALUES);
        break;
    case DO_ADD: made.a = (uint8_t)(1 + draw(VALUES - 1)); break;
    case DO_LEARN: made.a = (uint8_t)draw(2); break;
    case DO_UNLESS:
    case DO_ASSERT: made.a = (uint8_t)draw(VALUES); break;
    case DO_GOTO:
    case DO_PUSH: made.a = (uint8_t)draw(STATES); break;
    case DO_ASSUME: made.a = (uint8_t)draw(VALUES); break;
    case DO_EXIT:
        made.a = (uint8_t)draw(VALUES);
        made.b = (uint8_t)one_in(4);
        break;
    case DO_NOTHING:
    case DO_ADD_LOAD:
    case DO_HALT:
    case DO_POP:
    case DO_OLDER:
    case INSTRUCTION_KINDS: break;
    }
    return made;
}

static void draw_action(struct action *action, const uint8_t *weights) {
    action->length = (uint8_t)(1 + draw(LENGTH_MAX));
    for (uint32_t i = 0; i < action->length; i++)
        action->list[i] = draw_instruction(weights);
}

static struct row draw_row(bool monitor) {
    static const uint8_t weights[] = {1, 70, 8, 2, 12, 8}, watch_weights[] = {2, 24, 2, 1, 0, 8};
    struct row row = {draw_weighted(monitor ? watch_weights : weights, ROW_IGNORE + 1), NO_STATE,
                      NO_ACTION};
    if (row.kind == ROW_PUSH || (row.kind == ROW_ON && one_in(3)))
        row.target = (uint8_t)draw(STATES);
    bool moves = row.target != NO_STATE || row.kind == ROW_POP;
    if (row.kind == ROW_ON || (moves && one_in(2)))
        row.action = (uint8_t)draw(monitor ? WATCH_ACTIONS - 1 : moves ? PLAIN_ACTIONS : ACTIONS);
    return row;
}

static void draw_states(struct node_state *states, bool monitor) {
    for (uint32_t i = 0; i < STATES; i++) {
        struct node_state *state = &states[i];
        state->entry = state->exit = NO_ACTION;
        if (one_in(3))
            state->entry = (uint8_t)draw(monitor ? WATCH_ACTIONS - 1 : ACTIONS);
        if (!monitor && one_in(4))
            state->exit = (uint8_t)(ACTIONS + draw(EXITS));
        for (uint32_t j = 0; j < EVENTS; j++)
            state->rows[j] = draw_row(monitor);
    }
}

static void draw_actions(struct tables *tables) {
    /* nothing send create choose receive announce add load learn unless assert halt raise goto push
     * pop assume exit older */
    uint8_t weights[INSTRUCTION_KINDS] = {1, 24, 2, 2, 3, 5, 6, 4, 3, 3};
    uint8_t watch[INSTRUCTION_KINDS] = {2, 0, 0, 0, 0, 0, 4, 4, 0, 2, 1};
    uint8_t leaving[INSTRUCTION_KINDS] = {1, 6, 0, 0, 0, 2, 2};
    weights[DO_ASSERT] = one_in(8);
    weights[DO_HALT] = (uint8_t)(1 + draw(3));
    weights[DO_ASSUME] = one_in(3);
    weights[DO_EXIT] = one_in(4);
    weights[DO_OLDER] = (uint8_t)(one_in(3) ? 3 : 0);
    if (weights[DO_OLDER] != 0)
        weights[DO_CREATE] = 6;
    if (one_in(2))
        weights[DO_RECEIVE] = 0;
    if (one_in(2))
        weights[DO_CHOOSE] = 0;
    for (uint32_t i = 0; i < ACTIONS; i++) {
        if (i == PLAIN_ACTIONS) {
            weights[DO_RAISE] = 3;
            weights[DO_GOTO] = 3;
            weights[DO_PUSH] = 1;
            weights[DO_POP] = one_in(4);
        }
        draw_action(&tables->actions[i], weights);
    }
    for (uint32_t i = 0; i < EXITS; i++)
        draw_action(&tables->actions[ACTIONS + i], leaving);
    watch[DO_ASSERT] = (uint8_t)draw(2);
    for (uint32_t i = 0; i < WATCH_ACTIONS; i++)
        draw_action(&tables->watch_actions[i], watch);
    for (uint32_t i = 0; i < ACTIONS; i++)
        for (uint32_t j = 0; j < tables->actions[i].length; j++) {
            tables->receives |= tables->actions[i].list[j].kind == DO_RECEIVE;
            tables->chooses |= tables->actions[i].list[j].kind == DO_CHOOSE;
            tables->creates |= tables->actions[i].list[j].kind == DO_CREATE;
        }
}

static void draw_channels(struct tables *tables) {
    for (uint32_t i = 1; i < CHANNELS; i++) {
        struct channel *channel = &tables->channels[i];
        channel->loses = one_in(4);
        channel->doubles = one_in(4);
        channel->bound = (uint8_t)draw(3);
        channel->full = (uint8_t)(one_in(8) ? 0 : 1 + draw(2));
    }
}

static void draw_nodes(struct tables *tables) {
    uint32_t fuel = 4 + draw(8);
    tables->nodes = (uint8_t)(2 + draw(NODES_MAX - 1));
    for (uint32_t i = 0; i < tables->nodes; i++) {
        tables->node_type[i] = (uint8_t)draw(TYPES);
        tables->node_fuel[i] = (uint8_t)(fuel / tables->nodes);
    }
    for (uint32_t i = 0; i < TYPES; i++)
        tables->queue_bound[i] = one_in(4) ? (uint8_t)(1 + draw(3)) : 0;
    tables->starts = (uint8_t)(1 + draw(STARTS_MAX));
    for (uint32_t i = 0; i < tables->starts; i++)
        tables->start[i] =
            (struct start){(uint8_t)draw(tables->nodes), (uint8_t)draw(EVENTS),
                           (uint8_t)draw(VALUES), one_in(4) ? (uint8_t)draw(CHANNELS) : 0};
}

static void tables_draw(struct tables *tables, uint64_t seed) {
    memset(tables, 0, sizeof *tables);
    drawn = (seed + 1) * 0xd1342543de82ef95u; /* not a multiple of the constant in draw() */
    for (uint32_t i = 0; i < TYPES; i++)
        draw_states(tables->states[i], false);
    draw_actions(tables);
    tables->watched = one_in(2);
    draw_states(tables->watch_states, true);
    draw_channels(tables);
    draw_nodes(tables);
}

/* --- simplification
 * ----------------------------------------------------------------------------- */

static bool simplify_states(struct node_state *states, uint32_t code) {
    struct node_state *state = &states[code / (EVENTS + 2) % STATES];
    uint32_t part = code % (EVENTS + 2);
    if (part == EVENTS)
        state->entry = NO_ACTION;
    else if (part == EVENTS + 1)
        state->exit = NO_ACTION;
    else
        state->rows[part] = (struct row){ROW_IGNORE, NO_STATE, NO_ACTION};
    return true;
}

static bool simplify_channel(struct channel *channel, uint32_t part) {
    if (part == 0)
        channel->loses = false;
    else if (part == 1)
        channel->doubles = false;
    else if (part == 2)
        channel->bound = 0;
    else
        *channel = (struct channel){0};
    return true;
}

static bool simplify_nodes(struct tables *tables, uint32_t code) {
    if (code < STARTS_MAX && code < tables->starts) {
        tables->starts--;
        memmove(tables->start + code, tables->start + code + 1,
                (tables->starts - code) * sizeof *tables->start);
    } else if (code >= STARTS_MAX && code < STARTS_MAX + NODES_MAX) {
        uint8_t *fuel = &tables->node_fuel[code - STARTS_MAX];
        *fuel = (uint8_t)(*fuel - (*fuel > 0));
    } else if (code >= STARTS_MAX + NODES_MAX && code < STARTS_MAX + NODES_MAX + TYPES) {
        tables->queue_bound[code - STARTS_MAX - NODES_MAX] = 0;
    } else if (code == STARTS_MAX + NODES_MAX + TYPES) {
        tables->watched = false;
    } else {
        return code < STARTS_MAX;
    }
    return true;
}

/* Simplifies one part of the tables. Returns false if there are no more codes. Both programs take
 * codes after the seed, so a script can search for the smallest program that still shows a
 * difference. */
static bool tables_simplify(struct tables *tables, uint32_t code) {
    enum {
        INSTRUCTIONS = (ACTIONS + EXITS) * LENGTH_MAX,
        PARTS = STATES * (EVENTS + 2),
        CHANNEL_PARTS = 4 * (CHANNELS - 1),
    };
    if (code < INSTRUCTIONS) {
        tables->actions[code / LENGTH_MAX].list[code % LENGTH_MAX].kind = DO_NOTHING;
        return true;
    }
    code -= INSTRUCTIONS;
    if (code < TYPES * PARTS)
        return simplify_states(tables->states[code / PARTS], code % PARTS);
    code -= TYPES * PARTS;
    if (code < PARTS)
        return simplify_states(tables->watch_states, code);
    code -= PARTS;
    if (code < CHANNEL_PARTS)
        return simplify_channel(&tables->channels[1 + code / 4], code % 4);
    return simplify_nodes(tables, code - CHANNEL_PARTS);
}

/* Makes the tables from the arguments SEED [CODE...]. */
static inline void tables_from(struct tables *tables, int argc, char **argv) {
    tables_draw(tables, argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    for (int i = 2; i < argc; i++)
        tables_simplify(tables, (uint32_t)strtoul(argv[i], NULL, 10));
}

#endif
