/* shelf.c - see shelf.h.
 *
 * The bytes of an entry are: its facts; the decisions after the shared ones; the image, if there is
 * one; the strategy's bytes. The whole entry is in one chunk of memory. */
#include "engine/shelf.h"

#include <emmintrin.h>

#include "base/bytes.h"
#include "base/check.h"
#include "base/delta.h"
#include "base/pages.h"

enum {
    CHUNK_SIZE = 64 << 10,
    UNUSED_MOST = 16, /* chunks that keep their memory while they are not used */
};

struct shelf_chunk {
    struct shelf_chunk *next;
    uint32_t generation;
    uint32_t size;          /* of the whole chunk */
    uint32_t written, read; /* the bytes after this header that were written, and read */
    uint8_t bytes[];
};

static void entry_init(struct shelf_entry *entry, struct pool *pool, uint32_t image_limit) {
    *entry = (struct shelf_entry){0};
    image_init(&entry->image, pool, image_limit);
}

void shelf_init(struct shelf *shelf, struct pool *pool, uint32_t image_limit) {
    *shelf = (struct shelf){.pool = pool};
    entry_init(&shelf->written, pool, image_limit);
    entry_init(&shelf->read, pool, image_limit);
    entry_init(&shelf->spare, pool, image_limit);
}

void shelf_forget_images(struct shelf *shelf) {
    shelf->generation++;
}

/* --- chunks --------------------------------------------------------------------------------- */

static struct shelf_chunk *new_chunk(struct shelf *shelf, uint32_t needed) {
    struct shelf_chunk *chunk = shelf->unused;
    uint32_t size = CHUNK_SIZE;
    if (needed > CHUNK_SIZE - sizeof *chunk)
        size = needed + (uint32_t)sizeof *chunk;
    if (chunk != NULL && size == CHUNK_SIZE) {
        shelf->unused = chunk->next;
        shelf->unused_count--;
    } else {
        chunk = pool_alloc(shelf->pool, size);
    }
    *chunk = (struct shelf_chunk){.generation = shelf->generation, .size = size};
    shelf->bytes += size;
    if (shelf->last != NULL)
        shelf->last->next = chunk;
    else
        shelf->first = chunk;
    return shelf->last = chunk;
}

static uint8_t *room_for(struct shelf *shelf, uint32_t size) {
    struct shelf_chunk *chunk = shelf->last;
    if (chunk == NULL || chunk->generation != shelf->generation ||
        size > chunk->size - sizeof *chunk - chunk->written)
        chunk = new_chunk(shelf, size);
    uint8_t *room = chunk->bytes + chunk->written;
    chunk->written += size;
    return room;
}

static void drop_chunk(struct shelf *shelf, struct shelf_chunk *chunk) {
    shelf->first = chunk->next;
    if (shelf->first == NULL)
        shelf->last = NULL;
    shelf->bytes -= chunk->size;
    if (chunk->size != CHUNK_SIZE) {
        pool_free(shelf->pool, chunk, chunk->size);
        return;
    }
    if (shelf->unused_count++ >= UNUSED_MOST)
        pages_give_back(chunk->bytes, (const char *)chunk + CHUNK_SIZE);
    chunk->next = shelf->unused;
    shelf->unused = chunk;
}

/* The chunk with the oldest entry. */
static struct shelf_chunk *chunk_to_read(struct shelf *shelf) {
    while (shelf->first->read == shelf->first->written)
        drop_chunk(shelf, shelf->first);
    return shelf->first;
}

/* --- facts and decisions -------------------------------------------------------------------- */

/* Most entries have the same facts as the entry before, except for small numbers. The first byte
 * holds them: how many decisions are removed, how many are added, whether the entry is the saved
 * state itself, and whether events and steps have grown by as much as decisions. */
enum { GO_MOST = 7, COME_MOST = 7, USUAL = 64, IMAGED = 128 };

static bool is_usual(const struct shelf_facts *facts, const struct shelf_facts *before) {
    return facts->saved_at == facts->decisions &&
           facts->events - facts->decisions == before->events - before->decisions &&
           facts->steps - facts->decisions == before->steps - before->decisions;
}

static uint8_t *put_facts(uint8_t *to, const struct shelf_facts *facts,
                          const struct shelf_facts *before, uint32_t shared, bool imaged) {
    uint32_t go = before->decisions - shared, come = facts->decisions - shared;
    bool usual = is_usual(facts, before);
    *to++ = (uint8_t)((go < GO_MOST ? go : GO_MOST) | (come < COME_MOST ? come : COME_MOST) << 3 |
                      (usual ? USUAL : 0) | (imaged ? IMAGED : 0));
    if (go >= GO_MOST)
        to = delta_put(to, go - GO_MOST);
    if (come >= COME_MOST)
        to = delta_put(to, come - COME_MOST);
    if (usual)
        return to;
    to = delta_put(to, facts->decisions - facts->saved_at);
    to = delta_put_signed(to, (int64_t)facts->events - facts->decisions);
    return delta_put_signed(to, (int64_t)facts->steps - facts->decisions);
}

static struct shelf_facts get_facts(const uint8_t **from, const struct shelf_facts *before,
                                    uint32_t *shared, bool *imaged) {
    struct shelf_facts facts;
    uint8_t byte = *(*from)++;
    uint32_t go = byte & GO_MOST, come = byte >> 3 & COME_MOST;
    if (go == GO_MOST)
        go += (uint32_t)delta_get(from);
    if (come == COME_MOST)
        come += (uint32_t)delta_get(from);
    *shared = before->decisions - go;
    *imaged = byte & IMAGED;
    facts.decisions = facts.saved_at = *shared + come;
    facts.events = facts.decisions + (before->events - before->decisions);
    facts.steps = facts.decisions + (before->steps - before->decisions);
    if (byte & USUAL)
        return facts;
    facts.saved_at -= (uint32_t)delta_get(from);
    facts.events = (uint32_t)(facts.decisions + delta_get_signed(from));
    facts.steps = (uint32_t)(facts.decisions + delta_get_signed(from));
    return facts;
}

/* The number of options is not stored, because it is not needed to repeat a decision. */
static uint8_t *put_decision(uint8_t *to, const struct decision *decision) {
    return delta_put(to, (uint64_t)decision->chosen << 2 | decision->tag);
}

_Static_assert(CHOICE_TAGS <= 4, "two bits");

static void get_decisions(const uint8_t **from, struct execution *execution, uint32_t shared,
                          uint32_t count) {
    execution->decision_count = shared;
    while (execution->decision_count < count) {
        uint64_t number = delta_get(from);
        execution_decide(execution,
                         (struct decision){.chosen = (uint32_t)(number >> 2), .tag = number & 3});
    }
}

/* --- images --------------------------------------------------------------------------------- */

struct part {
    uint32_t start, size;
};

/* A part of an image. A part that the image does not have is empty. */
static struct part part_of(const struct image *image, uint32_t number) {
    if (number > image->part_count)
        return (struct part){image->used, 0};
    uint32_t start = number > 0 ? image->parts[number - 1] : 0;
    uint32_t end = number < image->part_count ? image->parts[number] : image->used;
    return (struct part){start, end - start};
}

static bool same_part(const struct image *now, const struct image *before, uint32_t number) {
    struct part part = part_of(now, number), old = part_of(before, number);
    return part.size == old.size &&
           delta_equal(now->bytes + part.start, before->bytes + old.start, part.size) == part.size;
}

static bool same_shape(const struct image *a, const struct image *b) {
    if (a->used != b->used || a->part_count != b->part_count)
        return false;
    for (uint32_t i = 0; i < a->part_count; i++)
        if (a->parts[i] != b->parts[i])
            return false;
    return true;
}

static void keep_image(struct image *kept, const struct image *image) {
    image_rewrite(kept);
    image_write(kept, image->bytes, image->used);
    for (uint32_t i = 0; i < image->part_count; i++) {
        image_part(kept);
        kept->parts[i] = image->parts[i];
    }
}

/* Alternately: the number of parts with the same size as before, and one part with another size. */
static uint8_t *put_parts(uint8_t *to, const struct image *now, const struct image *before) {
    for (uint32_t i = 0; i <= now->part_count; i++) {
        uint32_t first = i;
        while (i <= now->part_count && same_part(now, before, i))
            i++;
        to = delta_put(to, i - first);
        if (i > now->part_count)
            break;
        struct part part = part_of(now, i), old = part_of(before, i);
        to = delta_put_signed(to, (int64_t)part.size - old.size);
        to = delta_write(to, now->bytes + part.start, part.size, before->bytes + old.start,
                         old.size);
    }
    return to;
}

/* If all parts have the same sizes as before, the image is one delta, which follows a 0. Otherwise
 * the number of parts comes first, which is at least 1. */
static uint8_t *put_image(uint8_t *to, const struct image *now, struct image *before) {
    if (same_shape(now, before)) {
        *to++ = 0;
        return delta_update(to, now->bytes, before->bytes, now->used);
    }
    to = delta_put(to, now->part_count + 1);
    to = put_parts(to, now, before);
    keep_image(before, now);
    return to;
}

static char *image_room(struct image *image, uint32_t number, uint32_t size) {
    if (number > 0)
        image_part(image);
    image->bytes =
        pool_grow(image->pool, image->bytes, &image->capacity, (size_t)image->used + size, 1);
    char *room = image->bytes + image->used;
    image->used += size;
    return room;
}

static void get_parts(const uint8_t **from, struct image *now, const struct image *before,
                      uint32_t parts) {
    image_rewrite(now);
    for (uint32_t i = 0; i <= parts; i++) {
        for (uint64_t same = delta_get(from); same > 0; same--, i++) {
            struct part old = part_of(before, i);
            char *room = image_room(now, i, old.size);
            if (old.size > 0) /* an image without any byte has no memory */
                __builtin_memcpy(room, before->bytes + old.start, old.size);
        }
        if (i > parts)
            break;
        struct part old = part_of(before, i);
        uint32_t size = (uint32_t)(old.size + delta_get_signed(from));
        delta_read(from, image_room(now, i, size), size, before->bytes + old.start, old.size);
    }
}

/* Changes the image in place, or builds it in a second image that takes its place. */
static void get_image(const uint8_t **from, struct image *image, struct image *spare) {
    uint32_t parts = (uint32_t)delta_get(from);
    if (parts == 0) {
        delta_apply(from, image->bytes, image->used);
        return;
    }
    struct image before = *image;
    get_parts(from, spare, &before, parts - 1);
    *image = *spare;
    *spare = before;
}

/* --- entries -------------------------------------------------------------------------------- */

static char *byte_room(struct shelf *shelf, struct shelf_entry *entry, uint32_t count) {
    entry->parted = pool_grow(shelf->pool, entry->parted, &entry->parted_capacity, count, 1);
    entry->byte_count = count;
    return entry->parted;
}

static uint8_t *scratch_room(struct shelf *shelf, uint32_t decisions, const struct image *image,
                             uint32_t byte_count) {
    size_t parts = image ? image->part_count + 2 : 0;
    size_t size = 8 * DELTA_NUMBER_MAX + (size_t)decisions * DELTA_NUMBER_MAX +
                  delta_room(image ? image->used : 0) + parts * delta_room(0) +
                  delta_room(byte_count);
    shelf->scratch = pool_grow(shelf->pool, shelf->scratch, &shelf->scratch_capacity, size, 1);
    return (uint8_t *)shelf->scratch;
}

/* The strategy's bytes are mostly orders of tasks with two bytes for each, and the second byte is
 * mostly 0. So all first bytes are stored, and then all second bytes. */
static void part_pairs(char *to, const char *pairs, uint32_t count) {
    uint32_t half = count / 2, i = 0;
    const __m128i low = _mm_set1_epi16(0xff);
    for (; i + 8 <= half; i += 8) {
        __m128i words = _mm_loadu_si128((const __m128i *)(pairs + 2 * i));
        __m128i parts = _mm_packus_epi16(_mm_and_si128(words, low), _mm_srli_epi16(words, 8));
        _mm_storel_epi64((__m128i *)(to + i), parts);
        _mm_storel_epi64((__m128i *)(to + half + i), _mm_unpackhi_epi64(parts, parts));
    }
    for (; i < half; i++) {
        to[i] = pairs[2 * i];
        to[half + i] = pairs[2 * i + 1];
    }
    if (count % 2)
        to[count - 1] = pairs[count - 1];
}

static void join_pairs(char *pairs, const char *from, uint32_t count) {
    uint32_t half = count / 2, i = 0;
    for (; i + 8 <= half; i += 8) {
        __m128i first = _mm_loadl_epi64((const __m128i *)(from + i));
        __m128i second = _mm_loadl_epi64((const __m128i *)(from + half + i));
        _mm_storeu_si128((__m128i *)(pairs + 2 * i), _mm_unpacklo_epi8(first, second));
    }
    for (; i < half; i++) {
        pairs[2 * i] = from[i];
        pairs[2 * i + 1] = from[half + i];
    }
    if (count % 2)
        pairs[count - 1] = from[count - 1];
}

/* The same for the strategy's bytes. 0 means as many as before. */
static uint8_t *put_bytes(struct shelf *shelf, uint8_t *to, const char *pairs, uint32_t count) {
    struct shelf_entry *before = &shelf->written;
    shelf->pairs = pool_grow(shelf->pool, shelf->pairs, &shelf->pair_capacity, count, 1);
    char *bytes = shelf->pairs;
    part_pairs(bytes, pairs, count);
    if (count == before->byte_count) {
        *to++ = 0;
        return delta_update(to, bytes, before->parted, count);
    }
    to = delta_put(to, count + 1);
    to = delta_write(to, bytes, count, before->parted, before->byte_count);
    __builtin_memcpy(byte_room(shelf, before, count), bytes, count);
    return to;
}

void shelf_add(struct shelf *shelf, const struct shelf_facts *facts,
               const struct execution *execution, const struct image *image, const void *bytes,
               uint32_t byte_count) {
    uint32_t shared = shelf->shared < facts->decisions ? shelf->shared : facts->decisions;
    if (shared > shelf->written.facts.decisions)
        shared = shelf->written.facts.decisions;
    uint8_t *start = scratch_room(shelf, facts->decisions - shared, image, byte_count);
    uint8_t *to = put_facts(start, facts, &shelf->written.facts, shared, image != NULL);
    for (uint32_t i = shared; i < facts->decisions; i++)
        to = put_decision(to, &execution->decisions[i]);
    if (image != NULL)
        to = put_image(to, image, &shelf->written.image);
    to = put_bytes(shelf, to, bytes, byte_count);
    uint32_t size = (uint32_t)(to - start);
    bytes_copy(room_for(shelf, size), start, size);
    shelf->written.facts = *facts;
    shelf->shared = facts->decisions;
    shelf->count++;
}

static void take_bytes(struct shelf *shelf, const uint8_t **from) {
    struct shelf_entry *read = &shelf->read, *spare = &shelf->spare;
    uint32_t count = (uint32_t)delta_get(from);
    if (count-- == 0) {
        delta_apply(from, read->parted, read->byte_count);
        return;
    }
    delta_read(from, byte_room(shelf, spare, count), count, read->parted, read->byte_count);
    struct shelf_entry before = *read;
    read->parted = spare->parted;
    read->byte_count = count;
    read->parted_capacity = spare->parted_capacity;
    spare->parted = before.parted;
    spare->parted_capacity = before.parted_capacity;
}

/* Puts the bytes back into the order that the strategy knows. */
static void join_bytes(struct shelf *shelf) {
    struct shelf_entry *read = &shelf->read;
    read->bytes = pool_grow(shelf->pool, read->bytes, &read->byte_capacity, read->byte_count, 1);
    join_pairs(read->bytes, read->parted, read->byte_count);
}

const struct shelf_entry *shelf_take(struct shelf *shelf, struct execution *execution,
                                     struct image **image) {
    CHECK(shelf->count > 0);
    struct shelf_chunk *chunk = chunk_to_read(shelf);
    const uint8_t *from = chunk->bytes + chunk->read;
    uint32_t shared;
    bool imaged;
    shelf->read.facts = get_facts(&from, &shelf->read.facts, &shared, &imaged);
    get_decisions(&from, execution, shared, shelf->read.facts.decisions);
    shelf_went_back(shelf, shared);
    if (imaged)
        get_image(&from, &shelf->read.image, &shelf->spare.image);
    take_bytes(shelf, &from);
    join_bytes(shelf);
    chunk->read = (uint32_t)(from - chunk->bytes);
    *image = imaged && chunk->generation == shelf->generation ? &shelf->read.image : NULL;
    shelf->count--;
    return &shelf->read;
}
