/* style.c - see style.h. */
#include "reports/style.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct style coloured = {"\033[1m", "\033[1;31m", "\033[1;32m", "\033[2m", "\033[0m"};
static const struct style uncoloured = {"", "", "", "", ""};

static bool wants_colour(FILE *out) {
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(fileno(out)) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

const struct style *style_none(void) {
    return &uncoloured;
}

const struct style *style_of(FILE *out) {
    return wants_colour(out) ? &coloured : style_none();
}
