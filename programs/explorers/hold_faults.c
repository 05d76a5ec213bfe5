/* hold_faults.c - a custom delaying explorer: faults, and who looks for them, wait until the system has
 * initialised (001, section 6.3). Good at what fails only if a fault comes after that.
 *
 *     heddle run --strategy=ses --explorer=programs/explorers/hold_faults.c ./test
 *
 * It goes round the machines: first those that do the work, then those whose type is named in `held`.
 * From heddle_hint("initialised") on, those that were held come first. */
#include <heddle/explorer.h>
#include <string.h>

static const char *const held[] = {"Fault", "Failure", "Monitor"}; /* how their names begin */

struct rounds {
    struct heddle_order half[2]; /* 0: who works, 1: who is held */
    uint16_t first;              /* which half comes first */
    uint16_t at;                 /* whose turn it is, counted through both */
};

static uint32_t next(const void *state) {
    const struct rounds *self = state;
    uint16_t count = self->half[self->first].count;
    return self->at < count ? self->half[self->first].tasks[self->at]
                            : self->half[!self->first].tasks[self->at - count];
}

static void delay(void *state) {
    struct rounds *self = state;
    self->at = (uint16_t)((self->at + 1) % (self->half[0].count + self->half[1].count));
}

static void begin(void *state, uint64_t seed) {
    (void)state, (void)seed;
}

static void start(void *state, uint32_t task, const char *kind) {
    struct rounds *self = state;
    uint16_t half = 0;
    for (size_t i = 0; kind != NULL && i < sizeof held / sizeof *held; i++)
        half |= strncmp(kind, held[i], strlen(held[i])) == 0;
    if (half == self->first && self->at >= self->half[half].count && self->at > 0)
        self->at++; /* it stands before whose turn it is */
    heddle_order_append(&self->half[half], task);
}

static void finish(void *state, uint32_t task) {
    struct rounds *self = state;
    uint32_t half = heddle_order_find(&self->half[1], task) < self->half[1].count;
    uint32_t place = heddle_order_find(&self->half[half], task);
    if (half != self->first)
        place += self->half[self->first].count;
    heddle_order_remove(&self->half[half], task);
    if (place < self->at)
        self->at--;
    if (self->at == self->half[0].count + self->half[1].count)
        self->at = 0;
}

static void step(void *state, const struct heddle_step *step) {
    struct rounds *self = state;
    bool was_held = heddle_order_find(&self->half[1], step->task) < self->half[1].count;
    if (step->kind == HEDDLE_STEP_HINT && step->text && !strcmp(step->text, "initialised"))
        self->first = 1, self->at = 0;
    else if (step->kind == HEDDLE_STEP_MOVED && was_held && self->first == 0)
        self->at = 0; /* the work goes on */
    else if (step->kind == HEDDLE_STEP_BLOCKED && step->task == next(state))
        delay(state);
}

const struct heddle_explorer heddle_explorer = {
    .name = "hold-faults",
    .summary = "faults and monitors wait for \"initialised\", and come first then",
    .size = sizeof(struct rounds),
    .begin = begin,
    .next = next,
    .delay = delay,
    .start = start,
    .finish = finish,
    .step = step,
};
