/* sarif.c - see sarif.h. The sections in comments are those of the specification. */
#define _GNU_SOURCE
#include "reports/sarif.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "reports/json_text.h"
#include "reports/describe.h"
#include "reports/wrap.h"
#include "reports/sarif_flows.h"
#include "reports/sarif_places.h"
#include "reports/uri.h"

static const char SCHEMA[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

struct sarif {
    struct sarif_places places;
    json_t *results; /* owned */
    bool judged;
};

struct sarif *sarif_create(const char *base, bool judged) {
    struct sarif *sarif = calloc(1, sizeof *sarif);
    CHECK(sarif);
    sarif_places_init(&sarif->places, base);
    sarif->results = json_array();
    sarif->judged = judged;
    return sarif;
}

void sarif_destroy(struct sarif *sarif) {
    if (sarif == NULL)
        return;
    sarif_places_destroy(&sarif->places);
    json_decref(sarif->results);
    free(sarif);
}

/* --- one result --- */

static json_t *finding_message(const struct trace *trace) {
    struct wrap_draft draft;
    describe_sentence(trace, wrap_draft(&draft));
    json_t *message = sarif_message(wrap_drafted(&draft));
    free(draft.text);
    return message;
}

/* Tools that show results need a file. Without debug information that is the program itself. */
static json_t *main_location(struct sarif *sarif, const struct trace *trace) {
    const struct trace_frame *place = trace_finding_place(trace);
    json_t *location = place != NULL ? sarif_location(&sarif->places, place) : json_object();
    if (json_object_get(location, "physicalLocation") == NULL) {
        json_t *physical = json_object();
        json_put(physical, "artifactLocation", sarif_file(&sarif->places, trace->program));
        json_put(location, "physicalLocation", physical);
    }
    return location;
}

/* 3.35: the reason for hiding a result. An empty list says that the result is not suppressed. */
static json_t *suppressions(const struct suppression *why) {
    json_t *list = json_array();
    if (why == NULL)
        return list;
    json_t *suppression = json_object();
    json_put_text(suppression, "kind", "external");
    json_put_text(suppression, "status", "accepted");
    json_put_text(suppression, "justification", why->text);
    json_push(list, suppression);
    return list;
}

static json_t *one(json_t *value) {
    json_t *list = json_array();
    json_push(list, value);
    return list;
}

static void set_fingerprint(json_t *result, const char *fingerprint) {
    json_t *fingerprints = json_object();
    json_put_text(fingerprints, "heddle/v1", fingerprint);
    json_put(result, "partialFingerprints", fingerprints);
}

static json_t *wrote_value(const struct trace *trace) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->wrote_count; i++)
        json_push(list, json_text(trace->wrote[i]));
    return list;
}

static void set_properties(json_t *result, const struct trace *trace,
                           const struct reported *finding) {
    json_t *properties = json_object();
    json_put_count(properties, "execution", trace->at_execution);
    json_put_count(properties, "steps", trace_events_before(trace));
    if (trace->wrote_count > 0)
        json_put(properties, "wrote", wrote_value(trace));
    if (finding->trace != NULL)
        json_put_text(properties, "trace", finding->trace);
    json_put(result, "properties", properties);
}

void sarif_add(struct sarif *sarif, const struct reported *finding, const struct trace *trace) {
    json_t *result = json_object(), *flows = sarif_code_flows(&sarif->places, trace);
    json_put_text(result, "ruleId", finding_info(finding->kind)->name);
    json_put_count(result, "ruleIndex", finding->kind);
    json_put_text(result, "kind", "fail");
    json_put_text(result, "level", "error");
    json_put(result, "message", finding_message(trace));
    json_put(result, "locations", one(main_location(sarif, trace)));
    json_put(result, "relatedLocations", sarif_related(&sarif->places, trace));
    json_put(result, "stacks", sarif_stacks(&sarif->places, trace));
    if (json_array_size(flows) > 0)
        json_put(result, "codeFlows", flows);
    else
        json_decref(flows);
    set_fingerprint(result, finding->fingerprint);
    if (sarif->judged)
        json_put(result, "suppressions", suppressions(finding->because));
    set_properties(result, trace, finding);
    json_push(sarif->results, result);
}

/* --- the run --- */

/* "data-race" as "DataRace" (3.49.7). */
static void rule_name(const char *name, char text[32]) {
    bool upper = true;
    size_t length = 0;
    for (; *name != '\0' && length < 31; name++) {
        if (*name != '-')
            text[length++] = upper ? (char)(*name - 'a' + 'A') : *name;
        upper = *name == '-';
    }
    text[length] = '\0';
}

/* One rule for each kind of finding, in the order of the kinds, so that ruleIndex is the kind. */
static json_t *rules(void) {
    json_t *list = json_array();
    for (enum finding_kind kind = 0; kind < FINDING_KINDS; kind++) {
        const struct finding_info *info = finding_info(kind);
        json_t *rule = json_object(), *configuration = json_object();
        char name[32];
        rule_name(info->name, name);
        json_put_text(rule, "id", info->name);
        json_put_text(rule, "name", name);
        json_put(rule, "shortDescription", sarif_message(info->title));
        json_put(rule, "fullDescription", sarif_message(info->help));
        json_put(rule, "help", sarif_message(info->help));
        json_put_text(configuration, "level", "error");
        json_put(rule, "defaultConfiguration", configuration);
        json_push(list, rule);
    }
    return list;
}

static json_t *tool(const struct ending *ending) {
    json_t *tool = json_object(), *driver = json_object();
    json_put_text(driver, "name", "Heddle");
    json_put_text(driver, "version", ending->version);
    json_put_text(driver, "semanticVersion", ending->version);
    json_put(driver, "rules", rules());
    json_put(tool, "driver", driver);
    return tool;
}

static void set_time(json_t *object, const char *key, time_t when) {
    char text[32];
    struct tm parts;
    gmtime_r(&when, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    json_put_text(object, key, text);
}

/* No results do not mean that the program is correct. A notification says how the run ended
 * (3.20.21). */
static json_t *notifications(const struct ending *ending) {
    json_t *list = json_array(), *notification = json_object();
    json_put_text(notification, "level",
                  ending->kind == ENDING_BROKEN      ? "error"
                  : ending->kind == ENDING_UNDECIDED ? "warning"
                                                     : "note");
    json_put(notification, "message", sarif_message(ending->sentence));
    json_push(list, notification);
    return list;
}

static json_t *arguments(char *const *command) {
    json_t *list = json_array();
    for (; command[0] != NULL && command[1] != NULL; command++)
        json_push(list, json_text(command[1]));
    return list;
}

static json_t *directory_location(const char *path) {
    json_t *location = json_object();
    char *uri = uri_of_file(path, true);
    json_put_text(location, "uri", uri);
    free(uri);
    return location;
}

static json_t *invocation(const struct ending *ending) {
    json_t *invocation = json_object(), *properties = json_object();
    json_put(invocation, "arguments", arguments(ending->command));
    json_put(invocation, "executionSuccessful", json_boolean(ending->kind != ENDING_BROKEN));
    json_put(invocation, "exitCode", json_integer(ending->exit_code));
    json_put_text(invocation, "exitCodeDescription", ending->verdict);
    set_time(invocation, "startTimeUtc", ending->started);
    set_time(invocation, "endTimeUtc", ending->started + (time_t)ending->seconds);
    if (ending->directory[0] == '/')
        json_put(invocation, "workingDirectory", directory_location(ending->directory));
    json_put(invocation, "toolExecutionNotifications", notifications(ending));
    for (uint32_t i = 0; i < ending->count_count; i++)
        json_put_count(properties, ending->counts[i].name, ending->counts[i].count);
    json_put_text(properties, "strategy", ending->strategy);
    json_put(invocation, "properties", properties);
    return invocation;
}

static json_t *run(struct sarif *sarif, const struct ending *ending) {
    json_t *run = json_object(), *bases = json_object();
    json_put(run, "tool", tool(ending));
    json_put(run, "invocations", one(invocation(ending)));
    json_put(bases, SARIF_BASE, directory_location(sarif->places.base));
    json_put(run, "originalUriBaseIds", bases);
    json_put(run, "artifacts", json_incref(sarif->places.artifacts));
    json_put(run, "results", json_incref(sarif->results));
    json_put_text(run, "columnKind", "unicodeCodePoints");
    return run;
}

bool sarif_write(struct sarif *sarif, const struct ending *ending, FILE *out) {
    json_t *log = json_object();
    json_put_text(log, "$schema", SCHEMA);
    json_put_text(log, "version", "2.1.0");
    json_put(log, "runs", one(run(sarif, ending)));
    bool good =
        json_dumpf(log, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF && fflush(out) == 0;
    json_decref(log);
    return good;
}
