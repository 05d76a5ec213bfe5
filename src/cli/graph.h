/* graph.h - the picture of a search (--graph=FILE): the session's tree (engine/tree.h), folded and named,
 * as a graph in the language of Graphviz, or as an SVG that `dot` makes of it. */
#ifndef CLI_GRAPH_H
#define CLI_GRAPH_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/collect.h"
#include "cli/judge.h"

/* Opens the file, before the search; what it is to be is said by its name. 0, or an exit code after one
 * line on stderr. */
int graph_open(const char *path, FILE **out);

/* At the end. `source` has symbols. False after one line on stderr. Closes the file. */
bool graph_finish(const char *path, FILE *out, const struct collect_source *source,
                  const struct judgement *judgement);

/* In the language of Graphviz. False if it could not be written. */
bool graph_draw(const struct collect_source *source, const struct judgement *judgement, FILE *out);

#endif
