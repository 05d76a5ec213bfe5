/* reported.c - see reported.h. */
#define _GNU_SOURCE
#include "reports/reported.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "reports/text.h"
#include "reports/wrap.h"

static char *own(const char *text) {
    char *copy = strdup(text);
    CHECK(copy);
    return copy;
}

static char *summary_of(const struct trace *trace) {
    struct wrap_draft draft;
    text_summary(trace, wrap_draft(&draft));
    return wrap_drafted(&draft);
}

static char *message_of(const struct trace *trace) {
    const struct finding *finding = &trace->finding;
    return own(finding->text[0] ? finding->text : finding_info(finding->kind)->title);
}

/* The lines that the program wrote, or NULL if there are none. */
static char *wrote_of(const struct trace *trace) {
    struct wrap_draft draft;
    if (trace->wrote_count == 0)
        return NULL;
    FILE *out = wrap_draft(&draft);
    for (uint32_t i = 0; i < trace->wrote_count; i++)
        fprintf(out, "%s%s", i > 0 ? "\n" : "", trace->wrote[i]);
    return wrap_drafted(&draft);
}

static struct reported *extend(struct reported_list *list) {
    list->at = realloc(list->at, (list->count + 1) * sizeof *list->at);
    CHECK(list->at);
    return &list->at[list->count++];
}

struct reported *reported_add(struct reported_list *list, const struct trace *trace) {
    const struct trace_frame *place = trace_finding_place(trace);
    struct reported *reported = extend(list);
    *reported = (struct reported){
        .kind = trace->finding.kind,
        .message = message_of(trace),
        .function = own(place ? place->function : ""),
        .file = own(place ? place->file : ""),
        .line = place ? place->line : 0,
        .summary = summary_of(trace),
        .evidence = trace->evidence,
        .switches = trace_switches(trace),
        .passing = trace->passing_event_count > 0,
        .wrote = wrote_of(trace),
        .delays = -1,
    };
    identity_of(trace, reported->fingerprint);
    return reported;
}

struct reported *reported_named(const struct reported_list *list, const char *fingerprint) {
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->at[i].fingerprint, fingerprint) == 0)
            return &list->at[i];
    return NULL;
}

void reported_destroy(struct reported_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct reported *at = &list->at[i];
        char *texts[] = {at->message, at->function, at->file,   at->summary,
                         at->wrote,   at->trace,    at->report, at->found_by};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
            free(texts[j]);
    }
    free(list->at);
    *list = (struct reported_list){0};
}
