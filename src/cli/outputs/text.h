/* text.h - a run for people, on standard output: each finding as it comes, and the summary at the
 * end. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "cli/outputs/output.h"

/* The report of a finding as on the terminal, without colours. The caller frees it. */
char *text_of_report(const struct output_run *run, const struct reported *finding,
                     const struct trace *trace);

#endif
