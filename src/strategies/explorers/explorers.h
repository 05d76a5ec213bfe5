/* explorers.h - the delaying explorers that come with the tool; heddle/explorer.h says what an
 * explorer is. To add one, write a file here, declare it, and add a row in explorers.c. */
#ifndef STRATEGIES_EXPLORERS_EXPLORERS_H
#define STRATEGIES_EXPLORERS_EXPLORERS_H

#include <heddle/explorer.h>

extern const struct heddle_explorer rr_explorer;     /* rr.c */
extern const struct heddle_explorer rtc_explorer;    /* rtc.c */
extern const struct heddle_explorer prr_explorer;    /* prr.c */
extern const struct heddle_explorer random_explorer; /* random.c */

#define DEFAULT_EXPLORER "rtc"

/* The explorers above, ended by NULL. */
extern const struct heddle_explorer *const explorers[];

/* Makes the user's explorer available under `name`, in place of an earlier one. If `custom` is NULL,
 * there is none. Both are borrowed. */
void explorer_offer(const char *name, const struct heddle_explorer *custom);

/* Returns NULL if there is no explorer of that name. */
const struct heddle_explorer *explorer_named(const char *name);

#endif
