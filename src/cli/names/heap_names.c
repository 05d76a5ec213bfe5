/* heap_names.c - see heap_names.h.
 *
 * The stack of the allocation is followed outwards to the first function of the program that
 * assigns the block to a typed pointer. Functions that return `void *` only pass memory on, as
 * xmalloc() does, so their callers are examined. But such a function may also be the start function
 * of a thread. */
#include "cli/names/heap_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/names/assignment.h"
#include "cli/names/pointers.h"
#include "cli/names/statement.h"
#include "cli/names/variables.h"
#include "trace/trace.h"

enum {
    SHARED_COUNTS = 16, /* std::make_shared of libstdc++: bytes before the object */
    ARRAY_COUNT = 8,    /* new T[n]: bytes before the elements, if they have a destructor */
    WRAPPERS_MAX = 4,
    PART_SIZE = 160,
};

struct named_block {
    struct heap_block *block;
    bool typed; /* the block has a variable */
    /* The name of the variable, or the place of the allocation; "" if unknown. */
    char base[PART_SIZE];
    struct pointee pointee;
    uint64_t before; /* bytes before the place to which the pointer points */
    bool array;
    uint32_t number; /* the number among the blocks with this base, or 0 if there is only one */
};

struct heap_names {
    struct symbols *symbols;
    struct source_files *files;
    struct heap_blocks blocks; /* sorted by address */
    struct named_block *items; /* one for each block, in the same order */
};

/* --- does the type fit the block? --- */

/* There may be a count before the elements. The size tells, unless both cases fit. */
static bool fits_new_array(struct named_block *named) {
    uint64_t size = named->block->size, each = named->pointee.size;
    bool plain = size % each == 0;
    bool counted = !named->pointee.plain && size > ARRAY_COUNT && (size - ARRAY_COUNT) % each == 0;
    named->array = true;
    named->before = counted ? ARRAY_COUNT : 0;
    return plain != counted;
}

/* True if the object has exactly this type, and not that of a derived class. */
static bool fits_new(struct named_block *named, const struct assignment *assignment) {
    uint64_t size = named->block->size, each = named->pointee.size;
    if (assignment->array)
        return !assignment->make_shared && fits_new_array(named);
    named->before = assignment->make_shared ? SHARED_COUNTS : 0;
    return size - named->before == each ||
           (assignment->make_shared && size == ((SHARED_COUNTS + each + 7) & ~(uint64_t)7));
}

static bool fits(struct named_block *named, const struct assignment *assignment, bool handed_on) {
    uint64_t size = named->block->size, each = named->pointee.size;
    if (assignment->by_new)
        return fits_new(named, assignment) && (!assignment->make_shared || named->pointee.smart);
    if (named->pointee.smart || size < each)
        return false;
    named->array = size > each && size % each == 0 && assignment->array && !assignment->more &&
                   !named->pointee.open;
    return !handed_on || size == each || named->array;
}

/* --- one block --- */

/* A frame of the allocation's stack. */
struct level {
    const struct symbols_frame *frame;
    const char *callee; /* the function that is called at this place */
    bool handed_on;     /* the inner functions only pass the block on */
    bool untyped;       /* this function passes the block on, too, by its type */
};

static void place_at(struct named_block *named, const struct symbols_frame *frame) {
    if (frame->file[0])
        snprintf(named->base, sizeof named->base, "heap(%.100s:%u)", trace_basename(frame->file),
                 frame->line);
    else
        snprintf(named->base, sizeof named->base, "heap(%.120s)",
                 frame->function[0] ? frame->function : frame->module);
}

/* Returns true if the text names a variable with a type that fits. Sets *adds if the call asks for
 * more bytes than its caller did: then the block is not the object that is passed on. */
static bool assigned_at(struct heap_names *names, struct named_block *named,
                        const struct level *level, Dwarf_Die *scopes, int count, bool *adds) {
    char text[STATEMENT_SIZE];
    struct assignment assignment;
    statement_around(names->files, level->frame->file, level->frame->line, text);
    *adds = text[0] == '\0' || strchr(text, '+') != NULL;
    if (!assignment_read(text, level->callee, &assignment) ||
        !pointers_resolve(&assignment, scopes, count, &named->pointee) ||
        !fits(named, &assignment, level->handed_on))
        return false;
    /* The block has only bytes here, or additional bytes before the object. An outer function gives
     * it a type. */
    if (level->untyped && (named->pointee.size == 1 || assignment.more))
        return false;
    snprintf(named->base, sizeof named->base, "%s", assignment.text);
    return true;
}

/* Returns true if this frame decides: the block has a name, or no outer frame can have a better
 * one. */
static bool decides(struct heap_names *names, struct named_block *named, struct level *level,
                    uint64_t pc, uint32_t inlined) {
    Dwarf_Die *scopes;
    bool adds = true;
    int count = symbols_scopes(names->symbols, pc, inlined, &scopes);
    place_at(named, level->frame);
    if (count > 0) {
        level->untyped = pointers_untyped_result(&scopes[0]);
        named->typed = assigned_at(names, named, level, scopes, count, &adds);
    }
    bool handed_on = count > 0 && level->untyped && !adds;
    free(scopes);
    return named->typed || !handed_on;
}

static bool is_own(const struct symbols_frame *frame) {
    return !frame->system && !frame->runtime && strncmp(frame->file, "/usr/", 5) != 0;
}

/* Keeps the innermost name of a function: "malloc" of "std::malloc". */
static void keep_callee(char callee[SYMBOLS_NAME], const char *function) {
    const char *name = function;
    for (const char *at = function; (at = strstr(at, "::")) != NULL; at += 2)
        name = at + 2;
    snprintf(callee, SYMBOLS_NAME, "%.*s", (int)strcspn(name, "<("), name);
}

static void name_block(struct heap_names *names, struct named_block *named) {
    const struct heap_block *block = named->block;
    char callee[SYMBOLS_NAME] = "malloc";
    uint32_t levels = 0;
    for (uint32_t i = 0; i < block->depth; i++) {
        struct symbols_frame frames[SYMBOLS_INLINED_MAX];
        uint32_t count = symbols_frames(names->symbols, block->pcs[i], frames);
        for (uint32_t j = 0; j < count; j++) {
            struct level level = {.frame = &frames[j], .callee = callee, .handed_on = levels > 0};
            if (is_own(&frames[j]) &&
                (decides(names, named, &level, block->pcs[i], j) || ++levels > WRAPPERS_MAX))
                return;
            keep_callee(callee, frames[j].function);
        }
    }
}

/* --- all blocks --- */

/* There are few names, and many blocks with one name, so the previous block with the same name is
 * near. */
static void number_block(struct heap_names *names, uint32_t at) {
    struct named_block *named = &names->items[at];
    for (uint32_t i = at; i-- > 0;) {
        struct named_block *before = &names->items[i];
        if (strcmp(before->base, named->base) != 0)
            continue;
        before->number = before->number ? before->number : 1;
        named->number = before->number + 1;
        return;
    }
}

static void add_block(struct heap_names *names, const struct heap_block *block) {
    names->blocks.items[names->blocks.count++] = *block;
}

/* Merges two lists that are sorted by address. */
static void merge(struct heap_names *names, const struct heap_blocks *a,
                  const struct heap_blocks *b) {
    uint32_t i = 0, j = 0;
    while (i < a->count || j < b->count) {
        bool first = j == b->count || (i < a->count && a->items[i].start <= b->items[j].start);
        if (first && j < b->count && a->items[i].start == b->items[j].start)
            j++;
        add_block(names, first ? &a->items[i++] : &b->items[j++]);
    }
}

struct heap_names *heap_names_create(struct symbols *symbols, struct source_files *files,
                                     const struct heap_blocks *blocks,
                                     const struct heap_blocks *others) {
    static const struct heap_blocks none;
    others = others ? others : &none;
    struct heap_names *names = calloc(1, sizeof *names);
    CHECK(names);
    *names = (struct heap_names){.symbols = symbols, .files = files};
    size_t most = (size_t)blocks->count + others->count;
    names->blocks.items = calloc(most + 1, sizeof *names->blocks.items);
    names->items = calloc(most + 1, sizeof *names->items);
    CHECK(names->items && names->blocks.items);
    merge(names, blocks, others);
    for (uint32_t i = 0; i < names->blocks.count; i++) {
        names->items[i].block = &names->blocks.items[i];
        name_block(names, &names->items[i]);
        number_block(names, i);
    }
    return names;
}

void heap_names_destroy(struct heap_names *names) {
    if (names != NULL) {
        free(names->blocks.items);
        free(names->items);
    }
    free(names);
}

/* --- objects inside of a block -------------------------------------------------------------- */

static void join(char *name, size_t size, const char *base, const char *path, bool array) {
    if (array)
        snprintf(name, size, "%s%s", base, path);
    else if (path[0] == '.')
        snprintf(name, size, "%s->%s", base, path + 1);
    else
        snprintf(name, size, "*%s%s", base, path);
}

/* A byte that the type does not describe is named by its distance from the start of the object. */
static void name_typed(const struct named_block *named, uint64_t offset, const char *base,
                       char *name, size_t size) {
    char path[SYMBOLS_NAME];
    struct pointee pointee = named->pointee;
    uint64_t inside = offset - named->before;
    int used = 0;
    if (offset < named->before) {
        snprintf(name, size, "*%s-%llu", base, (unsigned long long)(named->before - offset));
        return;
    }
    if (!named->array && inside >= pointee.size) {
        snprintf(name, size, "*%s+%llu", base, (unsigned long long)inside);
        return;
    }
    if (named->array)
        used = snprintf(path, sizeof path, "[%llu]", (unsigned long long)(inside / pointee.size));
    variables_path(&pointee.type, inside % pointee.size, path + used, sizeof path - (size_t)used);
    join(name, size, base, path, named->array);
}

bool heap_names_name(const struct heap_names *names, uint64_t address, char *name, size_t size) {
    const struct heap_block *block = heap_blocks_find(&names->blocks, address);
    if (block == NULL)
        return false;
    const struct named_block *named = &names->items[block - names->blocks.items];
    char base[PART_SIZE + 16], number[16] = "";
    uint64_t offset = address - block->start;
    if (named->base[0] == '\0')
        return false;
    if (named->number > 0)
        snprintf(number, sizeof number, "#%u", named->number);
    snprintf(base, sizeof base, "%s%s", named->base, number);
    if (named->typed)
        name_typed(named, offset, base, name, size);
    else
        snprintf(name, size, "%s+%llu", base, (unsigned long long)offset);
    return true;
}
