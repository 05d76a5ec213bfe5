/* sound.c - see sound.h. */
#include "cli/sound.h"

#include <string.h>

static void remember(struct sound *sound, const struct session *session) {
    sound->explorer = session->explorer;
    sound->counters = session->counters;
    sound->finding_count = session->finding_count;
    sound->ledger_count = session->ledger_count;
    sound->module_count = session->module_count;
    sound->task_count = session->task_count;
}

void sound_init(struct sound *sound, const struct session *session) {
    memset(sound, 0, sizeof *sound);
    sound->options = session->options;
    remember(sound, session);
}

/* Whether `size` bytes from `start` on lie in the part of the session that is in use. */
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
           memcmp(&session->options, &sound->options, sizeof sound->options) == 0;
}

static bool ends(const char *text, size_t size) {
    return memchr(text, '\0', size) != NULL;
}

bool sound_check(struct sound *sound, const struct session *session) {
    bool sound_now =
        head_is_sound(sound, session) && session->phase <= PHASE_DONE &&
        (sound->explorer == NULL || session->explorer == sound->explorer) &&
        session->finding_count >= sound->finding_count &&
        session->finding_count <= SESSION_FINDINGS && session->ledger_count <= SESSION_LEDGER &&
        session->module_count <= SESSION_MODULES && session->task_count <= SESSION_TASKS &&
        session->error_verdict < VERDICTS && ends(session->error, sizeof session->error) &&
        ends(session->difference, sizeof session->difference);
    if (sound_now)
        remember(sound, session);
    return sound_now;
}

void sound_restore(const struct sound *sound, struct session *session) {
    session->options = sound->options;
    session->counters = sound->counters;
    session->finding_count = sound->finding_count;
    session->ledger_count = sound->ledger_count;
    session->module_count = sound->module_count;
    session->task_count = sound->task_count;
    session->error[0] = session->difference[0] = '\0';
    session->error_pc = session->difference_pc = 0;
    memset(&session->rounds, 0, sizeof session->rounds);
    session->branches = NULL;
    session->tree = NULL;
    session->coverage = NULL;
    for (uint32_t i = 0; i < SESSION_LEDGER; i++)
        session->ledger[i].call[sizeof session->ledger[i].call - 1] =
            session->ledger[i].why[sizeof session->ledger[i].why - 1] = '\0';
    for (uint32_t i = 0; i < SESSION_MODULES; i++)
        session->modules[i].path[sizeof session->modules[i].path - 1] = '\0';
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
    return in_session(session, session->current, sizeof *session->current) &&
           execution_is_sound(session, session->current);
}

static bool rounds_task_is_sound(const struct session *session, const struct rounds_task *task) {
    bool sound = task->task < session->task_count && task->place_count <= ROUNDS_PLACES;
    for (uint32_t i = 0; sound && i < task->place_count; i++)
        sound = task->places[i].kind < OP_KINDS;
    return sound;
}

bool sound_rounds(const struct session *session) {
    const struct rounds *rounds = &session->rounds;
    bool sound = rounds->task_count <= ROUNDS_TASKS;
    for (uint32_t i = 0; sound && i < rounds->task_count; i++)
        sound = rounds_task_is_sound(session, &rounds->tasks[i]);
    return sound;
}

bool sound_minimised(const struct session *session) {
    const struct minimised *minimised = &session->minimised;
    return minimised->has_smallest && finding_is_sound(&minimised->finding) &&
           execution_is_sound(session, &minimised->smallest) &&
           (!minimised->has_passing || execution_is_sound(session, &minimised->passing));
}

static bool row_is_sound(const struct session *session, const struct branch_row *row) {
    return row->kinds[0] < OP_KINDS && row->kinds[1] < OP_KINDS && row->tag < CHOICE_TAGS &&
           row->tasks[0] < session->task_count && row->tasks[1] < session->task_count;
}

static bool event_is_sound(const struct session *session, const struct event *event) {
    return event->op.kind < OP_KINDS && event->task < session->task_count;
}

bool sound_branches(const struct session *session) {
    const struct branches *branches = session->branches;
    if (!in_session(session, branches, sizeof *branches) || branches->row_count > BRANCH_ROWS_MAX ||
        branches->note_count > BRANCH_NOTES)
        return false;
    for (uint32_t i = 0; i < BRANCH_SLOTS; i++)
        if (branches->rows[i].count != 0 && !row_is_sound(session, &branches->rows[i]))
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
    const struct tree *tree = session->tree;
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
    const struct coverage *coverage = session->coverage;
    if (!in_session(session, coverage, sizeof *coverage))
        return false;
    for (uint32_t i = 0; i < COVERAGE_SLOTS; i++) {
        const struct coverage_row *row = &coverage->rows[i];
        if (row->kinds[0] >= OP_KINDS || row->kinds[1] >= OP_KINDS ||
            (row->open &&
             (row->tasks[0] >= session->task_count || row->tasks[1] >= session->task_count)))
            return false;
    }
    return true;
}
