/* sarif_flows.c - see sarif_flows.h. */
#define _GNU_SOURCE
#include "reports/sarif_flows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "reports/json_text.h"
#include "reports/describe.h"
#include "reports/wrap.h"

/* --- the schedule --- */

/* Code scanners take no more steps. Only the end of a longer schedule is written. */
enum { STEPS_MAX = 9000 };

struct flows {
    struct sarif_places *places;
    const struct trace *trace;
    json_t **of_task; /* by task: the locations of its flow, or NULL */
    uint64_t order;
    uint32_t left_out; /* number of steps before the first one that is written */
};

static json_t *add_step(struct flows *flows, uint32_t task, uint32_t stack, const char *text) {
    json_t *step = json_object();
    json_put(step, "location", sarif_location_of(flows->places, flows->trace, stack, text));
    if (trace_frame(flows->trace, stack, 1) != NULL) /* a single frame is the location itself */
        json_put(step, "stack", sarif_stack(flows->places, flows->trace, stack, NULL));
    json_put_count(step, "executionOrder", ++flows->order);
    if (flows->of_task[task] == NULL)
        flows->of_task[task] = json_array();
    json_push(flows->of_task[task], step);
    return step;
}

static void add_events(struct flows *flows) {
    const struct trace *trace = flows->trace;
    uint32_t count = trace_events_before(trace);
    flows->order = flows->left_out = count > STEPS_MAX ? count - STEPS_MAX : 0;
    for (uint32_t i = flows->left_out; i < count; i++) {
        const struct event *event = &trace->events[i];
        struct wrap_draft words;
        describe_event(trace, event, wrap_draft(&words));
        json_t *step = add_step(flows, event->task, event->stack, wrap_drafted(&words));
        json_put_text(step, "importance",
                      trace_takes_part(trace, event->task) ? "important" : "unimportant");
        free(words.text);
    }
}

static void add_failure(struct flows *flows, uint32_t task, uint32_t stack, const char *text) {
    json_t *step = add_step(flows, task, stack, text), *kinds = json_array();
    json_push(kinds, json_string("danger"));
    json_put(step, "kinds", kinds);
    json_put_text(step, "importance", "essential");
}

/* Adds the place where the finding came to light; for a deadlock, the places of all tasks that
 * wait. */
static void add_finding(struct flows *flows) {
    const struct finding *finding = &flows->trace->finding;
    struct wrap_draft words;
    for (uint32_t i = 0; i < finding->wait_count; i++) {
        describe_waiting(flows->trace, &finding->waits[i], wrap_draft(&words));
        add_failure(flows, finding->waits[i].task, finding->waits[i].stack, wrap_drafted(&words));
        free(words.text);
    }
    if (finding->wait_count > 0 || finding->stack_count == 0 || finding->stacks[0].task == NO_TASK)
        return;
    describe_finding(flows->trace, wrap_draft(&words));
    add_failure(flows, finding->stacks[0].task, finding->stacks[0].stack, wrap_drafted(&words));
    free(words.text);
}

static json_t *thread_flow(const struct flows *flows, uint32_t task) {
    json_t *flow = json_object();
    struct wrap_draft words;
    char id[16];
    snprintf(id, sizeof id, "T%" PRIu32, task);
    describe_task(flows->trace, task, wrap_draft(&words));
    json_put_text(flow, "id", id);
    json_put(flow, "message", sarif_message(wrap_drafted(&words)));
    json_put(flow, "locations", flows->of_task[task]);
    free(words.text);
    return flow;
}

static json_t *flow_message(const struct flows *flows) {
    char text[120];
    int used = snprintf(text, sizeof text, "the schedule, one thread flow a task");
    if (flows->left_out > 0)
        snprintf(text + used, sizeof text - (size_t)used,
                 flows->left_out == 1 ? "; its first step is left out"
                                      : "; its first %" PRIu32 " steps are left out",
                 flows->left_out);
    return sarif_message(text);
}

json_t *sarif_code_flows(struct sarif_places *places, const struct trace *trace) {
    struct flows flows = {.places = places, .trace = trace};
    json_t *threads = json_array(), *list = json_array();
    flows.of_task = calloc((size_t)trace->task_count + 1, sizeof *flows.of_task);
    CHECK(flows.of_task);
    add_events(&flows);
    add_finding(&flows);
    for (uint32_t task = 0; task < trace->task_count; task++)
        if (flows.of_task[task] != NULL)
            json_push(threads, thread_flow(&flows, task));
    free(flows.of_task);
    if (json_array_size(threads) == 0) {
        json_decref(threads);
        return list;
    }
    json_t *flow = json_object();
    json_put(flow, "message", flow_message(&flows));
    json_put(flow, "threadFlows", threads);
    json_push(list, flow);
    return list;
}

/* --- other places --- */

static void add_related(struct sarif_places *places, const struct trace *trace, uint32_t stack,
                        const char *text, json_t *list) {
    const struct trace_frame *place = trace_place(trace, stack);
    if (place == NULL || place->file[0] == '\0') /* there is no file to show */
        return;
    json_t *location = sarif_location_of(places, trace, stack, text);
    json_put_count(location, "id", json_array_size(list));
    json_push(list, location);
}

json_t *sarif_related(struct sarif_places *places, const struct trace *trace) {
    const struct finding *finding = &trace->finding;
    json_t *list = json_array();
    struct wrap_draft words;
    for (uint32_t i = 0; i < finding->stack_count; i++) {
        describe_place(trace, i, wrap_draft(&words));
        add_related(places, trace, finding->stacks[i].stack, wrap_drafted(&words), list);
        free(words.text);
    }
    for (uint32_t i = 0; i < finding->wait_count; i++) {
        FILE *out = wrap_draft(&words);
        describe_task(trace, finding->waits[i].task, out);
        fputc(' ', out);
        describe_waiting(trace, &finding->waits[i], out);
        add_related(places, trace, finding->waits[i].stack, wrap_drafted(&words), list);
        free(words.text);
    }
    for (uint32_t task = 0; task < trace->task_count; task++) {
        if (!trace_takes_part(trace, task) || trace->tasks[task].stack == 0)
            continue;
        FILE *out = wrap_draft(&words);
        describe_task(trace, task, out);
        fputs(" was created here", out);
        add_related(places, trace, trace->tasks[task].stack, wrap_drafted(&words), list);
        free(words.text);
    }
    return list;
}

json_t *sarif_stacks(struct sarif_places *places, const struct trace *trace) {
    const struct finding *finding = &trace->finding;
    json_t *list = json_array();
    struct wrap_draft words;
    for (uint32_t i = 0; i < finding->stack_count; i++) {
        describe_place(trace, i, wrap_draft(&words));
        json_push(list, sarif_stack(places, trace, finding->stacks[i].stack, wrap_drafted(&words)));
        free(words.text);
    }
    for (uint32_t i = 0; i < finding->wait_count; i++) {
        FILE *out = wrap_draft(&words);
        describe_task(trace, finding->waits[i].task, out);
        fputc(' ', out);
        describe_waiting(trace, &finding->waits[i], out);
        json_push(list, sarif_stack(places, trace, finding->waits[i].stack, wrap_drafted(&words)));
        free(words.text);
    }
    return list;
}
