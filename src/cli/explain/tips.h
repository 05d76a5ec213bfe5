/* tips.h - tips that would make the search smaller, from measurements of the search. */
#ifndef CLI_TIPS_H
#define CLI_TIPS_H

#include "cli/explain/causes.h"
#include "engine/judge/judge.h"

enum { TIPS_MAX = 3, TIP_SIZE = 500 };

struct tip {
    const char *name;    /* one word, for programs */
    char text[TIP_SIZE]; /* a sentence or two */
};

/* The search was so large, or ended so early, that its causes and tips are worth a line. */
bool tips_wanted(const struct session *session, const struct judgement *judgement);

/* Finds the tips that apply, the best first, at most TIPS_MAX. Returns their number. */
uint32_t tips_find(struct tip tips[TIPS_MAX], const struct causes *causes,
                   const struct judgement *judgement, const struct collect_source *source);

#endif
