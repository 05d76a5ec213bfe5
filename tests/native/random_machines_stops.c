/* random_machines_stops.c - a second model of random_machines, besides random_machines_model.c. It
 * has no outbox: each action stops at each operation, as it does without the tool.
 *
 *     random_machines_stops SEED [CODE...]
 *
 * prints the same line as random_machines_model, with its own numbers of states and transitions.
 * The operations are: take an event, send, create, announce, halt, exit, stop at a false
 * assumption, and fail. A machine stands before one of these. A step performs this operation and
 * runs on to the next one. So a machine can stand anywhere within its functions. Its state says in
 * which function, at which instruction, and what follows. */
#include "random_machines_judge.h"

enum { QUEUE_MAX = 14 };

/* Where a machine stands. */
enum phase {
    AT_REST,     /* takes an event from its queue */
    IN_ACTION,   /* in the action of a row */
    IN_EXIT,     /* in the exit function of the state that it leaves */
    IN_ENTRY,    /* in the entry function of the state that it has entered */
    IN_BUILDING, /* the root creates and sends what the tables say */
    OVER,
};

enum operation { TAKE, SEND, CREATE, ANNOUNCE, RECEIVE, HALT, EXIT, STOP, FAIL };
enum then { THEN_NOTHING, THEN_GOTO, THEN_PUSH, THEN_POP, THEN_HALT, THEN_RAISE };

struct machine {
    uint8_t there, type, depth, stack[STACK_MAX];
    uint8_t number, fuel, generation, peer, first, child;
    uint8_t queued;
    struct message queue[QUEUE_MAX];

    uint8_t phase, function, at; /* the current function, and its next instruction */
    struct message hand;
    uint8_t moved;        /* this function has asked for a move, or raised */
    uint8_t then, target; /* the move that was asked for */
    uint8_t event, level; /* the row whose action runs */
    uint8_t leaves_to,
        enters; /* leaves states down to this depth, then enters state `enters` - 1, or none if 0 */
    struct message raised;
    uint8_t built[NODES_MAX];

    uint8_t operation, detail; /* the operation before which it stands; how, for EXIT and FAIL */
    uint8_t to, again;         /* for SEND */
    uint8_t new_type, new_fuel, new_generation, new_peer, new_first; /* for CREATE */
    struct message message;
    struct channel channel;
};

struct state {
    struct machine machines[MACHINES_MAX]; /* by number; [0] stands for no machine */
    struct watcher watcher;
    uint8_t created;
};

/* --- standing before an operation
 * ----------------------------------------------------------------- */

static void stand(struct machine *me, uint8_t operation, uint8_t detail) {
    me->operation = operation;
    me->detail = detail;
}

/* Clears the operation that is over. */
static void forget_operation(struct machine *me) {
    static const struct channel none;
    static const struct message nothing;
    stand(me, TAKE, 0);
    me->to = me->again = 0;
    me->new_type = me->new_fuel = me->new_generation = me->new_peer = me->new_first = 0;
    me->message = nothing;
    me->channel = none;
}

static struct message message_of(uint8_t id, uint8_t event, uint8_t value) {
    bool bare = event == BARE_EVENT;
    return (struct message){event, bare ? 0 : value, bare ? NOBODY : id, id};
}

static void stand_to_send(struct machine *me, uint8_t id, uint8_t to, uint8_t event, uint8_t value,
                          uint8_t channel) {
    stand(me, SEND, 0);
    me->to = to;
    me->message = message_of(id, event, value);
    me->channel = tables.channels[channel];
}

/* --- one instruction
 * ------------------------------------------------------------------------------ */

static bool burn(struct machine *me) {
    if (me->fuel == 0)
        return false;
    me->fuel--;
    return true;
}

static uint8_t target_of(const struct machine *me, uint8_t id, uint8_t which) {
    return which == TO_PEER    ? me->peer
           : which == TO_FIRST ? me->first
           : which == TO_CHILD ? me->child
                               : id;
}

static void ask_move(struct machine *me, const struct instruction *now) {
    static const uint8_t how[INSTRUCTION_KINDS] = {[DO_HALT] = THEN_HALT,
                                                   [DO_RAISE] = THEN_RAISE,
                                                   [DO_GOTO] = THEN_GOTO,
                                                   [DO_PUSH] = THEN_PUSH,
                                                   [DO_POP] = THEN_POP};
    if (me->moved || (now->kind != DO_HALT && !burn(me)))
        return;
    me->moved = 1;
    me->then = how[now->kind];
    me->target = now->kind == DO_GOTO || now->kind == DO_PUSH ? now->a : 0;
}

/* Stands before a creation, with the first values of the new machine. */
static bool stand_to_create(struct machine *me, uint8_t id, uint8_t type) {
    if (me->generation != 0 || !burn(me))
        return false;
    stand(me, CREATE, 0);
    me->new_type = type;
    me->new_fuel = me->new_generation = 1;
    me->new_peer = id;
    me->new_first = me->peer;
    return true;
}

static void set_raised(struct machine *me, uint8_t id, const struct instruction *now) {
    bool before = me->moved;
    ask_move(me, now);
    if (!before && me->moved) {
        me->raised = message_of(id, now->a, now->b);
        me->raised.sender = NOBODY;
    }
}

/* Performs an instruction. Returns true if the machine now stands before an operation. */
static bool perform(struct machine *me, uint8_t id, const struct instruction *now) {
    uint8_t to;
    switch ((enum instruction_kind)now->kind) {
    case DO_SEND:
        to = target_of(me, id, now->b);
        if (to == NOBODY || !burn(me))
            return false;
        stand_to_send(me, id, to, now->a, now->c, now->d);
        return true;
    case DO_CREATE: return stand_to_create(me, id, now->a);
    case DO_CHOOSE: me->number = choose(now->a); return false;
    case DO_RECEIVE: stand(me, RECEIVE, now->a); return true;
    case DO_ANNOUNCE:
        if (!watched(now->a))
            return false;
        stand(me, ANNOUNCE, 0);
        me->message = message_of(id, now->a, now->b);
        return true;
    case DO_ADD: me->number = (uint8_t)((me->number + now->a) % VALUES); return false;
    case DO_ADD_LOAD: me->number = (uint8_t)((me->number + me->hand.value) % VALUES); return false;
    case DO_LEARN: me->peer = now->a ? me->hand.names : me->hand.sender; return false;
    case DO_OLDER:
        me->at = (uint8_t)(me->at + (me->peer == NOBODY || me->peer >= id));
        return false;
    case DO_UNLESS: me->at = (uint8_t)(me->at + (me->number == now->a)); return false;
    case DO_ASSERT: stand(me, FAIL, ASSERTION); return me->number == now->a;
    case DO_ASSUME: stand(me, STOP, 0); return me->number == now->a;
    case DO_EXIT: stand(me, EXIT, now->b); return me->number == now->a;
    case DO_RAISE: set_raised(me, id, now); return false;
    case DO_HALT:
    case DO_GOTO:
    case DO_PUSH:
    case DO_POP: ask_move(me, now); return false;
    case DO_NOTHING:
    case INSTRUCTION_KINDS: break;
    }
    return false;
}

/* --- one function after the other
 * ----------------------------------------------------------------- */

static const struct node_state *state_of(const struct machine *me, uint8_t level) {
    return &tables.states[me->type][me->stack[level]];
}

static void call(struct machine *me, uint8_t phase, uint8_t function) {
    me->phase = phase;
    me->function = function;
    me->at = me->moved = 0;
    if (phase != IN_ACTION) { /* functions of states do not see the load */
        me->hand.value = 0;
        me->hand.names = NOBODY;
    }
}

static void rest(struct machine *me) {
    me->phase = AT_REST;
    me->function = me->at = me->moved = me->event = me->level = me->leaves_to = me->enters = 0;
    me->then = me->target = 0;
    me->hand = me->raised = (struct message){0};
    stand(me, TAKE, 0);
}

/* Begins the reaction to a message, or stands before a failure if no row handles it. */
static void react(struct machine *me, const struct message *message) {
    uint8_t level;
    const struct row *row =
        row_of(tables.states[me->type], me->stack, me->depth, message->event, &level);
    me->hand = *message;
    me->then = THEN_NOTHING;
    if (row == NULL || row->kind == ROW_DEFER) {
        stand(me, FAIL, UNHANDLED);
        return;
    }
    if (row->kind == ROW_IGNORE) {
        rest(me);
        return;
    }
    me->event = message->event;
    me->level = level;
    call(me, IN_ACTION, row->action);
}

static bool has_function(const struct machine *me) {
    return me->function != NO_ACTION;
}

/* Performs the move that was asked for, or goes on with the reaction. Defined below. */
static bool follow(struct machine *me);

static bool leave_next(struct machine *me) {
    if (me->depth > me->leaves_to) {
        call(me, IN_EXIT, state_of(me, (uint8_t)(me->depth - 1))->exit);
        return true;
    }
    if (me->enters == 0)
        return follow(me);
    if (me->depth == STACK_MAX) {
        stand(me, FAIL, MISUSE);
        return false;
    }
    me->stack[me->depth++] = (uint8_t)(me->enters - 1);
    me->enters = 0;
    call(me, IN_ENTRY, state_of(me, (uint8_t)(me->depth - 1))->entry);
    return true;
}

static bool begin_move(struct machine *me, uint8_t leaves_to, uint8_t enters) {
    me->leaves_to = leaves_to;
    me->enters = enters;
    return leave_next(me);
}

/* Performs the move that was asked for. `level` is the level of the row that asked for it. Returns
 * false if the machine stands before an operation or is at rest. */
static bool follow(struct machine *me) {
    uint8_t then = me->then, level = me->level;
    me->then = THEN_NOTHING;
    switch ((enum then)then) {
    case THEN_GOTO: return begin_move(me, level, (uint8_t)(me->target + 1));
    case THEN_PUSH: return begin_move(me, me->depth, (uint8_t)(me->target + 1));
    case THEN_POP:
        if (me->depth > 1) {
            me->level = (uint8_t)(me->depth - 2);
            return begin_move(me, (uint8_t)(me->depth - 1), 0);
        }
        stand(me, FAIL, MISUSE);
        return false;
    case THEN_HALT: stand(me, HALT, 0); return false;
    case THEN_RAISE: {
        struct message raised = me->raised;
        react(me, &raised);
        return me->phase == IN_ACTION && me->operation != FAIL;
    }
    case THEN_NOTHING: break;
    }
    rest(me);
    return false;
}

/* Asks for the move of the table, after the action of the row has returned. */
static void ask_by_row(struct machine *me) {
    const struct row *row = &state_of(me, me->level)->rows[me->event];
    bool moves = row->target != NO_STATE || row->kind == ROW_POP;
    if (!moves || me->then == THEN_HALT)
        return;
    me->then = row->kind == ROW_POP ? THEN_POP : row->kind == ROW_PUSH ? THEN_PUSH : THEN_GOTO;
    me->target = row->target;
}

/* The current function has returned. Returns false if the machine stands before an operation or is
 * at rest. */
static bool returned(struct machine *me) {
    if (me->phase == IN_EXIT) {
        me->stack[--me->depth] = 0;
        return leave_next(me);
    }
    if (me->phase == IN_ACTION)
        ask_by_row(me);
    else
        me->level = (uint8_t)(me->depth - 1);
    return follow(me);
}

/* The function of the root. `at` counts what it has created and sent. */
static void build(struct machine *me, uint8_t id) {
    uint8_t at = me->at++;
    if (at < tables.nodes) {
        stand(me, CREATE, 0);
        me->new_type = tables.node_type[at];
        me->new_fuel = tables.node_fuel[at];
        me->new_first = at > 0 ? me->built[0] : NOBODY;
        me->new_peer = at > 0 ? me->built[at - 1] : NOBODY;
    } else if (at < tables.nodes + tables.starts) {
        const struct start *start = &tables.start[at - tables.nodes];
        stand_to_send(me, id, me->built[start->node], start->event, start->value, start->channel);
    } else {
        memset(me->built, 0, sizeof me->built);
        rest(me);
    }
}

/* Runs up to the next operation. */
static void run_on(struct machine *me, uint8_t id) {
    if (me->phase == IN_BUILDING)
        build(me, id);
    if (me->type == ROOT || me->phase == AT_REST)
        return;
    for (;;) {
        const struct action *action = has_function(me) ? &tables.actions[me->function] : NULL;
        if (action == NULL || me->at >= action->length) {
            if (!returned(me))
                return;
        } else {
            uint8_t at = me->at++;
            if (perform(me, id, &action->list[at]))
                return;
            stand(me, TAKE, 0);
        }
    }
}

/* --- operations
 * ----------------------------------------------------------------------------------- */

static bool takes(const struct machine *me, uint8_t event) {
    uint8_t level;
    if (me->operation == RECEIVE)
        return me->detail >> event & 1;
    if (me->type == ROOT)
        return true;
    const struct row *row = row_of(tables.states[me->type], me->stack, me->depth, event, &level);
    return row == NULL || row->kind != ROW_DEFER;
}

static uint8_t next_event(const struct machine *me) {
    uint8_t at = 0;
    while (at < me->queued && !takes(me, me->queue[at].event))
        at++;
    return at;
}

static bool is_enabled(const struct state *state, uint8_t id) {
    const struct machine *me = &state->machines[id], *to = &state->machines[me->to];
    if (!me->there || me->phase == OVER)
        return false;
    switch ((enum operation)me->operation) {
    case TAKE:
    case RECEIVE: return next_event(me) < me->queued;
    case SEND:
        return full_at(to->type, &me->channel) != 2 || to->phase == OVER ||
               to->queued < bound_at(to->type, &me->channel);
    case STOP: return false;
    case CREATE:
    case ANNOUNCE:
    case HALT:
    case EXIT:
    case FAIL: break;
    }
    return true;
}

static void take(struct machine *me) {
    uint8_t at = next_event(me), operation = me->operation;
    struct message message = me->queue[at];
    me->queued--;
    memmove(me->queue + at, me->queue + at + 1, (size_t)(me->queued - at) * sizeof *me->queue);
    memset(&me->queue[me->queued], 0, sizeof *me->queue);
    forget_operation(me);
    if (operation == RECEIVE)
        me->hand = message;
    else if (me->type != ROOT)
        react(me, &message);
}

static void arrive(struct machine *to, const struct machine *from) {
    if (to->phase == OVER)
        return;
    if (to->queued >= bound_at(to->type, &from->channel)) {
        if (full_at(to->type, &from->channel) == 0)
            fail_now(OVERFLOW);
    } else if (to->queued == QUEUE_MAX) {
        too_big = wrong_now = true;
    } else {
        to->queue[to->queued++] = from->message;
    }
}

/* Performs a send. Returns false if the event comes once more. */
static bool send(struct state *state, struct machine *me) {
    uint8_t fate = choose((uint8_t)(1 + me->channel.loses + me->channel.doubles));
    bool first = !me->again;
    fate = (uint8_t)(fate == 1 && !me->channel.loses ? 2 : fate);
    if (fate != 1)
        arrive(&state->machines[me->to], me);
    if (first && !wrong_now)
        watcher_sees(&state->watcher, &me->message);
    if (fate != 2)
        return true;
    me->channel.loses = me->channel.doubles = false;
    me->again = 1;
    return false;
}

static void create(struct state *state, struct machine *me) {
    if (state->created + 1 == MACHINES_MAX) {
        too_big = wrong_now = true;
        return;
    }
    uint8_t number = ++state->created;
    struct machine *made = &state->machines[number];
    *made = (struct machine){.there = 1,
                             .type = me->new_type,
                             .fuel = me->new_fuel,
                             .generation = me->new_generation,
                             .peer = me->new_peer,
                             .first = me->new_first,
                             .depth = 1};
    if (me->type == ROOT)
        me->built[me->at - 1] = number;
    else
        me->child = number;
    call(made, IN_ENTRY, state_of(made, 0)->entry);
    run_on(made, number);
}

static void halt(struct machine *me) {
    *me = (struct machine){.there = 1, .type = me->type, .phase = OVER};
}

/* Performs the operation before which the machine stands. Returns true if the machine goes on. */
static bool operate(struct state *state, struct machine *me) {
    switch ((enum operation)me->operation) {
    case TAKE:
    case RECEIVE: take(me); return me->operation != FAIL && me->phase != AT_REST;
    case SEND:
        if (!send(state, me))
            return false;
        break;
    case CREATE: create(state, me); break;
    case ANNOUNCE: watcher_sees(&state->watcher, &me->message); break;
    case HALT: halt(me); return false;
    case EXIT:
        if (me->detail != 0)
            fail_now(NONZERO);
        wrong_now = true;
        return false;
    case FAIL: fail_now((enum finding)me->detail); return false;
    case STOP: return false;
    }
    forget_operation(me);
    return true;
}

/* --- the search
 * ----------------------------------------------------------------------------------- */

static uint32_t count_enabled(const struct state *state) {
    uint32_t count = 0;
    for (uint8_t i = 0; i < MACHINES_MAX; i++)
        count += is_enabled(state, i);
    return count;
}

/* The machine for whose queue this one waits, or NOBODY. */
static uint8_t waits_for(const struct state *state, uint8_t id) {
    const struct machine *machine = &state->machines[id];
    bool held = machine->there && machine->phase != OVER && machine->operation == SEND &&
                !is_enabled(state, id);
    return held ? machine->to : NOBODY;
}

/* Machines that wait for each other are stuck, no matter what others do. */
static bool has_cycle(const struct state *state) {
    for (uint8_t first = 1; first < MACHINES_MAX; first++) {
        uint8_t at = waits_for(state, first);
        for (uint32_t i = 0; i < MACHINES_MAX && at != NOBODY && at != first; i++)
            at = waits_for(state, at);
        if (at == first)
            return true;
    }
    return false;
}

/* No machine can move. Either this is an end, or a machine is stuck. It is neither if an assumption
 * did not hold. */
static void end(struct state *state) {
    bool stuck = false;
    for (uint32_t i = 0; i < MACHINES_MAX; i++) {
        const struct machine *machine = &state->machines[i];
        if (!machine->there || machine->phase == OVER)
            continue;
        if (machine->operation == STOP)
            return;
        stuck |= machine->operation != TAKE;
    }
    if (stuck)
        found[STUCK] = true;
    else if (tables.watched)
        watch(&state->watcher, WATCH_ACTIONS - 1, 0);
    state->watcher.ended = 1;
}

static void explore_step(const struct state *from, uint8_t id) {
    choice_known = 0;
    do {
        struct state to = *from;
        struct machine *me = &to.machines[id];
        choice_at = 0;
        wrong_now = false;
        if (operate(&to, me) && !wrong_now)
            run_on(me, id);
        if (!wrong_now && has_cycle(&to))
            found[STUCK] = true;
        if (!wrong_now && count_enabled(&to) == 0)
            end(&to);
        if (!wrong_now)
            add_state(&to);
    } while (next_choices() && !too_big);
}

static void explore(void) {
    for (uint32_t i = 0; i < state_count && !too_big; i++) {
        struct state from = *(const struct state *)state_at(i);
        for (uint8_t id = 0; id < MACHINES_MAX; id++)
            if (is_enabled(&from, id))
                explore_step(&from, id);
    }
    printf("%u 0 0 ", state_count);
}

static void begin(void) {
    struct state first;
    memset(&first, 0, sizeof first);
    if (tables.watched)
        watcher_enters(&first.watcher, 0);
    uint8_t root = ++first.created;
    first.machines[root] = (struct machine){.there = 1, .type = ROOT, .phase = IN_BUILDING};
    run_on(&first.machines[root], root);
    if (!wrong_now)
        add_state(&first);
}

int main(int argc, char **argv) {
    tables_from(&tables, argc, argv);
    states_begin(sizeof(struct state));
    begin();
    explore();
    print_findings();
    states_end();
    return 0;
}
