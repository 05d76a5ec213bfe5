/* random_machines.c - a small random program of machines, as random_machines.h defines it.
 *
 *     random_machines SEED [CODE...]
 *
 * Its functions do only what is needed to follow the tables. The instructions in the tables define
 * the behaviour. */
#include "random_machines.h"

#include <heddle/machine.h>

struct load {
    uint32_t value;
    machine_id names;
};
EVENT(E0, struct load);
EVENT(E1, struct load);
EVENT(E2, struct load);
EVENT(E3);
static const struct machine_event *const events[EVENTS] = {&E0, &E1, &E2, &E3};

struct node {
    uint32_t number, fuel, generation;
    machine_id peer, first, child;
};
struct watcher {
    uint32_t number;
};

static struct tables tables;
static struct machine_type node_types[TYPES];
static const char *const state_names[STATES] = {"A", "B", "C"};

/* --- instructions
 * ------------------------------------------------------------------------------- */

/* The current event, as the instructions see it. */
struct hand {
    uint32_t value;
    machine_id names, sender;
    bool moved; /* this action has moved or raised */
};

static machine_id target_of(const struct node *me, uint8_t which) {
    switch ((enum target)which) {
    case TO_PEER: return me->peer;
    case TO_FIRST: return me->first;
    case TO_CHILD: return me->child;
    case TO_SELF:
    case TARGETS: break;
    }
    return machine_self();
}

static bool burn(struct node *me) {
    if (me->fuel == 0)
        return false;
    me->fuel--;
    return true;
}

static void send(machine_id to, uint8_t event, uint32_t value, uint8_t over) {
    const struct channel *drawn_channel = &tables.channels[over];
    struct machine_channel channel = {drawn_channel->loses, drawn_channel->doubles,
                                      drawn_channel->bound, (enum machine_full)drawn_channel->full};
    struct load load = {value, machine_self()};
    machine_send_at(over != 0 ? &channel : NULL, to, events[event], &load, events[event]->size);
}

static void receive(struct node *me, struct hand *hand, uint8_t set) {
    const struct machine_event *wanted[EVENTS + 1] = {0};
    uint32_t count = 0;
    (void)me;
    for (uint32_t i = 0; i < EVENTS; i++)
        if (set >> i & 1)
            wanted[count++] = events[i];
    const struct machine_message *message = machine_receive_at(wanted);
    const struct load *load = message->payload;
    *hand = (struct hand){.sender = message->sender, .moved = hand->moved};
    if (message->event != &E3) {
        hand->value = load->value;
        hand->names = load->names;
    }
}

static void create(struct node *me, uint8_t type) {
    struct node child = {.fuel = 1, .generation = 1, .peer = machine_self(), .first = me->peer};
    if (me->generation == 0 && burn(me))
        me->child = machine_create_at(&node_types[type], &child);
}

/* Moves or raises. Only the first move of an action counts. */
static void move(struct node *me, struct hand *hand, const struct instruction *now) {
    struct load load = {now->b, machine_self()};
    if (hand->moved || !burn(me))
        return;
    hand->moved = true;
    if (now->kind == DO_RAISE)
        machine_raise_at(events[now->a], &load, events[now->a]->size);
    else if (now->kind == DO_GOTO)
        machine_goto(state_names[now->a]);
    else if (now->kind == DO_PUSH)
        machine_push(state_names[now->a]);
    else
        machine_pop();
}

static void perform(struct node *me, struct hand *hand, const struct instruction *now) {
    struct load load = {now->b, machine_self()};
    machine_id to;
    switch ((enum instruction_kind)now->kind) {
    case DO_SEND:
        to = target_of(me, now->b);
        if (to != 0 && burn(me))
            send(to, now->a, now->c, now->d);
        break;
    case DO_CREATE: create(me, now->a); break;
    case DO_CHOOSE: me->number = heddle_choose(now->a); break;
    case DO_RECEIVE: receive(me, hand, now->a); break;
    case DO_ANNOUNCE: machine_announce_at(events[now->a], &load, events[now->a]->size); break;
    case DO_ADD: me->number = (me->number + now->a) % VALUES; break;
    case DO_ADD_LOAD: me->number = (me->number + hand->value) % VALUES; break;
    case DO_LEARN: me->peer = now->a ? hand->names : hand->sender; break;
    case DO_ASSERT: heddle_assert(me->number != now->a); break;
    case DO_HALT:
        if (!hand->moved)
            machine_halt();
        hand->moved = true;
        break;
    case DO_RAISE:
    case DO_GOTO:
    case DO_PUSH:
    case DO_POP: move(me, hand, now); break;
    case DO_ASSUME: heddle_assume(me->number != now->a); break;
    case DO_EXIT:
        if (me->number == now->a)
            exit(now->b);
        break;
    case DO_UNLESS:
    case DO_OLDER:
    case DO_NOTHING:
    case INSTRUCTION_KINDS: break;
    }
}

static bool leaves_out(const struct node *me, const struct instruction *now) {
    if (now->kind == DO_OLDER)
        return me->peer == 0 || me->peer >= machine_self();
    return now->kind == DO_UNLESS && me->number == now->a;
}

static void run(const struct action *action, struct node *me, const struct load *load) {
    struct hand hand = {.sender = machine_sender()};
    if (load != NULL) {
        hand.value = load->value;
        hand.names = load->names;
    }
    for (uint32_t i = 0; i < action->length; i++) {
        perform(me, &hand, &action->list[i]);
        if (leaves_out(me, &action->list[i]))
            i++;
    }
}

/* --- functions for events with a load, for events without one, and for states
 * ------------------- */

#define ALL(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define NODE_FUNCTIONS(n) \
    static void with_##n(void *me, const void *load) { \
        run(&tables.actions[n], me, load); \
    } \
    static void bare_##n(void *me, const void *nothing) { \
        (void)nothing; \
        run(&tables.actions[n], me, NULL); \
    } \
    static void entry_##n(void *me) { \
        run(&tables.actions[n], me, NULL); \
    }
ALL(NODE_FUNCTIONS)
#define WITH(n) with_##n,
#define BARE(n) bare_##n,
#define ENTER(n) entry_##n,
static machine_action *const with[] = {ALL(WITH)}, *const bare[] = {ALL(BARE)};
static machine_entry *const entries[] = {ALL(ENTER)};
_Static_assert(sizeof with / sizeof *with == ACTIONS + EXITS, "one function for each action");

static void watch(const struct action *action, struct watcher *me, const struct load *load) {
    for (uint32_t i = 0; i < action->length; i++) {
        const struct instruction *now = &action->list[i];
        if (now->kind == DO_ADD)
            me->number = (me->number + now->a) % VALUES;
        else if (now->kind == DO_ADD_LOAD && load != NULL)
            me->number = (me->number + load->value) % VALUES;
        else if (now->kind == DO_ASSERT)
            heddle_assert(me->number != now->a);
        else if (now->kind == DO_UNLESS && me->number == now->a)
            i++;
    }
}

#define WATCH_FUNCTIONS(n) \
    static void watch_with_##n(void *me, const void *load) { \
        watch(&tables.watch_actions[n], me, load); \
    } \
    static void watch_bare_##n(void *me, const void *nothing) { \
        (void)nothing; \
        watch(&tables.watch_actions[n], me, NULL); \
    } \
    static void watch_entry_##n(void *me) { \
        watch(&tables.watch_actions[n], me, NULL); \
    }
#define WATCH_ALL(f) f(0) f(1) f(2) f(3)
WATCH_ALL(WATCH_FUNCTIONS)
#define WATCH_WITH(n) watch_with_##n,
#define WATCH_BARE(n) watch_bare_##n,
#define WATCH_ENTER(n) watch_entry_##n,
static machine_action *const watch_with[] = {WATCH_ALL(WATCH_WITH)}, *const watch_bare[] = {
                                                                         WATCH_ALL(WATCH_BARE)};
static machine_entry *const watch_entries[] = {WATCH_ALL(WATCH_ENTER)};
_Static_assert(sizeof watch_with / sizeof *watch_with == WATCH_ACTIONS,
               "one function for each action");

/* --- tables
 * ------------------------------------------------------------------------------------- */

enum { ROWS_MAX = 2 + STATES * (3 + EVENTS) };
static struct machine_row node_rows[TYPES][ROWS_MAX], watch_rows[ROWS_MAX];

static struct machine_row make_row(const struct row *row, uint32_t event, bool monitor) {
    static const enum machine_row_kind kinds[] = {[ROW_ON] = MACHINE_ROW_ON,
                                                  [ROW_PUSH] = MACHINE_ROW_PUSH,
                                                  [ROW_POP] = MACHINE_ROW_POP,
                                                  [ROW_DEFER] = MACHINE_ROW_DEFER,
                                                  [ROW_IGNORE] = MACHINE_ROW_IGNORE};
    machine_action *const *list =
        event == BARE_EVENT ? (monitor ? watch_bare : bare) : (monitor ? watch_with : with);
    struct machine_row made = {.kind = kinds[row->kind], .event = events[event]};
    if (row->target != NO_STATE)
        made.state = state_names[row->target];
    if (row->action != NO_ACTION)
        made.action = list[row->action];
    return made;
}

static struct machine_row *make_states(struct machine_row *at, const struct node_state *states,
                                       bool monitor) {
    machine_entry *const *list = monitor ? watch_entries : entries;
    for (uint32_t i = 0; i < STATES; i++) {
        const struct node_state *state = &states[i];
        *at++ = (struct machine_row){
            .kind = MACHINE_ROW_STATE, .state = state_names[i], .number = i == 0};
        if (state->entry != NO_ACTION)
            *at++ = (struct machine_row){.kind = MACHINE_ROW_ENTRY, .entry = list[state->entry]};
        if (state->exit != NO_ACTION)
            *at++ = (struct machine_row){.kind = MACHINE_ROW_EXIT, .entry = list[state->exit]};
        for (uint32_t j = 0; j < EVENTS; j++)
            if (state->rows[j].kind != ROW_NONE)
                *at++ = make_row(&state->rows[j], j, monitor);
    }
    return at;
}

static void make_types(void) {
    static const char *const names[TYPES] = {"Left", "Right"};
    for (uint32_t i = 0; i < TYPES; i++) {
        struct machine_row *at = node_rows[i];
        if (tables.queue_bound[i] != 0)
            *at++ =
                (struct machine_row){.kind = MACHINE_ROW_QUEUE, .number = tables.queue_bound[i]};
        make_states(at, tables.states[i], false);
        node_types[i] = (struct machine_type){names[i], sizeof(struct node), false, node_rows[i]};
    }
}

static void make_monitor(void) {
    static struct machine_type type = {"Watcher", sizeof(struct watcher), true, watch_rows};
    struct watcher first = {0};
    watch_rows[0] =
        (struct machine_row){.kind = MACHINE_ROW_AT_END, .entry = watch_entries[WATCH_ACTIONS - 1]};
    make_states(watch_rows + 1, tables.watch_states, true);
    machine_watch_at(&type, &first);
}

/* --- the root
 * ----------------------------------------------------------------------------------- */

struct root {
    machine_id nodes[NODES_MAX];
};
DECLARE_MACHINE(Root, struct root);

static void begin(struct root *me) {
    for (uint32_t i = 0; i < tables.nodes; i++) {
        struct node node = {.fuel = tables.node_fuel[i], .first = me->nodes[0]};
        if (i > 0)
            node.peer = me->nodes[i - 1];
        me->nodes[i] = machine_create_at(&node_types[tables.node_type[i]], &node);
    }
    for (uint32_t i = 0; i < tables.starts; i++) {
        const struct start *start = &tables.start[i];
        send(me->nodes[start->node], start->event, start->value, start->channel);
    }
}

MACHINE(Root, START("Here", ENTRY(begin), IGNORE(E0), IGNORE(E1), IGNORE(E2), IGNORE(E3)));

int main(int argc, char **argv) {
    tables_from(&tables, argc, argv);
    make_types();
    if (tables.watched)
        make_monitor();
    return machine_start(Root);
}
