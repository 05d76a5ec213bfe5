/* junit.h - the end of a run as a JUnit report, for CI servers: one suite a program, one test case a
 * run. A case that fails for three reasons is still one case that fails: GitLab and Jenkins show a single
 * failure of each, so that has the reports of all findings.
 *
 * Passed: nothing was found and what was asked for was done. Skipped: the budget ended first, so nobody
 * knows. Error: the program cannot be tested like this. */
#ifndef REPORTS_JUNIT_H
#define REPORTS_JUNIT_H

#include <stdbool.h>
#include <stdio.h>

#include "reports/ending.h"

/* False if it could not be written. */
bool junit_write(const struct ending *ending, FILE *out);

#endif
