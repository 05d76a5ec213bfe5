/* junit.c - --junit=FILE: the result as a JUnit report (reports/junit.h). */
#include "reports/junit.h"

#include "cli/outputs/output.h"

static int prepare(struct output *self) {
    self->needs = OUTPUT_NEEDS_REPORTS;
    return output_open_file(self);
}

static bool end(struct output *self, const struct ending *ending) {
    struct wrap_draft draft;
    bool good = junit_write(ending, wrap_draft(&draft));
    return output_write(self, good, &draft);
}

const struct output_ops junit_output = {.open = prepare, .end = end};
