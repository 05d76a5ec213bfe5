/* write_traces.c DIRECTORY - writes traces that a run seldom makes, for the tests of the page: one
 * with a passing schedule and evidence, one in which every text is hostile, one that ended before
 * its first step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "trace/file.h"
#include "unit/sample_trace.h"

static void write_to(const char *directory, const char *name, const struct trace *trace) {
    char path[4096], error[4400];
    CHECK(snprintf(path, sizeof path, "%s/%s.trace", directory, name) < (int)sizeof path);
    if (!trace_write(trace, path, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
}

static const char HOSTILE[] =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\xff\xe2\x80\xa8<!--";

static void make_hostile(struct trace *trace) {
    for (uint32_t i = 0; i < trace->task_count; i++)
        trace->tasks[i].function = HOSTILE;
    for (uint32_t i = 0; i < trace->frame_count; i++)
        trace->frames[i].function = trace->frames[i].file = trace->frames[i].source =
            trace->frames[i].module = HOSTILE;
    for (uint32_t i = 0; i < trace->object_count; i++)
        trace->objects[i].name = HOSTILE;
    for (uint32_t i = 0; i < trace->note_count; i++)
        trace->notes[i] = HOSTILE;
    trace->program = trace->directory = trace->arguments[0] = HOSTILE;
    memcpy(trace->finding.text, HOSTILE, sizeof HOSTILE);
}

static void make_bare(struct trace *trace) {
    trace->event_count = trace->decision_count = 0;
    trace->passing_event_count = trace->passing_decision_count = 0;
    trace->evidence = (struct evidence){0};
    trace->finding.kind = FINDING_CRASH;
    trace->finding.event = trace->finding.wait_count = 0;
    trace->finding.stacks[0].task = NO_TASK;
}

int main(int argc, char **argv) {
    struct trace trace;
    CHECK(argc == 2);
    sample_trace(&trace, 3);
    write_to(argv[1], "passing", &trace);
    trace_destroy(&trace);
    sample_trace(&trace, 3);
    make_hostile(&trace);
    write_to(argv[1], "hostile", &trace);
    trace_destroy(&trace);
    sample_trace(&trace, 3);
    make_bare(&trace);
    write_to(argv[1], "bare", &trace);
    trace_destroy(&trace);
    return 0;
}
