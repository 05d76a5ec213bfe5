/* junit.h - the end of a run as a JUnit report, for CI servers. The program is a suite, and the run
 * is a test case. GitLab and Jenkins show one failure of each case, so that failure has the reports
 * of all findings.
 *
 * Passed: nothing was found, and the requested search was completed. Skipped: the budget ended
 * first, so the result is not known. Error: the program cannot be tested like this. */
#ifndef REPORTS_JUNIT_H
#define REPORTS_JUNIT_H

#include <stdbool.h>
#include <stdio.h>

#include "reports/ending.h"

/* False if it could not be written. */
bool junit_write(const struct ending *ending, FILE *out);

#endif
