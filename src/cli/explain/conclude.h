/* conclude.h - the judgement at the end of a search, together with facts that only the tool can
 * find out. */
#ifndef CLI_CONCLUDE_H
#define CLI_CONCLUDE_H

#include "cli/names/symbols.h"
#include "engine/judge/judge.h"
#include "engine/session.h"

/* Adds source lines to the result, and judges it. result.found.reported must be set. */
struct judgement conclude(struct session *session, struct symbols *symbols);

#endif
