/* json_causes.c - see json_parts.h: why the search is as large as it is. */
#include "cli/outputs/json_parts.h"

#include "reports/json_text.h"

enum { RACES_MAX = 100, PAIRS_MAX = 1000 };

static json_t *frame_value(const struct trace_frame *frame) {
    return frame ? json_place(frame->function, frame->file, frame->line) : json_null();
}

static const char *cause_name(uint8_t tag) {
    return tag == CHOICE_SCHEDULE ? "race" : choice_tag_name(tag);
}

static json_t *races_value(const struct causes *causes) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < causes->count && i < RACES_MAX; i++) {
        const struct cause *cause = &causes->list[i];
        json_t *entry = json_object(), *places = json_array();
        for (uint32_t side = 0; side < 2; side++)
            json_push(places, frame_value(cause->places[side]));
        json_put_text(entry, "cause", cause_name(cause->row->tag));
        json_put_text(entry, "object", cause->object);
        json_put_text(entry, "type", cause->noun);
        json_put(entry, "places", places);
        json_put_count(entry, "count", cause->count);
        json_push(list, entry);
    }
    return list;
}

static json_t *side_value(const struct causes *causes, const struct event *event) {
    const struct trace *trace = &causes->trace;
    const char *object = trace_object_name(trace, event->op.object);
    json_t *side = json_object();
    json_put_count(side, "task", event->task);
    json_put_text(side, "function", trace->tasks[event->task].function);
    json_put_text(side, "operation", op_info(event->op.kind)->name);
    json_put_text(side, "object", object ? object : "");
    json_put(side, "place", frame_value(trace_place(trace, event->stack)));
    return side;
}

static json_t *note_value(const struct causes *causes, uint32_t number) {
    const struct branch_note *note = &causes->branches->notes[number];
    json_t *entry = json_object();
    json_put_count(entry, "execution", note->execution);
    json_put_text(entry, "cause", cause_name(note->tag));
    json_put(entry, "first", side_value(causes, causes_first(causes, number)));
    if (note->tag == CHOICE_SCHEDULE)
        json_put(entry, "second", side_value(causes, causes_second(causes, number)));
    else
        json_put_count(entry, "value", note->value);
    return entry;
}

static json_t *branches_value(const struct causes *causes, bool one_by_one) {
    const struct branches *branches = causes->branches;
    if (branches == NULL)
        return json_null();
    json_t *object = json_object(), *list = json_array();
    json_put_count(object, "planned", branches->planned);
    if (!one_by_one) {
        json_decref(list);
        return object;
    }
    for (uint32_t i = 0; i < branches->note_count; i++)
        json_push(list, note_value(causes, i));
    json_put(object, "list", list);
    json_put_count(object, "left_out", branches->planned - branches->note_count);
    return object;
}

/* --- coverage --- */

static json_t *pair_side(const struct pair *pair, uint32_t side) {
    json_t *object = json_object();
    json_put_text(object, "operation", op_info(pair->kinds[side])->name);
    json_put(object, "place", frame_value(pair->places[side]));
    return object;
}

static json_t *pair_value(const struct pair *pair) {
    json_t *entry = json_object();
    json_put_text(entry, "object", pair->object);
    json_put(entry, "first", pair_side(pair, 0));
    json_put(entry, "second", pair_side(pair, 1));
    json_put_count(entry, "first_before_second", pair->orders[0]);
    json_put_count(entry, "second_before_first", pair->orders[1]);
    return entry;
}

static json_t *coverage_value(const struct pairs *pairs) {
    if (pairs->coverage == NULL)
        return json_null();
    json_t *object = json_object(), *list = json_array();
    for (uint32_t i = 0; i < pairs->count && i < PAIRS_MAX; i++)
        json_push(list, pair_value(&pairs->list[i]));
    json_put_count(object, "pairs", pairs->count);
    json_put_count(object, "both", pairs->both);
    json_put(object, "final", json_boolean(pairs->final));
    json_put_count(object, "executions", pairs->coverage->executions);
    json_put_count(object, "executions_left_out", pairs->coverage->left_out);
    json_put(object, "table_full", json_boolean(pairs->coverage->unlisted > 0));
    json_put(object, "list", list);
    return object;
}

static json_t *tips_value(const struct tip *tips, uint32_t count) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *entry = json_object();
        json_put_text(entry, "name", tips[i].name);
        json_put_text(entry, "text", tips[i].text);
        json_push(list, entry);
    }
    return list;
}

void json_put_causes(json_t *root, const struct output_run *run) {
    json_put(root, "branches", branches_value(run->causes, run->source->options->show_races));
    json_put(root, "races", races_value(run->causes));
    json_put(root, "coverage", coverage_value(run->pairs));
    json_put(root, "tips", tips_value(run->tips, run->tip_count));
}
