/* rounds.c - see rounds.h. */
#define _GNU_SOURCE
#include "cli/explain/rounds.h"

#include <string.h>

#include "cli/supervise/sound.h"
#include "reports/describe.h"

enum { PLACES_LISTED = 3, FUNCTION_SHOWN = 60 };

void rounds_look_at_last(struct session *session) {
    if (session->live.phase == PHASE_EXPLORING && sound_current(session))
        rounds_look(&session->result.scale.rounds, session->live.current,
                    counters_begun(&session->result.counters) + 1);
}

static const char *separator(uint32_t at, uint32_t count) {
    return at == 0 ? "" : at + 1 == count ? " and " : ", ";
}

static void print_tasks(const struct collect_source *source, FILE *out) {
    const struct rounds *rounds = &source->session->result.scale.rounds;
    for (uint32_t i = 0; i < rounds->task_count; i++) {
        uint32_t task = rounds->tasks[i].task;
        char name[SYMBOLS_NAME] = "main";
        fprintf(out, "%sT%u", separator(i, rounds->task_count), task);
        if (task > 0 &&
            !symbols_own_function(source->symbols, source->session->result.tasks.list[task].entry,
                                  name, sizeof name))
            continue;
        fputs(" (", out);
        describe_text(name, out);
        fputc(')', out);
    }
}

/* The innermost line in the user's own code. In a library's header, the function that is compiled
 * here. */
static void say_place(struct symbols *symbols, uint64_t pc, char text[PLACE_SIZE]) {
    struct symbols_frame frames[SYMBOLS_INLINED_MAX];
    uint32_t count = symbols_frames(symbols, pc, frames);
    for (uint32_t i = 0; i < count; i++) {
        struct trace_frame frame = {.file = frames[i].file, .module = frames[i].module};
        const char *file = trace_basename(frame.file);
        if (trace_own_code(&frame)) {
            snprintf(text, PLACE_SIZE, "%.200s:%u", file, frames[i].line);
            return;
        }
    }
    const struct symbols_frame *outer = &frames[count - 1];
    snprintf(text, PLACE_SIZE, "%.*s", FUNCTION_SHOWN,
             outer->function[0] ? outer->function : outer->module);
}

struct places {
    char texts[ROUNDS_TASKS * ROUNDS_PLACES][PLACE_SIZE];
    uint32_t count;
};

/* Adds the place, unless it is there already. Places are sorted by file and line. */
static void add_place(struct places *places, const char *text) {
    uint32_t at = places->count;
    while (at > 0 && strverscmp(places->texts[at - 1], text) > 0)
        at--;
    if (at > 0 && strcmp(places->texts[at - 1], text) == 0)
        return;
    memmove(places->texts[at + 1], places->texts[at], (places->count - at) * PLACE_SIZE);
    snprintf(places->texts[at], PLACE_SIZE, "%s", text);
    places->count++;
}

static void find_places(struct places *places, const struct collect_source *source) {
    const struct rounds *rounds = &source->session->result.scale.rounds;
    char text[PLACE_SIZE];
    places->count = 0;
    for (uint32_t i = 0; i < rounds->task_count; i++)
        for (uint32_t at = 0; at < rounds->tasks[i].place_count; at++) {
            say_place(source->symbols, rounds->tasks[i].places[at].pc, text);
            add_place(places, text);
        }
}

void rounds_print(const struct collect_source *source, FILE *out) {
    struct places places;
    print_tasks(source, out);
    find_places(&places, source);
    bool more = places.count > PLACES_LISTED;
    uint32_t listed = more ? PLACES_LISTED : places.count;
    fputs(source->session->result.scale.rounds.task_count == 1 ? " goes round at "
                                                               : " go round at ",
          out);
    for (uint32_t i = 0; i < listed; i++) {
        fputs(separator(i, listed + more), out);
        describe_text(places.texts[i], out);
    }
    if (more)
        fputs(" and other lines", out);
}
