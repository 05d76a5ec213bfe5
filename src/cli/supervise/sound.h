/* sound.h - checks that the session is still valid.
 *
 * The tested program can overwrite the memory that it shares with the supervisor. Before the
 * supervisor follows a pointer or uses a count in it, both must have possible values. A session
 * with impossible values is restored to its last valid state, so that earlier findings are not
 * lost. This protects the supervisor; it does not find every wild write. */
#ifndef CLI_SOUND_H
#define CLI_SOUND_H

#include "engine/session.h"

struct sound {
    struct options options; /* the options, which do not change during a run */
    void *explorer;         /* the explorer, which does not change once it is set */
    struct counters counters;
    uint32_t finding_count, ledger_count, module_count, task_count;
};

void sound_init(struct sound *sound, const struct session *session);

/* Returns true if the session is valid, and remembers its state. */
bool sound_check(struct sound *sound, const struct session *session);

/* Restores the remembered state. Texts are lost. No other process may write to the session any
 * more. */
void sound_restore(const struct sound *sound, struct session *session);

/* Returns true if a finding may be read. */
bool sound_finding(const struct session *session, const struct session_finding *found);

/* Returns true if session->result.minimised has an answer that may be read. */
bool sound_minimised(const struct session *session);

/* Return true if session->live.current, and session->result.scale.rounds, may be read. */
bool sound_current(const struct session *session);
bool sound_rounds(const struct session *session);

/* The same for session->result.records.branches, tree and coverage, which must not be NULL. */
bool sound_branches(const struct session *session);
bool sound_tree(const struct session *session);
bool sound_coverage(const struct session *session);

#endif
