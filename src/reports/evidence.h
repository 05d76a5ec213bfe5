/* evidence.h - struct evidence in words: facts about a failing schedule that were learnt by trying
 * others. How small the schedule is, the switch that matters, the critical step, and a schedule
 * that passes instead. */
#ifndef REPORTS_EVIDENCE_H
#define REPORTS_EVIDENCE_H

#include <stdio.h>

#include "reports/style.h"
#include "trace/trace.h"

/* Prints a paragraph for each known fact, 80 characters wide; nothing if no fact is known. */
void evidence_print(const struct trace *trace, const struct style *style, FILE *out);

/* Each writes one sentence without a line feed. Returns false and writes nothing if the fact is not
 * known. */
bool evidence_size(const struct trace *trace, FILE *out);
bool evidence_turn(const struct trace *trace, FILE *out);
bool evidence_critical(const struct trace *trace, FILE *out);
bool evidence_passing(const struct trace *trace, FILE *out);

#endif
