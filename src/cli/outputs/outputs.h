/* outputs.h - all outputs of a run: the rows of outputs.def that were asked for. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/outputs/output.h"

struct outputs {
    struct output list[OUTPUTS];
    uint32_t count;
    const struct output_run *run; /* borrowed */
    unsigned needs;               /* of all of them: a set of enum output_need */
};

/* Opens each output whose option is set in run->source->options; with `unasked`, also those that
 * have no option. 0, or an exit code after one line on stderr. */
int outputs_open(struct outputs *outputs, const struct output_run *run, bool unasked);

/* Gives a finding to all of them. */
void outputs_add(struct outputs *outputs, struct reported *finding, const struct trace *trace);

/* False, after a line on stderr for each, if a file could not be written. */
bool outputs_end(struct outputs *outputs, const struct ending *ending);

#endif
