/* sarif.c - --sarif=FILE: the findings as SARIF (reports/sarif.h). */
#include "reports/sarif.h"

#include "cli/outputs/output.h"
#include "cli/outputs/source_root.h"

static int prepare(struct output *self) {
    int code = output_open_file(self);
    if (code == 0)
        self->own = sarif_create(source_root(self->run->directory),
                                 self->run->source->options->suppressions != NULL);
    return code;
}

static void add(struct output *self, const struct reported *finding, const struct trace *trace) {
    sarif_add(self->own, finding, trace);
}

static bool end(struct output *self, const struct ending *ending) {
    struct wrap_draft draft;
    bool good = sarif_write(self->own, ending, wrap_draft(&draft));
    sarif_destroy(self->own);
    return output_write(self, good, &draft);
}

const struct output_ops sarif_output = {.open = prepare, .add = add, .end = end};
