/* sound.c - see sound.h. */
#include "cli/supervise/sound.h"

#include <string.h>

#include "engine/branches.h"
#include "engine/coverage.h"
#include "engine/tree.h"
#include "event/event.h"

static void remember(struct sound *sound, const struct session *session) {
    sound->explorer = session->live.explorer;
    sound->counters = session->result.counters;
    sound->finding_count = session->result.found.count;
    sound->ledger_count = session->result.ledger.count;
    sound->module_count = session->result.modules.count;
    sound->task_count = session->result.tasks.count;
}

void sound_init(struct sound *sound, const struct session *session) {
    memset(sound, 0, sizeof *sound);
    sound->options = session->request.options;
    remember(sound, session);
}

/* Returns true if `size` bytes from `start` on lie in the used part of the session. */
static bool in_session(const struct session *session, const void *start, uint64_t size) {
    uint64_t offset = (uint64_t)start - (uint64_t)session;
    uint64_t used = (uint64_t)session->pool - (uint64_t)session + session->pool->used;
    return offset < used && size <= used - offset && (uint64_t)start % 8 == 0;
}

static bool head_is_sound(const struct sound *sound, const struct session *session) {
    uint64_t offset = (uint64_t)session->pool - (uint64_t)session;
    return session->magic == SESSION_MAGIC && session->size == sizeof *session &&
           offset >= sizeof *session && offset < sizeof *session + 8192 &&
           session->pool->used <= session->pool->limit && session->pool->limit < SESSION_SIZE &&
           memcmp(&session->request.options, &sound->options, sizeof sound->options) == 0;
}

static bool ends(const char *text, size_t size) {
    return memchr(text, '\0', size) != NULL;
}

bool sound_check(struct sound *sound, const struct session *session) {
    bool sound_now = head_is_sound(sound, session) && session->live.phase <= PHASE_DONE &&
                     (sound->explorer == NULL || session->live.explorer == sound->explorer) &&
                     session->result.found.count >= sound->finding_count &&
                     session->result.found.count <= FOUND_MAX &&
                     session->result.ledger.count <= LEDGER_MAX &&
                     session->result.modules.count <= MODULES_MAX &&
                     session->result.tasks.count <= SESSION_TASKS_MAX &&
                     session->result.failure.verdict < VERDICTS &&
                     ends(session->result.failure.text, sizeof session->result.failure.text) &&
                     ends(session->result.difference.text, sizeof session->result.difference.text);
    if (sound_now)
        remember(sound, session);
    return sound_now;
}

void sound_restore(const struct sound *sound, struct session *session) {
    session->request.options = sound->options;
    session->result.counters = sound->counters;
    session->result.found.count = sound->finding_count;
    session->result.ledger.count = sound->ledger_count;
    session->result.modules.count = sound->module_count;
    session->result.tasks.count = sound->task_count;
    session->result.failure.text[0] = session->result.difference.text[0] = '\0';
    session->result.failure.pc = session->result.difference.pc = 0;
    memset(&session->result.scale.rounds, 0, sizeof session->result.scale.rounds);
    session->result.records.branches = NULL;
    session->result.records.tree = NULL;
    session->result.records.coverage = NULL;
    for (uint32_t i = 0; i < LEDGER_MAX; i++)
        session->result.ledger.entries[i].call[sizeof session->result.ledger.entries[i].call - 1] =
            session->result.ledger.entries[i]
                .why[sizeof session->result.ledger.entries[i].why - 1] = '\0';
    for (uint32_t i = 0; i < MODULES_MAX; i++)
        session->result.modules.list[i].path[sizeof session->result.modules.list[i].path - 1] =
            '\0';
}

static bool array_is_sound(const struct session *session, const void *items, uint32_t count,
                           uint32_t capacity, size_t element) {
    return count <= 1 ||
           (count <= capacity && in_session(session, items, (uint64_t)capacity * element));
}

static bool finding_is_sound(const struct finding *finding) {
    return finding->kind < FINDING_KINDS && finding->stack_count <= FINDING_STACKS &&
           finding->wait_count <= FINDING_WAITS;
}

static bool blocks_are_sound(const struct session *session, const struct heap_blocks *blocks) {
    bool sound = blocks->count == 0 ||
                 (blocks->count <= blocks->capacity &&
                  in_session(session, blocks->items, blocks->capacity * sizeof *blocks->items));
    for (uint32_t i = 0; sound && i < blocks->count; i++)
        sound = blocks->items[i].depth <= HEAP_BLOCK_FRAMES;
    return sound;
}

static bool execution_is_sound(const struct session *session, const struct execution *execution) {
    return array_is_sound(session, execution->decisions, execution->decision_count,
                          execution->decision_capacity, sizeof *execution->decisions) &&
           array_is_sound(session, execution->events, execution->event_count,
                          execution->event_capacity, sizeof *execution->events) &&
           array_is_sound(session, execution->frames, execution->frame_count,
                          execution->frame_capacity, sizeof *execution->frames) &&
           array_is_sound(session, execution->text, execution->text_count, execution->text_capacity,
                          1) &&
           blocks_are_sound(session, &execution->blocks);
}

bool sound_finding(const struct session *session, const struct session_finding *found) {
    return in_session(session, found, sizeof *found) && finding_is_sound(&found->finding) &&
           execution_is_sound(session, &found->execution);
}

bool sound_current(const struct session *session) {
    return in_session(session, session->live.current, sizeof *session->live.current) &&
           execution_is_sound(session, session->live.current);
}

static bool rounds_task_is_sound(const struct session *session, const struct rounds_task *task) {
    bool sound = task->task < session->result.tasks.count && task->place_count <= ROUNDS_PLACES;
    for (uint32_t i = 0; sound && i < task->place_count; i++)
        sound = task->places[i].kind < OP_KINDS;
    return sound;
}

bool sound_rounds(const struct session *session) {
    const struct rounds *rounds = &session->result.scale.rounds;
    bool sound = rounds->task_count <= ROUNDS_TASKS;
    for (uint32_t i = 0; sound && i < rounds->task_count; i++)
        sound = rounds_task_is_sound(session, &rounds->tasks[i]);
    return sound;
}

bool sound_minimised(const struct session *session) {
    const struct minimised *minimised = &session->result.minimised;
    return minimised->has_smallest && finding_is_sound(&minimised->finding) &&
           execution_is_sound(session, &minimised->smallest) &&
           (!minimised->has_passing || execution_is_sound(session, &minimised->passing));
}

static bool row_is_sound(const struct session *session, const struct branch_row *row) {
    return row->kinds[0] < OP_KINDS && row->kinds[1] < OP_KINDS && row->tag < CHOICE_TAGS &&
           row->tasks[0] < session->result.tasks.count &&
           row->tasks[1] < session->result.tasks.count;
}

static bool event_is_sound(const struct session *session, const struct event *event) {
    return event->op.kind < OP_KINDS && event->task < session->result.tasks.count;
}

bool sound_branches(const struct session *session) {
    const struct branches *branches = session->result.records.branches;
    if (!in_session(session, branches, sizeof *branches) || branches->row_count > BRANCH_ROWS_MAX ||
        branches->note_count > BRANCH_NOTES)
        return false;
    for (uint32_t i = 0; i < branches->row_count; i++)
        if (!row_is_sound(session, &branches->rows[i]))
            return false;
    for (uint32_t i = 0; i < branches->note_count; i++) {
        const struct branch_note *note = &branches->notes[i];
        if (note->tag >= CHOICE_TAGS || !event_is_sound(session, &note->first) ||
            !event_is_sound(session, &note->second))
            return false;
    }
    return true;
}

static bool node_is_sound(const struct session *session, const struct tree_node *node) {
    switch (node->kind) {
    case TREE_ROOT:
    case TREE_SEARCH: return true;
    case TREE_DECISION:
        return node->decision.tag < CHOICE_TAGS &&
               (!node->happened || event_is_sound(session, &node->event));
    case TREE_LEAF: return node->outcome <= OUTCOME_ERROR && node->finding <= FINDING_KINDS;
    }
    return false;
}

bool sound_tree(const struct session *session) {
    const struct tree *tree = session->result.records.tree;
    if (!in_session(session, tree, sizeof *tree) || tree->count == 0 ||
        tree->count > TREE_NODES + TREE_NODES_FOUND)
        return false;
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        bool below = i == 0 ? node->kind == TREE_ROOT
                            : node->parent < i && node->kind != TREE_ROOT &&
                                  tree->nodes[node->parent].kind != TREE_LEAF;
        if (!below || !node_is_sound(session, node))
            return false;
    }
    return true;
}

bool sound_coverage(const struct session *session) {
    const struct coverage *coverage = session->result.records.coverage;
    if (!in_session(session, coverage, sizeof *coverage) || coverage->row_count > COVERAGE_ROWS_MAX)
        return false;
    for (uint32_t i = 0; i < coverage->row_count; i++) {
        const struct coverage_row *row = &coverage->rows[i];
        if (row->kinds[0] >= OP_KINDS || row->kinds[1] >= OP_KINDS ||
            (row->open && (row->tasks[0] >= session->result.tasks.count ||
                           row->tasks[1] >= session->result.tasks.count)))
            return false;
    }
    return true;
}
