/* tips.h - what would make the search smaller, by what was measured in it. */
#ifndef CLI_TIPS_H
#define CLI_TIPS_H

#include "cli/causes.h"
#include "cli/judge.h"

enum { TIPS_MAX = 3, TIP_SIZE = 500 };

struct tip {
    const char *name;    /* one word, for programs */
    char text[TIP_SIZE]; /* a sentence or two */
};

/* Whether the search was so large, or ended so early, that its causes and tips are worth a line. */
bool tips_wanted(const struct session *session, const struct judgement *judgement);

/* The tips that hold, at most TIPS_MAX, the best first; how many. */
uint32_t tips_find(struct tip tips[TIPS_MAX], const struct causes *causes,
                   const struct judgement *judgement, const struct collect_source *source);

#endif
