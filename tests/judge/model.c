/* model.c - a breadth-first search over explicit states. Each state is stored once, with the step
 * that first led to it, so that the way to it can be printed. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "state.h"

struct visited {
    struct state state;
    uint32_t from; /* the index of the state before it */
    uint8_t task, way;
};

struct search {
    const struct program *program;
    struct visited *list; /* in the order of discovery */
    uint32_t count, capacity, limit;
    uint32_t *table; /* index + 1 of each state, with open addressing */
    uint32_t table_size;
    struct answer *answer;
    uint64_t wanted; /* the outcome that model_explain looks for */
    bool explains;
    uint32_t found; /* index + 1 of the state with this outcome, or 0 */
    uint32_t sloppy, steps;
};

static uint64_t hash_of(const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    uint64_t hash = size;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, from + i, 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    for (size_t i = size & ~(size_t)7; i < size; i++)
        hash = (hash ^ from[i]) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static uint32_t *slot_of(struct search *search, const struct state *state) {
    uint32_t at = (uint32_t)hash_of(state, sizeof *state) & (search->table_size - 1);
    while (search->table[at] != 0 &&
           memcmp(&search->list[search->table[at] - 1].state, state, sizeof *state) != 0)
        at = (at + 1) & (search->table_size - 1);
    return &search->table[at];
}

static void note_outcome(struct search *search, uint64_t outcome, uint32_t index) {
    struct answer *answer = search->answer;
    if (search->explains && outcome == search->wanted && search->found == 0)
        search->found = index + 1;
    if (answer_has(answer, outcome))
        return;
    if (answer->outcomes == OUTCOMES_MAX) {
        answer->too_big = true;
        return;
    }
    uint32_t at = answer->outcomes++;
    for (; at > 0 && answer->outcome[at - 1] > outcome; at--)
        answer->outcome[at] = answer->outcome[at - 1];
    answer->outcome[at] = outcome;
}

static void note_stuck(struct search *search, uint32_t index) {
    search->answer->stuck = search->answer->may_stick = true;
    if (search->explains && search->wanted == 0 && search->found == 0)
        search->found = index + 1;
}

/* True if the task can take a step in this state. */
static bool can_move(const struct program *program, const struct state *state, int task) {
    for (int way = 0; way < WAYS; way++) {
        struct state next = *state;
        if (state_step(program, &next, task, way))
            return true;
    }
    return false;
}

/* Handles a program that ends while other tasks are blocked. The documents do not say whether this
 * is a finding. */
static void note_left_behind(struct search *search, const struct state *before, int leaver) {
    for (int i = 0; i < search->program->tasks; i++)
        if (i != leaver && before->tasks[i].status == LIVE && before->tasks[i].phase != ASSUMED &&
            !can_move(search->program, before, i))
            search->answer->may_stick = true;
}

static void note_end(struct search *search, const struct state *before, int task, uint32_t index) {
    const struct state *state = &search->list[index].state;
    switch ((enum end)state->end) {
    case OVER:
        note_left_behind(search, before, task);
        note_outcome(search, state->outcome, index);
        break;
    case FAILED: note_outcome(search, state->outcome, index); break;
    case RACY: search->answer->race = true; break;
    case MISUSED: search->answer->misuse = true; break;
    case NOT_OVER:
    case DROPPED: break;
    }
}

static void add(struct search *search, const struct state *state, uint32_t from, int task,
                int way) {
    uint32_t *slot = slot_of(search, state);
    if (*slot == 0) {
        if (search->count == search->limit) {
            search->answer->too_big = true;
            return;
        }
        if (search->count == search->capacity) {
            search->capacity *= 2;
            search->list = realloc(search->list, search->capacity * sizeof *search->list);
            if (search->list == NULL)
                abort();
        }
        search->list[search->count] = (struct visited){
            .state = *state, .from = from, .task = (uint8_t)task, .way = (uint8_t)way};
        *slot = ++search->count;
    }
    if (state->end != NOT_OVER && search->count > 1) {
        struct state before = search->list[from].state;
        note_end(search, &before, task, *slot - 1);
    }
}

static void note_no_step(struct search *search, const struct state *state, uint32_t index) {
    bool assumed = false, blocked = 0;
    for (int i = 0; i < search->program->tasks; i++) {
        assumed |= state->tasks[i].phase == ASSUMED;
        blocked |= state->tasks[i].status == LIVE && state->tasks[i].phase != ASSUMED;
    }
    if (!assumed)
        note_stuck(search, index);
    search->answer->may_stick |= blocked;
}

static void expand(struct search *search, uint32_t index) {
    struct state state = search->list[index].state;
    bool moved = false;
    if (state.end != NOT_OVER)
        return;
    for (int task = 0; task < search->program->tasks; task++)
        for (int way = 0; way < WAYS; way++) {
            struct state next = state;
            if (!state_step(search->program, &next, task, way))
                continue;
            moved = true;
            if (search->sloppy == 0 || ++search->steps % search->sloppy != 0)
                add(search, &next, index, task, way);
        }
    if (!moved)
        note_no_step(search, &state, index);
}

static void run(struct search *search, uint64_t states_max) {
    struct state first;
    search->limit = (uint32_t)states_max;
    search->capacity = 256;
    search->list = calloc(search->capacity, sizeof *search->list);
    for (search->table_size = 1024; search->table_size < 2 * states_max;)
        search->table_size *= 2;
    search->table = calloc(search->table_size, sizeof *search->table);
    if (search->list == NULL || search->table == NULL)
        abort();
    memset(search->answer, 0, sizeof *search->answer);
    state_begin(search->program, &first);
    add(search, &first, 0, 0, 0);
    for (uint32_t i = 0; i < search->count && !search->answer->too_big && search->found == 0; i++)
        expand(search, i);
    search->answer->states = search->count;
}

static void finish(struct search *search) {
    free(search->list);
    free(search->table);
}

void model_answer(const struct program *program, uint64_t states_max, uint32_t sloppy,
                  struct answer *answer) {
    struct search search = {.program = program, .answer = answer, .sloppy = sloppy};
    run(&search, states_max);
    finish(&search);
}

bool answer_has(const struct answer *answer, uint64_t outcome) {
    uint32_t low = 0, high = answer->outcomes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (answer->outcome[middle] < outcome)
            low = middle + 1;
        else
            high = middle;
    }
    return low < answer->outcomes && answer->outcome[low] == outcome;
}

static void print_way(const struct search *search, uint32_t index, FILE *out) {
    static const char *const names[] = {
#define NAME(kind) #kind,
        KINDS(NAME)
#undef NAME
    };
    const struct visited *here = &search->list[index];
    if (index == 0)
        return;
    print_way(search, here->from, out);
    const struct task *task = &search->list[here->from].state.tasks[here->task];
    bool over = task->pc >= search->program->length[here->task];
    fprintf(out, "    task %d, phase %d, pc %d: %s, way %d; sees %llu\n", here->task, task->phase,
            task->pc, over ? "end" : names[search->program->code[here->task][task->pc].kind],
            here->way, (unsigned long long)here->state.tasks[here->task].value);
}

void model_explain(const struct program *program, uint64_t outcome, FILE *out) {
    struct answer answer;
    struct search search = {
        .program = program, .answer = &answer, .wanted = outcome, .explains = true};
    run(&search, 1u << 20);
    if (search.found != 0)
        print_way(&search, search.found - 1, out);
    else
        fprintf(out, "    the model does not reach this outcome\n");
    finish(&search);
}
