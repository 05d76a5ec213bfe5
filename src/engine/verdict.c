/* verdict.c - the table behind verdict.h. */
#include "engine/verdict.h"

#include "base/check.h"

static const struct verdict_info infos[VERDICTS] = {
    [VERDICT_VERIFIED] = {"verified", 0},
    [VERDICT_BOUNDED] = {"no-bug-within-bound", 0},
    [VERDICT_BUG] = {"bug", 1},
    [VERDICT_USAGE] = {"usage-error", 2},
    [VERDICT_UNDECIDED] = {"undecided", 3},
    [VERDICT_BUDGET] = {"budget-ended", 3},
    [VERDICT_UNCONTROLLED] = {"uncontrolled", 4},
    [VERDICT_UNSUPPORTED] = {"unsupported", 5},
    [VERDICT_ERROR] = {"tool-error", 6},
};

const struct verdict_info *verdict_info(enum verdict verdict) {
    CHECK(verdict < VERDICTS);
    return &infos[verdict];
}
