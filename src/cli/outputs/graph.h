/* graph.h - the picture of a search (--graph=FILE): the tree of the session (engine/tree.h),
 * folded, with names, in the language of Graphviz. */
#ifndef CLI_GRAPH_H
#define CLI_GRAPH_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/names/collect.h"
#include "engine/judge/judge.h"

/* Returns false if writing failed. `source` must have symbols. */
bool graph_draw(const struct collect_source *source, const struct judgement *judgement, FILE *out);

#endif
