/* evidence.h - what was learnt about a failing schedule by trying others, in words: how small it is, the
 * switch that matters, the critical step, and what passes instead. From struct trace_evidence. */
#ifndef REPORTS_EVIDENCE_H
#define REPORTS_EVIDENCE_H

#include <stdio.h>

#include "reports/style.h"
#include "trace/trace.h"

/* Whatever is known, one paragraph each, in 80 characters; nothing if nothing is. */
void evidence_print(const struct trace *trace, const struct style *style, FILE *out);

/* One sentence each, without a line feed. False, and nothing is written, if it is not known. */
bool evidence_size(const struct trace *trace, FILE *out);
bool evidence_turn(const struct trace *trace, FILE *out);
bool evidence_critical(const struct trace *trace, FILE *out);
bool evidence_passing(const struct trace *trace, FILE *out);

#endif
