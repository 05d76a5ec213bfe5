/* extent.h - how far a search came, in words: "all 4,096 executions with at most 2 preemptions". */
#ifndef ENGINE_JUDGE_EXTENT_H
#define ENGINE_JUDGE_EXTENT_H

#include "engine/judge/omissions.h"

enum { EXTENT_TEXT = 300 };

void extent_of_search(const struct judged *run, const struct omissions *omissions,
                      char text[EXTENT_TEXT]);

/* With --deepen, if a budget ended the search: the bound that was completed before. */
void extent_of_deepening(const struct judged *run, char text[EXTENT_TEXT]);

/* Whether the sentence about the extent covers an omission of this kind. */
bool extent_says(enum omission_kind kind);

#endif
