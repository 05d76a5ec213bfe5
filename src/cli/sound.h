/* sound.h - is the session still what we made of it?
 *
 * The tested program can write over the memory that it shares with us. Before the supervisor follows a
 * pointer or counts up to a number in it, both must lie where they can lie; and a session that does
 * not is put back to what it was when last seen sound, so that what was found before is not lost. This
 * catches what would lead us astray, not every wild write. */
#ifndef CLI_SOUND_H
#define CLI_SOUND_H

#include "engine/session.h"

struct sound {
    struct options options; /* nobody changes them while it runs */
    void *explorer;         /* once it is there, it stays */
    struct session_counters counters;
    uint32_t finding_count, ledger_count, module_count, task_count;
};

void sound_init(struct sound *sound, const struct session *session);

/* Whether it is sound; if so, that is remembered. */
bool sound_check(struct sound *sound, const struct session *session);

/* What was remembered; texts are lost. Nobody else may write to the session any more. */
void sound_restore(const struct sound *sound, struct session *session);

/* Whether a finding may be read. */
bool sound_finding(const struct session *session, const struct session_finding *found);

/* Whether session->minimised has an answer that may be read. */
bool sound_minimised(const struct session *session);

/* Whether session->current may be read, and session->rounds. */
bool sound_current(const struct session *session);
bool sound_rounds(const struct session *session);

/* The same of session->branches, session->tree and session->coverage, which are there. */
bool sound_branches(const struct session *session);
bool sound_tree(const struct session *session);
bool sound_coverage(const struct session *session);

#endif
