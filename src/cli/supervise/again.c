/* again.c - see again.h. */
#include "cli/supervise/again.h"

#include <stdio.h>
#include <string.h>

void supervise_pass_time(const struct supervision *supervision, struct options *options) {
    uint32_t limit = options->timeout_ms, spent = (uint32_t)(1000 * supervision->seconds);
    if (limit)
        options->timeout_ms = limit > spent ? limit - spent : 1;
}

/* Adds a word to a list whose words are separated by colons. */
static void add_word(char *list, size_t size, const char *word) {
    size_t used = strnlen(list, size - 1);
    snprintf(list + used, size - used, "%s%s", used > 0 ? ":" : "", word);
}

bool supervise_again(const struct supervision *supervision, struct options *options) {
    const struct result *result = &supervision->session->result;
    enum lacking lacks = result->search.lacks;
    if (lacks == LACKS_NOTHING || result->search.stopped != STOPPED_NOT || result->failure.outside)
        return false;
    supervise_pass_time(supervision, options);
    options->shared_stacks |= lacks == LACKS_SHARED_STACKS;
    options->thread_ends |= lacks == LACKS_THREAD_ENDS;
    options->last_end |= lacks == LACKS_LAST_END;
    options->cycles |= lacks == LACKS_CYCLES;
    if (lacks == LACKS_LIBRARY)
        add_word(options->libraries, sizeof options->libraries, result->search.library);
    if (lacks == LACKS_LOOP)
        add_word(options->loops, sizeof options->loops, result->search.loop);
    return true;
}
