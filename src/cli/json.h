/* json.h - the end of a run, for programs. docs/heddle-run.schema.json says what is in it. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdio.h>

#include "cli/coverage.h"
#include "cli/corpus.h"
#include "cli/findings.h"
#include "cli/judge.h"
#include "cli/program.h"
#include "cli/symbols.h"
#include "cli/tips.h"

/* What there is to tell. All borrowed. */
struct json_run {
    const struct judgement *judgement;
    const struct supervision *supervision;
    const struct program *program;
    char *const *arguments;
    const struct run_options *options;
    const struct findings *findings;
    struct symbols *symbols;
    const struct causes *causes; /* as long as the search goes on, nothing is in it */
    const struct pairs *pairs;   /* likewise */
    const struct corpus_directory *corpus;
    const struct tip *tips;
    uint32_t tip_count;
};

/* False if it could not be written. */
bool json_write(const struct json_run *run, FILE *out);

#endif
