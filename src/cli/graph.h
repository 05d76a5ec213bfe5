/* graph.h - the picture of a search (--graph=FILE): the session's tree (engine/tree.h), folded and named,
 * as a graph in the language of Graphviz, or as an SVG that `dot` makes of it. */
#ifndef CLI_GRAPH_H
#define CLI_GRAPH_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/collect.h"
#include "cli/judge.h"

/* Before the search: whether the file can be written, in the format that its name asks for. NULL: none is wanted. 0, or
 * an exit code after one line on stderr. */
int graph_prepare(const char *path);

/* At the end. `source` has symbols. False after one line on stderr. */
bool graph_write(const char *path, const struct collect_source *source,
                 const struct judgement *judgement);

/* In the language of Graphviz. False if it could not be written. */
bool graph_draw(const struct collect_source *source, const struct judgement *judgement, FILE *out);

#endif
