/* page_schedule.c - see page_schedule.h. */
#define _GNU_SOURCE
#include "reports/page_schedule.h"

#include <stdlib.h>

#include "base/check.h"
#include "execution/causality.h"
#include "execution/race_sets.h"
#include "execution/spans.h"
#include "reports/describe.h"
#include "reports/json_text.h"

#define WORK_BYTES ((size_t)16 << 30) /* of address space: more than the largest order needs */

/* --- words --- */

/* Text that is printed between words_begin and words_end becomes a JSON string. */
struct words {
    FILE *out;
    char *text;
    size_t length;
};

static FILE *words_begin(struct words *words) {
    words->out = open_memstream(&words->text, &words->length);
    CHECK(words->out);
    return words->out;
}

static json_t *words_end(struct words *words) {
    CHECK(fclose(words->out) == 0);
    json_t *value = json_text(words->text);
    free(words->text);
    return value;
}

json_t *page_op_text(const struct trace *trace, const struct op *op) {
    struct words words;
    describe_op(trace, op, words_begin(&words));
    return words_end(&words);
}

json_t *page_object_text(const struct trace *trace, uint64_t address) {
    struct words words;
    describe_object(trace, address, words_begin(&words));
    return words_end(&words);
}

json_t *page_wait_text(const struct trace *trace, const struct finding_wait *wait) {
    struct words words;
    describe_wait(trace, wait, words_begin(&words));
    return words_end(&words);
}

static json_t *event_text(const struct trace *trace, const struct event *event) {
    struct words words;
    struct event plain = *event;
    plain.flags &= ~(uint32_t)EVENT_NESTED; /* the page shows nesting in another way */
    describe_event(trace, &plain, words_begin(&words));
    return words_end(&words);
}

/* --- events --- */

static void put_flags(json_t *entry, uint32_t flags) {
    static const struct {
        uint32_t flag;
        const char *name;
    } names[] = {
        {EVENT_FAILED, "failed"}, {EVENT_TIMED_OUT, "timed_out"}, {EVENT_NESTED, "nested"},
        {EVENT_NOTE, "note"},     {EVENT_IDLE, "waits"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (flags & names[i].flag)
            json_put(entry, names[i].name, json_true());
}

static bool names_object(const struct event *event) {
    enum op_class class = op_info(event->op.kind)->class;
    return !(event->flags & EVENT_NOTE) && event->op.object != 0 &&
           (class == CLASS_MEMORY || class == CLASS_OBJECT);
}

static json_t *event_value(const struct trace *trace, const struct event *event, bool ends) {
    const struct trace_frame *place = trace_place(trace, event->stack);
    json_t *entry = json_object();
    json_put_count(entry, "task", event->task);
    json_put(entry, "text", event_text(trace, event));
    if (!(event->flags & EVENT_NOTE))
        json_put_text(entry, "op", op_info(event->op.kind)->name);
    if (names_object(event))
        json_put(entry, "object", page_object_text(trace, event->op.object));
    if (event->stack)
        json_put_count(entry, "stack", event->stack);
    if (place != NULL)
        json_put_count(entry, "place", (uint64_t)(place - trace->frames));
    if (ends)
        json_put(entry, "ends", json_true());
    put_flags(entry, event->flags);
    return entry;
}

static json_t *events_value(const struct trace *trace, const struct spans *spans) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->event_count; i++) {
        const struct event *event = &trace->events[i];
        json_push(list, event_value(trace, event, spans->ends[event->task] == i));
    }
    return list;
}

/* --- what follows from them --- */

/* An arrow is [from, to, kind]. */
static json_t *arrows_value(const struct causality *causality) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < causality->arrow_count; i++) {
        const struct arrow *arrow = &causality->arrows[i];
        json_t *entry = json_array();
        json_push(entry, json_integer(arrow->from));
        json_push(entry, json_integer(arrow->to));
        json_push(entry, json_string(arrow_kind_name(arrow->kind)));
        json_push(list, entry);
    }
    return list;
}

static json_t *spans_value(const struct trace *trace, const struct spans *spans) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < spans->count; i++) {
        const struct span *span = &spans->list[i];
        json_t *entry = json_object();
        json_put_text(entry, "kind", span_kind_name(span->kind));
        json_put_count(entry, "task", span->task);
        if (span->object)
            json_put(entry, "object", page_object_text(trace, span->object));
        json_put_count(entry, "from", span->from);
        json_put_count(entry, "to", span->to);
        if (span->holder != NO_TASK)
            json_put_count(entry, "holder", span->holder);
        json_push(list, entry);
    }
    return list;
}

/* A race set is [receive, send, send, ...]. */
static json_t *race_sets_value(const struct events *events, struct pool *pool) {
    struct causality order;
    struct race_sets sets;
    json_t *list = json_array();
    causality_init(&order, pool, events, SENDS_FREE);
    race_sets_init(&sets, &order);
    for (uint32_t i = 0; i < sets.count; i++) {
        json_t *entry = json_array();
        json_push(entry, json_integer(sets.list[i].receive));
        for (uint32_t j = 0; j < sets.list[i].count; j++)
            json_push(entry, json_integer(sets.sends[sets.list[i].first + j]));
        json_push(list, entry);
    }
    race_sets_destroy(&sets);
    causality_destroy(&order);
    return list;
}

json_t *page_schedule(const struct trace *trace) {
    struct causality causality;
    struct spans spans;
    struct events events = trace_events(trace);
    struct pool *pool = pool_map(WORK_BYTES);
    json_t *object = json_object();
    causality_init(&causality, pool, &events, SENDS_ORDERED);
    spans_init(&spans, pool, &events, &trace->finding);
    json_put(object, "events", events_value(trace, &spans));
    json_put_count(object, "switches", trace_switches(trace));
    json_put(object, "ordered", json_boolean(causality.complete));
    json_put(object, "arrows", arrows_value(&causality));
    json_put(object, "spans", spans_value(trace, &spans));
    json_put(object, "race_sets", race_sets_value(&events, pool));
    pool_unmap(pool);
    return object;
}
