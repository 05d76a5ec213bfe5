/* sarif_places.h - files, locations and stacks of a SARIF run. */
#ifndef REPORTS_SARIF_PLACES_H
#define REPORTS_SARIF_PLACES_H

#include <jansson.h>

#include "trace/trace.h"

#define SARIF_BASE "SRCROOT" /* stands for the directory to which file names are relative */

struct sarif_places {
    char *base;        /* a plain path (uri.h); owned */
    json_t *artifacts; /* each file once; owned */
    char **paths;      /* of the artifacts, in the same order */
};

void sarif_places_init(struct sarif_places *places, const char *base);
void sarif_places_destroy(struct sarif_places *places);

/* A reference to a file. The file becomes an artifact. */
json_t *sarif_file(struct sarif_places *places, const char *path);

/* A frame as a location object; without a file, it has the function only. */
json_t *sarif_location(struct sarif_places *places, const struct trace_frame *frame);

/* The place of a stack as a location object with a message, and the stack as a stack object. */
json_t *sarif_location_of(struct sarif_places *places, const struct trace *trace, uint32_t stack,
                          const char *text);
json_t *sarif_stack(struct sarif_places *places, const struct trace *trace, uint32_t stack,
                    const char *text);

json_t *sarif_message(const char *text);

#endif
