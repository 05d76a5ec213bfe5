/* outputs.c - see outputs.h and output.h. */
#include "cli/outputs/outputs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/say.h"
#include "cli/outputs/text.h"
#include "trace/whole_file.h"

#define OUTPUT(format, argument, text, often) extern const struct output_ops format##_output;
#define OUTPUT_UNASKED(format) OUTPUT(format, , , )
#include "cli/outputs/outputs.def"

static const struct row {
    const struct output_ops *ops;
    const char *option; /* NULL: it has none */
} rows[OUTPUTS] = {
#define OUTPUT(format, argument, text, often) [OUTPUT_##format] = {&format##_output, "--" #format},
#define OUTPUT_UNASKED(format) [OUTPUT_##format] = {&format##_output, NULL},
#include "cli/outputs/outputs.def"
};

int outputs_open(struct outputs *outputs, const struct output_run *run, bool unasked) {
    int code = 0;
    *outputs = (struct outputs){.run = run};
    for (enum output_format format = 0; format < OUTPUTS && code == 0; format++) {
        const struct row *row = &rows[format];
        const char *path = run->source->options->outputs[format];
        if (path == NULL && (row->option != NULL || !unasked))
            continue;
        struct output *output = &outputs->list[outputs->count++];
        *output = (struct output){.ops = row->ops, .option = row->option, .path = path, .run = run};
        code = row->ops->open != NULL ? row->ops->open(output) : 0;
        outputs->needs |= output->needs;
    }
    return code;
}

void outputs_add(struct outputs *outputs, struct reported *finding, const struct trace *trace) {
    if (outputs->needs & OUTPUT_NEEDS_REPORTS && finding->because == NULL)
        finding->report = text_of_report(outputs->run, finding, trace);
    for (uint32_t i = 0; i < outputs->count; i++)
        if (outputs->list[i].ops->add != NULL)
            outputs->list[i].ops->add(&outputs->list[i], finding, trace);
}

bool outputs_end(struct outputs *outputs, const struct ending *ending) {
    bool good = true;
    for (uint32_t i = 0; i < outputs->count; i++)
        good = outputs->list[i].ops->end(&outputs->list[i], ending) && good;
    return good;
}

/* --- for a format that is one file --- */

int output_open_file(struct output *self) {
    char error[PATH_MAX + 200];
    if (whole_file_prepare(self->path, error, sizeof error))
        return 0;
    return say_error(EXIT_USAGE, "%s: %s", self->option, error);
}

bool output_write(const struct output *self, bool good, struct wrap_draft *draft) {
    char error[PATH_MAX + 200] = "";
    char *text = wrap_drafted(draft);
    good = good && whole_file_write(self->path, text, draft->length, error, sizeof error);
    const char *why = strrchr(error, ':'); /* behind the path, which this line names itself */
    if (!good)
        say_error(0, "%s: could not be written%s", self->path, why != NULL ? why : "");
    free(text);
    return good;
}
