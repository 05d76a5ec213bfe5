/* races.c - see races.h. */
#include "cli/explain/races.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/base/say.h"
#include "reports/describe.h"
#include "reports/wrap.h"

enum { CAUSES_SHOWN = 4, SHARE_MIN = 3, LABEL = 15, SHARE = 11 };

/* "T1 (writer) store x, readers.c:24" */
static void print_side(const struct causes *causes, const struct event *event, FILE *out) {
    describe_task(&causes->trace, event->task, out);
    fputc(' ', out);
    describe_op(&causes->trace, &event->op, out);
    causes_print_place(trace_place(&causes->trace, event->stack), ", ", out);
}

static void print_choice(const struct branch_note *note, FILE *out) {
    switch ((enum choice_tag)note->tag) {
    case CHOICE_VALUE:
        fprintf(out, ": chooses %" PRIu32 " of %" PRIu32, note->value, note->count);
        break;
    case CHOICE_WAKE:
        fprintf(out, ": wakes sleeper %" PRIu32 " of %" PRIu32, note->value + 1, note->count);
        break;
    case CHOICE_TIMEOUT: fputs(": the wait ends otherwise (time-out or spurious)", out); break;
    case CHOICE_SCHEDULE:
    case CHOICE_TAGS: break;
    }
}

static void print_note(const struct causes *causes, uint32_t number, FILE *out) {
    const struct branch_note *note = &causes->branches->notes[number];
    fprintf(out, "%5" PRIu32 "  execution %" PRIu64 ": ", number + 1, note->execution);
    print_side(causes, causes_first(causes, number), out);
    if (note->tag == CHOICE_SCHEDULE) {
        fputs(" - ", out);
        print_side(causes, causes_second(causes, number), out);
    } else {
        print_choice(note, out);
    }
    fputc('\n', out);
}

void races_show(const struct causes *causes, FILE *out) {
    const struct branches *branches = causes->branches;
    char count[GROUPED_SIZE];
    if (branches == NULL)
        return;
    if (branches->planned == 0) {
        fputs("Branches of the search: none\n", out);
        return;
    }
    fputs("Branches of the search, and what made each:\n", out);
    for (uint32_t i = 0; i < branches->note_count; i++)
        print_note(causes, i, out);
    if (branches->planned > branches->note_count)
        fprintf(out, "       and %s more\n",
                say_grouped(branches->planned - branches->note_count, count));
}

void races_print_causes(const struct causes *causes, FILE *out) {
    if (causes->branches == NULL || causes->count == 0)
        return;
    fputs("  most branches come from:\n", out);
    for (uint32_t i = 0; i < causes->count && i < CAUSES_SHOWN; i++) {
        uint32_t share = causes_share(causes, causes->list[i].count);
        if (i > 0 && share < SHARE_MIN)
            return;
        struct wrap_draft draft;
        causes_print(&causes->list[i], wrap_draft(&draft));
        fprintf(out, "    %3" PRIu32 " %%  ", share);
        wrap_text(wrap_drafted(&draft), SHARE, SHARE + 2, out);
        fputc('\n', out);
        free(draft.text);
    }
}

void races_print_tips(const struct tip *tips, uint32_t count, FILE *out) {
    for (uint32_t i = 0; i < count; i++) {
        fprintf(out, "  %-*s", LABEL - 2, "tip");
        wrap_text(tips[i].text, LABEL, LABEL, out);
        fputc('\n', out);
    }
}
