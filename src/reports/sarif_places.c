/* sarif_places.c - see sarif_places.h. */
#define _GNU_SOURCE
#include "reports/sarif_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "reports/json_text.h"
#include "reports/wrap.h"
#include "reports/uri.h"

void sarif_places_init(struct sarif_places *places, const char *base) {
    *places = (struct sarif_places){.base = uri_plain_path(base), .artifacts = json_array()};
}

void sarif_places_destroy(struct sarif_places *places) {
    for (size_t i = 0; i < json_array_size(places->artifacts); i++)
        free(places->paths[i]);
    free(places->paths);
    free(places->base);
    json_decref(places->artifacts);
}

/* Doubles braces, which would be placeholders (3.11.5), and puts a backslash before brackets that
 * would be a link (3.11.6). */
static void put_escaped(const char *text, FILE *out) {
    bool link = strstr(text, "](") != NULL;
    for (; *text != '\0'; text++) {
        if (*text == '{' || *text == '}')
            fputc(*text, out);
        if (link && (*text == '[' || *text == ']' || *text == '\\'))
            fputc('\\', out);
        fputc(*text, out);
    }
}

json_t *sarif_message(const char *text) {
    json_t *message = json_object();
    struct wrap_draft draft;
    put_escaped(text, wrap_draft(&draft));
    json_put_text(message, "text", wrap_drafted(&draft));
    free(draft.text);
    return message;
}

/* --- files --- */

/* A path below the base is relative to it. Another absolute path is a file:// URI. A relative path
 * stays as it is. */
static json_t *artifact_location(const struct sarif_places *places, const char *path) {
    json_t *location = json_object();
    const char *below = uri_below(path, places->base);
    char *uri = below != NULL || path[0] != '/' ? uri_escaped(below ? below : path)
                                                : uri_of_file(path, false);
    json_put_text(location, "uri", uri);
    if (below != NULL)
        json_put_text(location, "uriBaseId", SARIF_BASE);
    free(uri);
    return location;
}

static const char *language_of(const char *path) {
    static const char *const cxx[] = {".cc", ".cpp", ".cxx", ".C", ".hpp", ".hh"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof cxx / sizeof *cxx; i++)
        if (strcmp(dot, cxx[i]) == 0)
            return "cplusplus";
    return dot != NULL && (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0) ? "c" : NULL;
}

/* The index of a file among the artifacts. Takes the plain path. */
static size_t know_file(struct sarif_places *places, char *path) {
    size_t count = json_array_size(places->artifacts);
    for (size_t i = 0; i < count; i++)
        if (strcmp(places->paths[i], path) == 0) {
            free(path);
            return i;
        }
    json_t *artifact = json_object();
    json_put(artifact, "location", artifact_location(places, path));
    if (language_of(path) != NULL)
        json_put_text(artifact, "sourceLanguage", language_of(path));
    json_push(places->artifacts, artifact);
    places->paths = realloc(places->paths, (count + 1) * sizeof *places->paths);
    CHECK(places->paths);
    places->paths[count] = path;
    return count;
}

json_t *sarif_file(struct sarif_places *places, const char *path) {
    char *plain = uri_plain_path(path);
    json_t *location = artifact_location(places, plain);
    json_put_count(location, "index", know_file(places, plain));
    return location;
}

/* --- locations --- */

/* SARIF counts lines from 1, so a line that is not known is left out. */
static json_t *region(const struct trace_frame *frame) {
    json_t *region = json_object();
    json_put_count(region, "startLine", frame->line);
    if (frame->source[0]) {
        json_t *snippet = json_object();
        json_put_text(snippet, "text", frame->source); /* not a message: not escaped */
        json_put(region, "snippet", snippet);
    }
    return region;
}

static json_t *logical_locations(const struct trace_frame *frame) {
    json_t *list = json_array(), *function = json_object();
    json_put_text(function, "fullyQualifiedName", frame->function);
    json_put_text(function, "kind", "function");
    json_push(list, function);
    return list;
}

json_t *sarif_location(struct sarif_places *places, const struct trace_frame *frame) {
    json_t *location = json_object();
    if (frame->file[0]) {
        json_t *physical = json_object();
        json_put(physical, "artifactLocation", sarif_file(places, frame->file));
        if (frame->line > 0)
            json_put(physical, "region", region(frame));
        json_put(location, "physicalLocation", physical);
    }
    if (frame->function[0])
        json_put(location, "logicalLocations", logical_locations(frame));
    return location;
}

json_t *sarif_location_of(struct sarif_places *places, const struct trace *trace, uint32_t stack,
                          const char *text) {
    const struct trace_frame *frame = trace_place(trace, stack);
    json_t *location = frame != NULL ? sarif_location(places, frame) : json_object();
    json_put(location, "message", sarif_message(text));
    return location;
}

json_t *sarif_stack(struct sarif_places *places, const struct trace *trace, uint32_t stack,
                    const char *text) {
    json_t *object = json_object(), *frames = json_array();
    const struct trace_frame *from;
    for (uint32_t depth = 0; (from = trace_frame(trace, stack, depth)) != NULL; depth++) {
        json_t *frame = json_object();
        json_put(frame, "location", sarif_location(places, from));
        if (from->module[0])
            json_put_text(frame, "module", from->module);
        json_push(frames, frame);
    }
    if (text != NULL)
        json_put(object, "message", sarif_message(text));
    json_put(object, "frames", frames);
    return object;
}
