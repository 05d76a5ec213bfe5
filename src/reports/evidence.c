/* evidence.c - see evidence.h. */
#include "reports/evidence.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reports/describe.h"
#include "reports/wrap.h"
#include "execution/waits.h"

static void print_place(const struct trace *trace, uint32_t stack, FILE *out) {
    const struct trace_frame *frame = trace_place(trace, stack);
    if (frame == NULL || frame->file[0] == '\0')
        return;
    fputs(" (", out);
    describe_text(trace_basename(frame->file), out);
    fprintf(out, ":%" PRIu32 ")", frame->line);
}

static void print_step(const struct trace *trace, const struct event *event, FILE *out) {
    describe_event(trace, event, out);
    print_place(trace, event->stack, out);
}

/* --- how small it is --- */

static void print_count(uint32_t count, FILE *out) {
    if (count == 0)
        fputs("no context switch", out);
    else
        fprintf(out, "%" PRIu32 " context switch%s", count, count == 1 ? "" : "es");
}

bool evidence_size(const struct trace *trace, FILE *out) {
    const struct evidence *evidence = &trace->evidence;
    if (evidence->smallness == SMALLNESS_UNKNOWN)
        return false;
    print_count(evidence->switches, out);
    if (evidence->found_switches != evidence->switches)
        fprintf(out, " (%" PRIu32 " when it was found)", evidence->found_switches);
    if (evidence->smallness == SMALLNESS_PROVEN && evidence->switches > 0)
        fputs("; with fewer this does not happen", out);
    else if (evidence->smallness == SMALLNESS_TRADED)
        fputs("; with fewer it takes many more steps", out);
    else if (evidence->smallness == SMALLNESS_TRIED)
        fprintf(out, "; none with fewer was found in %" PRIu64 " execution%s", evidence->tried,
                evidence->tried == 1 ? "" : "s");
    fputc('.', out);
    return true;
}

/* --- the switch that matters --- */

static const struct event *last_step_of(const struct trace *trace, uint32_t task, uint32_t until) {
    while (until-- > 0)
        if (trace->events[until].task == task && !(trace->events[until].flags & EVENT_NOTE))
            return &trace->events[until];
    return NULL;
}

static const struct event *next_step_of(const struct trace *trace, uint32_t task, uint32_t from) {
    for (uint32_t i = from; i < trace->event_count; i++)
        if (trace->events[i].task == task && !(trace->events[i].flags & EVENT_NOTE))
            return &trace->events[i];
    return NULL;
}

/* "T2 (consumer) ran between load x = 0 (a.c:31) and store x := 1 (a.c:32) of T1 (producer)." */
bool evidence_turn(const struct trace *trace, FILE *out) {
    uint32_t turn = trace->evidence.turn;
    uint32_t turned = trace->evidence.turned;
    const struct event *before = turn > 0 ? last_step_of(trace, turned, turn - 1) : NULL;
    if (before == NULL || turned == trace->events[turn - 1].task)
        return false;
    const struct event *after = next_step_of(trace, before->task, turn);
    /* If the task never moves again, its wait says which operation it stood before. */
    const struct finding_wait *wait = waits_of(&trace->finding, before->task);
    bool ends = after != NULL || wait != NULL;
    describe_task(trace, trace->events[turn - 1].task, out);
    fputs(ends ? " ran between " : " ran after ", out);
    print_step(trace, before, out);
    fputs(ends ? " and " : "", out);
    if (after != NULL) {
        print_step(trace, after, out);
    } else if (wait != NULL) {
        describe_op(trace, &wait->op, out);
        print_place(trace, wait->stack, out);
    }
    fputs(" of ", out);
    describe_task(trace, before->task, out);
    fputc('.', out);
    return true;
}

/* --- the critical step, and what passes --- */

static bool every_execution_fails(const struct trace *trace) {
    return trace->evidence.critical_proven && trace->passing_event_count == 0;
}

/* Whether the critical decision was made within a step whose event does not show the decision. */
static bool chooses_within(const struct trace *trace) {
    const struct evidence *evidence = &trace->evidence;
    return evidence->critical_within && trace->events[evidence->critical - 1].op.kind != OP_CHOOSE;
}

bool evidence_critical(const struct trace *trace, FILE *out) {
    const struct evidence *evidence = &trace->evidence;
    if (every_execution_fails(trace)) {
        fputs("none; the program fails whatever the schedule.", out);
        return true;
    }
    if (evidence->critical == 0)
        return false;
    fprintf(out, "%" PRIu32 ", ", evidence->critical);
    print_step(trace, &trace->events[evidence->critical - 1], out);
    fputs(" of ", out);
    describe_task(trace, trace->events[evidence->critical - 1].task, out);
    fputs(chooses_within(trace) ? ", by what is chosen within it" : "", out);
    fputs(evidence->critical_proven ? ": whatever comes after it, the program fails."
                                    : ": none of the executions that were tried passes after it.",
          out);
    return true;
}

/* The first decision that the passing schedule makes otherwise; NULL if it is not known. */
static const struct decision *parting(const struct trace *trace, const struct decision **instead) {
    for (uint32_t i = 0; i < trace->decision_count && i < trace->passing_decision_count; i++) {
        *instead = &trace->passing_decisions[i];
        if (trace->decisions[i].tag != (*instead)->tag)
            return NULL;
        if (trace->decisions[i].chosen != (*instead)->chosen)
            return &trace->decisions[i];
    }
    return NULL;
}

static void print_other_choice(const struct trace *trace, FILE *out) {
    const struct decision *instead, *decision = parting(trace, &instead);
    uint32_t step = trace->evidence.critical;
    switch (decision != NULL ? (enum choice_tag)decision->tag : CHOICE_TAGS) {
    case CHOICE_VALUE:
        fprintf(out, "%" PRIu32 " in place of %" PRIu32 " is chosen within step %" PRIu32 ".",
                instead->chosen, decision->chosen, step);
        break;
    case CHOICE_WAKE: fprintf(out, "step %" PRIu32 " wakes another task.", step); break;
    case CHOICE_TIMEOUT:
        fprintf(out, "the wait of step %" PRIu32 " %s.", step,
                instead->chosen == 0 ? "times out" : "ends by itself before its time");
        break;
    case CHOICE_SCHEDULE:
    case CHOICE_TAGS:
        fprintf(out, "something else is chosen within step %" PRIu32 ".", step);
        break;
    }
}

/* Names the first step in which the passing schedule differs. Without a critical step, the passing
 * schedule has a step where the other one fails; the failure itself is no event. */
bool evidence_passing(const struct trace *trace, FILE *out) {
    uint32_t critical = trace->evidence.critical;
    uint32_t at = critical > 0 ? critical - 1 : trace->event_count;
    const struct event *instead = &trace->passing_events[at];
    if (at >= trace->passing_event_count)
        return false;
    if (chooses_within(trace)) {
        fputs("a schedule in which ", out);
        print_other_choice(trace, out);
        return true;
    }
    if (critical > 0)
        fprintf(out, "a schedule in which step %" PRIu32 " is ", critical);
    else
        fputs("a schedule which has, in place of the step that fails, ", out);
    print_step(trace, instead, out);
    fputs(" of ", out);
    describe_task(trace, instead->task, out);
    fputc('.', out);
    return true;
}

/* --- all of it --- */

/* Prints "Title: " and the sentence. */
static void print_paragraph(const char *title, const char *sentence, const struct style *style,
                            FILE *out) {
    fprintf(out, "%s%s:%s ", style->strong, title, style->plain);
    wrap_text(sentence, (uint32_t)strlen(title) + 2, 2, out);
    fputc('\n', out);
}

void evidence_print(const struct trace *trace, const struct style *style, FILE *out) {
    static const struct {
        const char *title;
        bool (*write)(const struct trace *trace, FILE *out);
    } paragraphs[] = {
        {"Smallest schedule", evidence_size},
        {"The switch that matters", evidence_turn},
        {"Critical step", evidence_critical},
        {"What passes", evidence_passing},
    };
    if (trace->evidence.smallness == SMALLNESS_UNKNOWN)
        return;
    fputc('\n', out);
    for (size_t i = 0; i < sizeof paragraphs / sizeof *paragraphs; i++) {
        struct wrap_draft draft;
        bool known = paragraphs[i].write(trace, wrap_draft(&draft));
        wrap_drafted(&draft);
        if (known)
            print_paragraph(paragraphs[i].title, draft.text, style, out);
        free(draft.text);
    }
}
