/* random_machines_model.c - a model of random_machines, written from the text of heddle/machine.h:
 * a breadth-first search over explicit states. It shares the tables with the program, and nothing
 * with Heddle.
 *
 *     random_machines_model SEED [CODE...]
 *
 * prints one line: states, transitions, final states, kinds of findings, features. States and
 * transitions count from the first state that has more than one way to go on. If there are more
 * than STATES_MAX states (an environment variable), the model gives up.
 *
 * A machine takes a step as follows. If its outbox is not empty, the first entry is delivered.
 * Otherwise the machine takes the first event that it does not defer, and reacts. A halt, an exit
 * and a false assumption are the last entry of the outbox. So is an error after a send, or in the
 * step of a creation. After that the machine takes no more events, and only the length of its queue
 * matters. It halts when an event waits in its queue, because no other machine can notice the halt
 * earlier, or at the very end. A machine that waits in machine_receive, or before it creates
 * another one, has a struct resume: it says which instruction of which function comes next.
 * Machines are numbered in the order of their creation. Two states with the same machines in
 * another order of creation are different, so each machine has a name as well.
 *
 * random_machines_stops.c is the same without an outbox: there an action stops at each send. */
#include "random_machines_judge.h"

enum {
    QUEUE_MAX = 14,
    OUTBOX_MAX = 15,
};

/* --- states
 * ------------------------------------------------------------------------------------- */

enum outgoing_kind { SEND, CREATE, ANNOUNCE, HALT, EXIT, STOP, WRONG };

struct outgoing {
    uint8_t kind, to, again;
    uint8_t detail;                              /* EXIT: the status; WRONG: the finding */
    uint8_t type, fuel, generation, peer, first; /* for CREATE: the new machine */
    struct message message;
    struct channel channel;
};

enum then { THEN_NOTHING, THEN_GOTO, THEN_PUSH, THEN_POP, THEN_HALT, THEN_RAISE };

struct resume {
    uint8_t waits, creates, wanted;
    uint8_t action, at; /* the action, and the instruction at which it goes on */
    uint8_t in_entry;   /* 1: an entry function; 0: the action of a row, for `event` at `level` */
    uint8_t event, level;
    uint8_t moved, then, target;
    struct message raised, hand;
};

struct machine {
    uint8_t there, name, halted, type, depth;
    uint8_t stack[STACK_MAX];
    uint8_t number, fuel, generation, peer, first, child, children;
    uint8_t queued, outgoing;
    uint8_t built[NODES_MAX]; /* for the root: the nodes that it has created */
    struct resume resume;
    struct message queue[QUEUE_MAX];
    struct outgoing outbox[OUTBOX_MAX];
};

struct state {
    struct machine machines[MACHINES_MAX]; /* by number; [0] stands for main, and for no machine */
    struct watcher watcher;
    uint8_t created;
};

/* --- names: the n-th child of a machine has the same name in every execution
 * --------------------- */

static struct { uint8_t parent, nth; } names[MACHINES_MAX];
static uint8_t name_count = 1;

static uint8_t name_of(uint8_t parent, uint8_t nth) {
    for (uint8_t i = 1; i < name_count; i++)
        if (names[i].parent == parent && names[i].nth == nth)
            return i;
    if (name_count == MACHINES_MAX) {
        too_big = true;
        return 1;
    }
    names[name_count].parent = parent;
    names[name_count].nth = nth;
    return name_count++;
}

/* --- one step
 * ------------------------------------------------------------------------------------- */

static bool left_now;              /* the current action has come to its end */
static struct machine *acting_now; /* the machine whose action runs, or NULL */
static bool starts_now; /* in this step the machine was created, or created another one */

static bool over(void) {
    return wrong_now || left_now;
}

/* Ends the current action with an entry of the outbox. */
static void leave_by(uint8_t kind, uint8_t detail) {
    if (acting_now->outgoing == OUTBOX_MAX) {
        too_big = wrong_now = true;
        return;
    }
    acting_now->outbox[acting_now->outgoing++] = (struct outgoing){.kind = kind, .detail = detail};
    left_now = true;
}

static void wrong(enum finding kind) {
    if (over())
        return;
    if (acting_now != NULL && (starts_now || acting_now->outgoing > 0)) {
        leave_by(WRONG, (uint8_t)kind);
        return;
    }
    fail_now(kind);
}

static bool has_halted(const struct machine *machine) {
    return machine->halted && machine->outgoing == 0;
}

/* --- which events a machine takes
 * ----------------------------------------------------------------- */

static bool takes(const struct machine *machine, uint8_t event) {
    uint8_t level;
    if (machine->resume.waits)
        return machine->resume.wanted >> event & 1;
    if (machine->type == ROOT)
        return true;
    const struct row *row =
        row_of(tables.states[machine->type], machine->stack, machine->depth, event, &level);
    return row == NULL || row->kind != ROW_DEFER;
}

/* The place in the queue of the next event to take, or `queued` if there is none. */
static uint8_t next_event(const struct machine *machine) {
    uint8_t at = 0;
    while (at < machine->queued && !takes(machine, machine->queue[at].event))
        at++;
    return at;
}

static bool is_held(const struct state *state, const struct outgoing *first) {
    const struct machine *to = &state->machines[first->to];
    return full_at(to->type, &first->channel) == 2 && !has_halted(to) &&
           to->queued >= bound_at(to->type, &first->channel);
}

static bool is_enabled(const struct state *state, const struct machine *machine) {
    if (!machine->there)
        return false;
    if (machine->outgoing == 0)
        return !machine->halted && next_event(machine) < machine->queued;
    switch ((enum outgoing_kind)machine->outbox[0].kind) {
    case SEND: return !is_held(state, &machine->outbox[0]);
    case HALT: return machine->queued > 0;
    case STOP: return false;
    case CREATE:
    case ANNOUNCE:
    case EXIT:
    case WRONG: break;
    }
    return true;
}

/* --- reactions
 * ------------------------------------------------------------------------------------ */

/* A machine that reacts, and what its functions ask for. */
struct acting {
    struct state *state;
    struct machine *me;
    uint8_t id;
    struct message hand; /* the event, as the current function sees it */
    struct message raised;
    uint8_t then, target;
    bool moved, waits;
};

static struct outgoing *send_out(struct acting *acting, uint8_t kind) {
    if (acting->me->outgoing == OUTBOX_MAX) {
        too_big = wrong_now = true;
        return &acting->me->outbox[0];
    }
    struct outgoing *made = &acting->me->outbox[acting->me->outgoing++];
    memset(made, 0, sizeof *made);
    made->kind = kind;
    return made;
}

static struct message message_of(const struct acting *acting, uint8_t event, uint8_t value) {
    bool bare = event == BARE_EVENT;
    return (struct message){event, bare ? 0 : value, bare ? NOBODY : acting->id, acting->id};
}

static void ask_send(struct acting *acting, uint8_t to, uint8_t event, uint8_t value,
                     uint8_t channel) {
    struct outgoing *made = send_out(acting, SEND);
    made->to = to;
    made->message = message_of(acting, event, value);
    made->channel = tables.channels[channel];
}

static bool burn(struct acting *acting) {
    if (acting->me->fuel == 0)
        return false;
    acting->me->fuel--;
    return true;
}

/* Returns false if the machine creates nothing. */
static bool ask_create(struct acting *acting, uint8_t type) {
    struct machine *me = acting->me;
    if (me->generation != 0 || !burn(acting))
        return false;
    struct outgoing *made = send_out(acting, CREATE);
    made->type = type;
    made->fuel = made->generation = 1;
    made->peer = acting->id;
    made->first = me->peer;
    return true;
}

static uint8_t target_of(const struct acting *acting, uint8_t which) {
    const struct machine *me = acting->me;
    return which == TO_PEER    ? me->peer
           : which == TO_FIRST ? me->first
           : which == TO_CHILD ? me->child
                               : acting->id;
}

static void ask_move(struct acting *acting, const struct instruction *now) {
    static const uint8_t how[] = {[DO_HALT] = THEN_HALT,
                                  [DO_RAISE] = THEN_RAISE,
                                  [DO_GOTO] = THEN_GOTO,
                                  [DO_PUSH] = THEN_PUSH,
                                  [DO_POP] = THEN_POP};
    if (acting->moved || (now->kind != DO_HALT && !burn(acting)))
        return;
    acting->moved = true;
    acting->then = how[now->kind];
    acting->target = now->kind == DO_GOTO || now->kind == DO_PUSH ? now->a : 0;
    if (now->kind == DO_RAISE) {
        acting->raised = message_of(acting, now->a, now->b);
        acting->raised.sender = NOBODY;
    }
}

/* Runs an action from an instruction on. Returns false if it waits in a receive or a creation. */
static bool run(struct acting *acting, uint8_t number, uint8_t from) {
    const struct action *action = &tables.actions[number];
    struct machine *me = acting->me;
    for (uint8_t i = from; i < action->length && !over(); i++) {
        const struct instruction *now = &action->list[i];
        switch ((enum instruction_kind)now->kind) {
        case DO_SEND:
            if (target_of(acting, now->b) != NOBODY && burn(acting))
                ask_send(acting, target_of(acting, now->b), now->a, now->c, now->d);
            break;
        case DO_CREATE:
            if (!ask_create(acting, now->a))
                break;
            me->resume = (struct resume){
                .creates = 1, .action = number, .at = (uint8_t)(i + 1), .hand = acting->hand};
            return false;
        case DO_CHOOSE: me->number = choose(now->a); break;
        case DO_RECEIVE:
            me->resume = (struct resume){
                .waits = 1, .wanted = now->a, .action = number, .at = (uint8_t)(i + 1)};
            acting->waits = true;
            return false;
        case DO_ANNOUNCE:
            if (watched(now->a))
                send_out(acting, ANNOUNCE)->message = message_of(acting, now->a, now->b);
            break;
        case DO_ADD: me->number = (uint8_t)((me->number + now->a) % VALUES); break;
        case DO_ADD_LOAD: me->number = (uint8_t)((me->number + acting->hand.value) % VALUES); break;
        case DO_LEARN: me->peer = now->a ? acting->hand.names : acting->hand.sender; break;
        case DO_OLDER: i = (uint8_t)(i + (me->peer == NOBODY || me->peer >= acting->id)); break;
        case DO_UNLESS: i = (uint8_t)(i + (me->number == now->a)); break;
        case DO_ASSERT:
            if (me->number == now->a)
                wrong(ASSERTION);
            break;
        case DO_HALT:
        case DO_RAISE:
        case DO_GOTO:
        case DO_PUSH:
        case DO_POP: ask_move(acting, now); break;
        case DO_ASSUME:
            if (me->number == now->a)
                leave_by(STOP, 0);
            break;
        case DO_EXIT:
            if (me->number == now->a)
                leave_by(EXIT, now->b);
            break;
        case DO_NOTHING:
        case INSTRUCTION_KINDS: break;
        }
    }
    return true;
}

/* Functions of states do not see the load of the event. They still know its sender. */
static void without_load(struct acting *acting) {
    acting->hand.value = 0;
    acting->hand.names = NOBODY;
}

static const struct node_state *states_of(const struct machine *machine) {
    return tables.states[machine->type];
}

static void leave(struct acting *acting) {
    struct machine *me = acting->me;
    uint8_t exit = states_of(me)[me->stack[me->depth - 1]].exit;
    without_load(acting);
    acting->moved = false;
    if (exit != NO_ACTION)
        run(acting, exit, 0);
    me->stack[--me->depth] = 0;
}

/* Enters a state. Returns false if its entry function waits. */
static bool enter(struct acting *acting, uint8_t target) {
    struct machine *me = acting->me;
    if (me->depth == STACK_MAX) {
        wrong(MISUSE);
        return true;
    }
    me->stack[me->depth++] = target;
    without_load(acting);
    acting->moved = false;
    uint8_t entry = states_of(me)[target].entry;
    return entry == NO_ACTION || run(acting, entry, 0);
}

static bool move(struct acting *acting, uint8_t then, uint8_t level) {
    struct machine *me = acting->me;
    uint8_t target = acting->target;
    switch ((enum then)then) {
    case THEN_GOTO:
        while (me->depth > level && !over())
            leave(acting);
        return over() || enter(acting, target);
    case THEN_PUSH: return enter(acting, target);
    case THEN_POP:
        if (me->depth == 1)
            wrong(MISUSE);
        else
            leave(acting);
        break;
    case THEN_HALT: me->halted = 1; break;
    case THEN_RAISE:
    case THEN_NOTHING: break;
    }
    return true;
}

/* Moves until only a raise, or nothing, is asked for. Returns false if an entry function waits. */
static bool settle(struct acting *acting, uint8_t level) {
    while (acting->then != THEN_NOTHING && acting->then != THEN_RAISE && !acting->me->halted &&
           !over()) {
        uint8_t then = acting->then;
        acting->then = THEN_NOTHING;
        if (!move(acting, then, level)) {
            acting->me->resume.in_entry = 1;
            return false;
        }
        level = (uint8_t)(acting->me->depth - 1);
    }
    return true;
}

/* Makes the move of the table, after the action of its row. */
static bool finish_row(struct acting *acting, const struct row *row, uint8_t level) {
    bool moves = row->target != NO_STATE || row->kind == ROW_POP;
    if (over())
        return true;
    if (moves && acting->then != THEN_HALT) {
        acting->then = row->kind == ROW_POP    ? THEN_POP
                       : row->kind == ROW_PUSH ? THEN_PUSH
                                               : THEN_GOTO;
        acting->target = row->target;
    }
    return settle(acting, level);
}

static bool react(struct acting *acting, const struct message *message) {
    struct machine *me = acting->me;
    uint8_t level;
    const struct row *row = row_of(states_of(me), me->stack, me->depth, message->event, &level);
    if (row == NULL || row->kind == ROW_DEFER) {
        wrong(UNHANDLED);
        return true;
    }
    if (row->kind == ROW_IGNORE)
        return true;
    acting->hand = *message;
    acting->moved = false;
    if (row->action != NO_ACTION && !run(acting, row->action, 0)) {
        me->resume.event = message->event;
        me->resume.level = level;
        return false;
    }
    return finish_row(acting, row, level);
}

static bool handle_raised(struct acting *acting) {
    while (acting->then == THEN_RAISE && !acting->me->halted && !over()) {
        struct message raised = acting->raised;
        acting->then = THEN_NOTHING;
        if (!react(acting, &raised))
            return false;
    }
    return true;
}

/* The machine waits within a function. Keeps what it needs later. */
static void keep(struct acting *acting) {
    struct resume *resume = &acting->me->resume;
    resume->moved = acting->moved;
    resume->then = acting->then;
    resume->target = acting->then == THEN_GOTO || acting->then == THEN_PUSH ? acting->target : 0;
    if (acting->then == THEN_RAISE)
        resume->raised = acting->raised;
}

static bool resume(struct acting *acting) {
    struct machine *me = acting->me;
    struct resume from = me->resume;
    memset(&me->resume, 0, sizeof me->resume);
    acting->moved = from.moved;
    acting->then = from.then;
    acting->target = from.target;
    acting->raised = from.raised;
    if (from.creates)
        acting->hand = from.hand;
    if (!run(acting, from.action, from.at)) {
        me->resume.in_entry = from.in_entry;
        me->resume.event = from.event;
        me->resume.level = from.level;
        return false;
    }
    if (from.in_entry)
        return settle(acting, (uint8_t)(me->depth - 1));
    const struct row *row = &states_of(me)[me->stack[from.level]].rows[from.event];
    return finish_row(acting, row, from.level);
}

/* Keeps only what the machine sends, and the number of events that wait for it. */
static void finish(struct machine *machine) {
    struct machine ended = {.there = 1,
                            .name = machine->name,
                            .halted = 1,
                            .type = machine->type,
                            .queued = machine->queued,
                            .outgoing = machine->outgoing};
    memcpy(ended.outbox, machine->outbox, sizeof ended.outbox);
    *machine = ended;
}

static void forget(struct machine *machine) {
    *machine =
        (struct machine){.there = 1, .name = machine->name, .halted = 1, .type = machine->type};
}

/* Completes a reaction, or the rest of one. */
static void complete(struct acting *acting, bool came_through) {
    if (came_through)
        came_through = handle_raised(acting);
    if (!came_through)
        keep(acting);
    else if (acting->me->halted && !over())
        leave_by(HALT, 0);
    if (left_now)
        finish(acting->me);
    left_now = starts_now = false;
    acting_now = NULL;
}

/* --- steps
 * ---------------------------------------------------------------------------------------- */

/* The root creates one node after the other, then sends the first events. */
static void root_goes_on(struct acting *acting) {
    struct machine *me = acting->me;
    uint8_t at = me->resume.at;
    if (at < tables.nodes) {
        struct outgoing *made = send_out(acting, CREATE);
        made->type = tables.node_type[at];
        made->fuel = tables.node_fuel[at];
        made->first = me->built[0];
        made->peer = at > 0 ? me->built[at - 1] : NOBODY;
        me->resume.creates = 1;
        return;
    }
    memset(&me->resume, 0, sizeof me->resume);
    for (uint8_t i = 0; i < tables.starts; i++)
        ask_send(acting, me->built[tables.start[i].node], tables.start[i].event,
                 tables.start[i].value, tables.start[i].channel);
}

/* A new machine enters its first state. */
static void start(struct state *state, uint8_t id) {
    struct machine *made = &state->machines[id];
    struct acting acting = {.state = state, .me = made, .id = id};
    if (made->type == ROOT) {
        root_goes_on(&acting);
        return;
    }
    acting_now = made;
    starts_now = true;
    bool came_through = enter(&acting, 0);
    if (came_through)
        came_through = settle(&acting, 0);
    else
        made->resume.in_entry = 1;
    complete(&acting, came_through);
}

/* The creator goes on, and knows the number of the new machine. */
static void go_on(struct state *state, uint8_t id, uint8_t number) {
    struct machine *me = &state->machines[id];
    struct acting acting = {.state = state, .me = me, .id = id};
    if (me->type == ROOT) {
        me->built[me->resume.at++] = number;
        root_goes_on(&acting);
    } else if (id != 0) {
        me->child = number;
        acting_now = me;
        starts_now = true;
        complete(&acting, resume(&acting));
    }
}

static void make(struct state *state, uint8_t creator, const struct outgoing *first) {
    if (state->created + 1 == MACHINES_MAX) {
        too_big = wrong_now = true;
        return;
    }
    uint8_t number = ++state->created;
    struct machine *me = &state->machines[creator];
    state->machines[number] = (struct machine){.there = 1,
                                               .name = name_of(me->name, me->children++),
                                               .type = first->type,
                                               .fuel = first->fuel,
                                               .generation = first->generation,
                                               .peer = first->peer,
                                               .first = first->first};
    go_on(state, creator, number);
    if (!wrong_now)
        start(state, number);
}

static void push(struct machine *to, const struct outgoing *first) {
    if (has_halted(to))
        return;
    if (to->queued >= bound_at(to->type, &first->channel)) {
        if (full_at(to->type, &first->channel) == 0)
            wrong(OVERFLOW);
        return;
    }
    if (to->queued == QUEUE_MAX) {
        too_big = wrong_now = true;
        return;
    }
    to->queue[to->queued++] = to->halted ? (struct message){0} : first->message;
}

/* Delivers the last entry of the outbox. explore() handles an exit. */
static void deliver_end(struct machine *me) {
    const struct outgoing *end = &me->outbox[0];
    if (end->kind == HALT)
        forget(me);
    else if (end->kind == WRONG)
        wrong((enum finding)end->detail);
    else if (end->detail != 0)
        wrong(NONZERO);
    else
        wrong_now = true;
}

static void deliver(struct state *state, uint8_t id) {
    struct machine *me = &state->machines[id];
    struct outgoing first = me->outbox[0];
    uint8_t fate = 0; /* 1: the event is lost; 2: it comes twice */
    if (first.kind >= HALT) {
        deliver_end(me);
        return;
    }
    if (first.kind == SEND) {
        fate = choose((uint8_t)(1 + first.channel.loses + first.channel.doubles));
        fate = (uint8_t)(fate == 1 && !first.channel.loses ? 2 : fate);
    }
    if (fate == 2) { /* the second one is never lost, but may find no room */
        me->outbox[0].again = 1;
        me->outbox[0].channel.loses = me->outbox[0].channel.doubles = false;
    } else {
        memmove(me->outbox, me->outbox + 1, --me->outgoing * sizeof *me->outbox);
        memset(&me->outbox[me->outgoing], 0, sizeof *me->outbox);
    }
    if (first.kind == CREATE)
        make(state, id, &first);
    else if (first.kind == SEND && fate != 1)
        push(&state->machines[first.to], &first);
    if (first.kind != CREATE && !first.again)
        watcher_sees(&state->watcher, &first.message);
}

static void take(struct state *state, uint8_t id) {
    struct machine *me = &state->machines[id];
    uint8_t at = next_event(me);
    struct message message = me->queue[at];
    struct acting acting = {.state = state, .me = me, .id = id, .hand = message};
    memmove(me->queue + at, me->queue + at + 1, (size_t)(--me->queued - at) * sizeof *me->queue);
    memset(&me->queue[me->queued], 0, sizeof *me->queue);
    if (me->type == ROOT)
        return;
    acting_now = me;
    complete(&acting, me->resume.waits ? resume(&acting) : react(&acting, &message));
}

static uint32_t count_enabled(const struct state *state) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MACHINES_MAX; i++)
        count += is_enabled(state, &state->machines[i]);
    return count;
}

static bool halts(const struct machine *machine) {
    return machine->outgoing > 0 && machine->outbox[0].kind == HALT;
}

static bool any_stopped(const struct state *state) {
    for (uint32_t i = 0; i < MACHINES_MAX; i++)
        if (state->machines[i].outgoing > 0 && state->machines[i].outbox[0].kind == STOP)
            return true;
    return false;
}

/* The machine for whose queue this one waits, or NOBODY. */
static uint8_t waits_for(const struct state *state, uint8_t id) {
    const struct machine *machine = &state->machines[id];
    bool held = machine->there && machine->outgoing > 0 && machine->outbox[0].kind == SEND &&
                is_held(state, &machine->outbox[0]);
    return held ? machine->outbox[0].to : NOBODY;
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
    if (any_stopped(state))
        return;
    for (uint32_t i = 0; i < MACHINES_MAX; i++) {
        const struct machine *machine = &state->machines[i];
        if (machine->resume.waits || (machine->outgoing > 0 && !halts(machine))) {
            found[STUCK] = true;
            return;
        }
    }
    for (uint32_t i = 0; i < MACHINES_MAX; i++)
        if (halts(&state->machines[i]))
            forget(&state->machines[i]);
    if (tables.watched)
        watch(&state->watcher, WATCH_ACTIONS - 1, 0);
    state->watcher.ended = 1;
}

static void step(struct state *state, uint8_t id) {
    struct machine *me = &state->machines[id];
    if (me->outgoing > 0)
        deliver(state, id);
    else
        take(state, id);
    if (wrong_now)
        return;
    if (has_cycle(state))
        found[STUCK] = true;
    if (count_enabled(state) == 0)
        end(state);
}

/* --- the breadth-first search
 * --------------------------------------------------------------------- */

/* True if an execution ends here: no machine can move, or a machine exits. */
static bool is_final(const struct state *state, uint32_t enabled) {
    for (uint32_t i = 0; i < MACHINES_MAX; i++) {
        const struct machine *machine = &state->machines[i];
        if (machine->outgoing > 0 && machine->outbox[0].kind == EXIT)
            return true;
    }
    return enabled == 0 && !any_stopped(state);
}

struct totals {
    uint64_t transitions, finals;
    bool branched;
};

/* Takes a step in all its ways. */
static void explore_step(const struct state *from, uint8_t id, struct totals *totals) {
    choice_known = 0;
    do {
        struct state to = *from;
        choice_at = 0;
        wrong_now = left_now = starts_now = false;
        acting_now = NULL;
        step(&to, id);
        totals->branched |= choice_known > 0;
        totals->transitions += totals->branched;
        if (!wrong_now)
            add_state(&to);
    } while (next_choices() && !too_big);
}

/* Explores all states. The states before the first one with more than one way on are not
 * counted. */
static void explore(struct totals *totals) {
    uint32_t uncounted = 0;
    for (uint32_t i = 0; i < state_count && !too_big; i++) {
        struct state from = *(const struct state *)state_at(i);
        uint32_t enabled = count_enabled(&from);
        if (enabled > 1)
            totals->branched = true;
        totals->finals += is_final(&from, enabled);
        uncounted += !totals->branched;
        for (uint8_t id = 0; id < MACHINES_MAX; id++)
            if (is_enabled(&from, &from.machines[id]))
                explore_step(&from, id, totals);
    }
    printf("%u %llu %llu ", state_count - uncounted, (unsigned long long)totals->transitions,
           (unsigned long long)totals->finals);
}

/* machine_start: the monitor enters its first state, and the root is about to be created. */
static void begin(void) {
    struct state first;
    memset(&first, 0, sizeof first);
    if (tables.watched)
        watcher_enters(&first.watcher, 0);
    first.machines[0] = (struct machine){.there = 1, .halted = 1, .outgoing = 1};
    first.machines[0].outbox[0] = (struct outgoing){.kind = CREATE, .type = ROOT};
    if (!wrong_now)
        add_state(&first);
}

int main(int argc, char **argv) {
    struct totals totals = {0};
    tables_from(&tables, argc, argv);
    states_begin(sizeof(struct state));
    begin();
    explore(&totals);
    print_findings();
    states_end();
    return 0;
}
