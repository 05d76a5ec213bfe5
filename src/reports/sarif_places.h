/* sarif_places.h - files, locations and stacks of a SARIF run. */
#ifndef REPORTS_SARIF_PLACES_H
#define REPORTS_SARIF_PLACES_H

#include <jansson.h>

#include "trace/trace.h"

#define SARIF_BASE "SRCROOT" /* stands for the directory below which files are named */

struct sarif_places {
    char *base;        /* plain; owned */
    json_t *artifacts; /* each file once; owned, until it is taken */
    char **paths;      /* of the artifacts, in their order */
};

void sarif_places_init(struct sarif_places *places, const char *base);
void sarif_places_destroy(struct sarif_places *places);

/* The reference to a file, which becomes an artifact. */
json_t *sarif_file(struct sarif_places *places, const char *path);

/* A frame as a location object; without a file, that of the function alone. */
json_t *sarif_location(struct sarif_places *places, const struct trace_frame *frame);

/* The same with a text, and its stack as a stack object. */
json_t *sarif_location_of(struct sarif_places *places, const struct trace *trace, uint32_t stack,
                          const char *text);
json_t *sarif_stack(struct sarif_places *places, const struct trace *trace, uint32_t stack,
                    const char *text);

json_t *sarif_message(const char *text);

#endif
