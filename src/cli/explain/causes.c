/* causes.c - see causes.h. The operations of all rows and notes are put into one list, as if they
 * were an execution. collect.c then names them as it does for any finding. */
#define _GNU_SOURCE
#include "cli/explain/causes.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/supervise/sound.h"
#include "reports/describe.h"

/* --- names ---------------------------------------------------------------------------------- */

static const char *noun_of_kind(uint8_t kind) {
    const char *noun = op_subject(kind)->noun;
    return noun != NULL ? noun : op_info(kind)->name;
}

/* If the pair shares no object, one operation may depend on everything; then the noun is the name
 * of that operation. A wait on a condition variable and a lock share the mutex. */
static const char *noun_of(const struct branch_row *row) {
    if (row->tag != CHOICE_SCHEDULE)
        return "choice";
    if (row->fatal && row->object == 0)
        return "failure";
    bool waiters = op_has(row->kinds[0], WITH_MUTEX) && op_has(row->kinds[1], WITH_MUTEX);
    const char *mutex = op_subjects[ABOUT_MUTEX].noun;
    const char *noun = waiters ? mutex : noun_of_kind(row->kinds[0]);
    for (uint32_t i = 0; i < 2; i++)
        if (op_info(row->kinds[i])->about == ABOUT_MUTEX)
            noun = mutex;
    for (uint32_t i = 0; i < 2 && row->object == 0; i++)
        if (op_info(row->kinds[i])->effect == EFFECT_WRITE &&
            op_info(row->kinds[i])->class == CLASS_ALL)
            noun = noun_of_kind(row->kinds[i]);
    return noun;
}

/* "a[3].next" as "a[...].next", any place of a heap as "heap", any of a stack as "stack". */
static const char *family_of(struct trace *trace, const char *name) {
    char text[SYMBOLS_NAME + 8], *to = text;
    if (strncmp(name, "heap of ", 8) == 0)
        return "heap";
    if (strncmp(name, "stack of ", 9) == 0)
        return "stack";
    while (*name && to < text + SYMBOLS_NAME) {
        *to++ = *name++;
        if (to[-1] == '[' && strchr(name, ']') != NULL) {
            name = strchr(name, ']');
            to = stpcpy(to, "...");
        }
    }
    *to = '\0';
    return trace_copy(trace, text);
}

static const char *object_of(const struct causes *causes, const struct branch_row *row) {
    const char *name = row->object ? trace_object_name(&causes->trace, row->object) : "";
    return name != NULL ? name : "memory without a name";
}

/* --- from the session ----------------------------------------------------------------------- */

/* The rows with most branches come first. The rest of the comparison makes the order unique. */
static int compare_rows(const void *a, const void *b) {
    const struct branch_row *x = *(const struct branch_row *const *)a;
    const struct branch_row *y = *(const struct branch_row *const *)b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    for (uint32_t i = 0; i < 2; i++)
        if (x->places[i] != y->places[i])
            return x->places[i] < y->places[i] ? -1 : 1;
    return memcmp(x->kinds, y->kinds, sizeof x->kinds);
}

static void sort_rows(struct causes *causes) {
    const struct branches *branches = causes->branches;
    causes->rows = calloc(branches->row_count + 1, sizeof *causes->rows);
    CHECK(causes->rows);
    for (uint32_t i = 0; i < branches->row_count; i++)
        causes->rows[i] = &branches->rows[i];
    causes->row_count = branches->row_count;
    qsort(causes->rows, causes->row_count, sizeof *causes->rows, compare_rows);
}

static struct event event_of(const struct branch_row *row, uint32_t side) {
    return (struct event){.op = {.kind = row->kinds[side],
                                 .target = NO_TASK,
                                 .object = row->object,
                                 .pc = row->places[side]},
                          .task = row->tasks[side]};
}

/* collect.c names a task without a function of its own after the outermost function on its stack.
 * Here a stack is one place only, so such a name is dropped. */
static void drop_guessed_names(struct trace *trace, struct symbols *symbols) {
    char name[SYMBOLS_NAME];
    for (uint32_t i = 1; i < trace->task_count; i++)
        if (!symbols_own_function(symbols, trace->tasks[i].entry, name, sizeof name))
            trace->tasks[i].function = "";
}

static void name_everything(struct causes *causes, const struct collect_source *source) {
    const struct branches *branches = causes->branches;
    uint32_t count = 2 * (causes->row_count + branches->note_count);
    struct event *events = calloc(count + 1, sizeof *events), *to = events;
    CHECK(events);
    for (uint32_t i = 0; i < causes->row_count; i++)
        for (uint32_t side = 0; side < 2; side++)
            *to++ = event_of(causes->rows[i], side);
    for (uint32_t i = 0; i < branches->note_count; i++) {
        *to++ = branches->notes[i].first;
        *to++ = branches->notes[i].second;
    }
    for (uint32_t i = 0; i < count; i++)
        events[i].stack = events[i].note = 0; /* they are numbers in another execution */
    const struct execution execution = {.events = events, .event_count = count};
    const struct collect_subject names = {.execution = &execution};
    collect_trace(&causes->trace, source, &names);
    drop_guessed_names(&causes->trace, source->symbols);
    free(events);
}

/* --- grouping ------------------------------------------------------------------------------- */

int causes_compare_places(const struct trace_frame *a, const struct trace_frame *b) {
    if (a == b)
        return 0;
    if (a == NULL || b == NULL)
        return a == NULL ? 1 : -1;
    int files = strcmp(a->file, b->file);
    if (files != 0)
        return files;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->line ? 0 : strcmp(a->module, b->module);
}

static op_set kinds_of(const struct branch_row *row) {
    op_set kinds = op_bit(row->kinds[0]);
    return row->tag == CHOICE_SCHEDULE ? kinds | op_bit(row->kinds[1]) : kinds;
}

static struct cause cause_of(struct causes *causes, uint32_t row) {
    const struct event *events = causes->trace.events + (size_t)2 * row;
    struct cause cause = {.object = object_of(causes, causes->rows[row]),
                          .noun = noun_of(causes->rows[row]),
                          .places = {trace_place(&causes->trace, events[0].stack),
                                     trace_place(&causes->trace, events[1].stack)},
                          .row = causes->rows[row],
                          .count = causes->rows[row]->count,
                          .kinds = kinds_of(causes->rows[row])};
    cause.family = family_of(&causes->trace, cause.object);
    if (causes_compare_places(cause.places[0], cause.places[1]) > 0) {
        const struct trace_frame *first = cause.places[0];
        cause.places[0] = cause.places[1];
        cause.places[1] = first;
    }
    return cause;
}

static bool belongs(const struct cause *a, const struct cause *b) {
    return a->noun == b->noun && a->row->tag == b->row->tag &&
           causes_compare_places(a->places[0], b->places[0]) == 0 &&
           causes_compare_places(a->places[1], b->places[1]) == 0 &&
           strcmp(a->family, b->family) == 0;
}

static void add_cause(struct causes *causes, const struct cause *cause) {
    for (uint32_t i = 0; i < causes->count; i++) {
        struct cause *at = &causes->list[i];
        if (!belongs(at, cause))
            continue;
        if (strcmp(at->object, cause->object) != 0)
            at->object = at->family;
        at->kinds |= cause->kinds;
        at->count += cause->count;
        return;
    }
    causes->list[causes->count++] = *cause;
}

/* The rows were sorted before, so equal causes are always in the same order. */
static void sort_causes(struct cause *list, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        struct cause cause = list[i];
        uint32_t at = i;
        for (; at > 0 && list[at - 1].count < cause.count; at--)
            list[at] = list[at - 1];
        list[at] = cause;
    }
}

void causes_init(struct causes *causes, const struct collect_source *source) {
    memset(causes, 0, sizeof *causes);
    if (source->session->result.records.branches == NULL || !sound_branches(source->session))
        return;
    causes->branches = source->session->result.records.branches;
    sort_rows(causes);
    name_everything(causes, source);
    causes->list = calloc(causes->row_count + 1, sizeof *causes->list);
    CHECK(causes->list);
    for (uint32_t i = 0; i < causes->row_count; i++) {
        struct cause cause = cause_of(causes, i);
        add_cause(causes, &cause);
    }
    sort_causes(causes->list, causes->count);
}

void causes_destroy(struct causes *causes) {
    if (causes->branches != NULL)
        trace_destroy(&causes->trace);
    free(causes->rows);
    free(causes->list);
}

/* --- for readers ---------------------------------------------------------------------------- */

const struct event *causes_first(const struct causes *causes, uint32_t note) {
    return &causes->trace.events[2 * (causes->row_count + note)];
}

const struct event *causes_second(const struct causes *causes, uint32_t note) {
    return causes_first(causes, note) + 1;
}

uint32_t causes_share(const struct causes *causes, uint64_t count) {
    uint64_t planned = causes->branches->planned;
    return planned ? (uint32_t)((double)count * 100 / (double)planned) : 0;
}

void causes_print_place(const struct trace_frame *place, const char *before, FILE *out) {
    if (place == NULL)
        return;
    fputs(before, out);
    if (place->file[0]) {
        describe_text(trace_basename(place->file), out);
        fprintf(out, ":%u", place->line);
    } else {
        describe_text(place->module, out);
    }
}

void causes_print(const struct cause *cause, FILE *out) {
    if (cause->object[0]) {
        describe_text(cause->object, out);
        fprintf(out, " (%s)", cause->noun);
    } else {
        fputs(cause->noun, out);
    }
    causes_print_place(cause->places[0], ", ", out);
    causes_print_place(cause->places[1], " with ", out);
}
