/* style.h - colours, on a terminal only. NO_COLOR (no-color.org) and TERM=dumb switch them off. */
#ifndef REPORTS_STYLE_H
#define REPORTS_STYLE_H

#include <stdio.h>

/* Escape sequences, or empty strings. */
struct style {
    const char *strong, *bad, *good, *faint, *plain;
};

const struct style *style_of(FILE *out);
const struct style *style_none(void);

#endif
