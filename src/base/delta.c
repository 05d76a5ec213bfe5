/* delta.c - see delta.h.
 *
 * A change begins with a byte. Its upper bits say how many bytes stay, its lower bits how many are
 * new. If a number does not fit into its bits, the rest of it follows. If no byte is new, the rest
 * stays. */
#include "base/delta.h"

#include <emmintrin.h>

#include "base/bytes.h"
#include "base/check.h"

enum {
    WINDOW = 64,
    GAP = 3, /* a run of this many equal bytes ends a change */
    NEW_BITS = 3,
    NEW_MOST = (1 << NEW_BITS) - 1,
    STAY_MOST = (1 << (8 - NEW_BITS)) - 1,
};

struct change {
    size_t stay, new;
};

static uint64_t differs(const char *a, const char *b) {
    return *(const bytes_word *)a ^ *(const bytes_word *)b;
}

size_t delta_equal(const char *a, const char *b, size_t size) {
    size_t at = 0;
    for (; at + 4 * sizeof(bytes_word) <= size; at += 4 * sizeof(bytes_word))
        if ((differs(a + at, b + at) | differs(a + at + 8, b + at + 8) |
             differs(a + at + 16, b + at + 16) | differs(a + at + 24, b + at + 24)) != 0)
            break;
    for (; at + sizeof(bytes_word) <= size; at += sizeof(bytes_word)) {
        uint64_t difference = differs(a + at, b + at);
        if (difference != 0)
            return at + (size_t)__builtin_ctzll(difference) / 8;
    }
    while (at < size && a[at] == b[at])
        at++;
    return at;
}

/* --- finding changes ------------------------------------------------------------------------ */

static uint64_t pair_bits(const char *a, const char *b) {
    __m128i first = _mm_loadu_si128((const __m128i *)a),
            second = _mm_loadu_si128((const __m128i *)b);
    return 0xffff ^ (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(first, second));
}

static uint64_t word_bits(const char *a, const char *b) {
    __m128i first = _mm_loadl_epi64((const __m128i *)a),
            second = _mm_loadl_epi64((const __m128i *)b);
    return 0xffff ^ (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(first, second));
}

/* A bit for each of the next WINDOW bytes: whether it is new. Beyond the end, none is. */
static uint64_t new_bits(const char *a, const char *b, size_t size) {
    uint64_t bits = 0;
    size_t at = 0;
    for (; at + 16 <= size && at < WINDOW; at += 16)
        bits |= pair_bits(a + at, b + at) << at;
    for (; at + 8 <= size && at < WINDOW; at += 8)
        bits |= word_bits(a + at, b + at) << at;
    for (; at < size && at < WINDOW; at++)
        bits |= (uint64_t)(a[at] != b[at]) << at;
    return bits;
}

/* How many bytes from `at` on are new. The new bytes end before a run of GAP equal ones, or at the
 * end. */
static size_t count_new(const char *a, const char *b, size_t at, size_t size) {
    for (size_t new = 0;; new += WINDOW - GAP + 1) {
        uint64_t equal = ~new_bits(a + at + new, b + at + new, size - at - new);
        uint64_t runs = equal & equal >> 1 & equal >> 2;
        if (runs != 0)
            return new + (size_t)__builtin_ctzll(runs);
    }
}

static uint8_t *put_change(uint8_t *to, struct change change, const char *bytes) {
    size_t stay = change.stay < STAY_MOST ? change.stay : STAY_MOST;
    size_t new = change.new < NEW_MOST ? change.new : NEW_MOST;
    *to++ = (uint8_t)(stay << NEW_BITS | new);
    if (stay == STAY_MOST)
        to = delta_put(to, change.stay - stay);
    if (new == NEW_MOST)
        to = delta_put(to, change.new - new);
    bytes_copy((char *)to, bytes, change.new);
    return to + change.new;
}

static struct change get_change(const uint8_t **from) {
    uint8_t byte = *(*from)++;
    struct change change = {byte >> NEW_BITS, byte & NEW_MOST};
    if (change.stay == STAY_MOST)
        change.stay += delta_get(from);
    if (change.new == NEW_MOST)
        change.new += delta_get(from);
    return change;
}

/* The number of equal bytes at the end. */
static size_t equal_end(const char *a, size_t a_size, const char *b, size_t b_size) {
    size_t most = a_size < b_size ? a_size : b_size, count = 0;
    while (count + sizeof(bytes_word) <= most &&
           differs(a + a_size - count - sizeof(bytes_word),
                   b + b_size - count - sizeof(bytes_word)) == 0)
        count += sizeof(bytes_word);
    while (count < most && a[a_size - count - 1] == b[b_size - count - 1])
        count++;
    return count;
}

/* If bytes were inserted or removed, the equal bytes at the end are found first. */
uint8_t *delta_write(uint8_t *to, const char *now, size_t size, const char *before,
                     size_t before_size) {
    if (size != before_size) {
        size_t end = equal_end(now, size, before, before_size);
        to = delta_put(to, end);
        size -= end;
        before_size -= end;
    }
    size_t common = size < before_size ? size : before_size, at = 0;
    while (at < size) {
        struct change change = {0};
        if (at < common)
            change.stay = delta_equal(now + at, before + at, common - at);
        at += change.stay;
        if (at == size)
            return put_change(to, (struct change){0}, now);
        if (at < common)
            change.new = count_new(now, before, at, common);
        if (at + change.new == common) /* what follows is new as well */
            change.new = size - at;
        to = put_change(to, change, now + at);
        at += change.new;
    }
    return to;
}

void delta_read(const uint8_t **from, char *now, size_t size, const char *before,
                size_t before_size) {
    if (size != before_size) {
        size_t end = delta_get(from);
        CHECK(end <= size && end <= before_size);
        size -= end;
        before_size -= end;
        bytes_copy(now + size, before + before_size, end);
    }
    for (size_t at = 0; at < size;) {
        struct change change = get_change(from);
        if (change.new == 0)
            change.stay = size - at;
        CHECK(change.stay + change.new <= size - at);
        CHECK(change.stay == 0 || at + change.stay <= before_size);
        bytes_copy(now + at, before + at, change.stay);
        at += change.stay;
        bytes_copy(now + at, (const char *)*from, change.new);
        *from += change.new;
        at += change.new;
    }
}

/* Fills gaps of one or two equal bytes between new ones. */
static uint64_t without_gaps(uint64_t bits) {
    uint64_t two = bits << 1 & bits >> 2;
    return bits | (bits << 1 & bits >> 1) | two | two << 1;
}

_Static_assert(GAP == 3, "shorter runs of equal bytes are filled");

/* A change ends at the end of a window at the latest. */
uint8_t *delta_update(uint8_t *to, const char *now, char *before, size_t size) {
    size_t done = 0; /* the end of the last change */
    for (size_t start = 0; start < size; start += WINDOW) {
        size_t window = size - start < WINDOW ? size - start : WINDOW;
        uint64_t bits = without_gaps(new_bits(now + start, before + start, window));
        if (bits == 0)
            continue;
        bytes_copy(before + start, now + start, window);
        while (bits != 0) {
            size_t first = (size_t)__builtin_ctzll(bits), at = start + first;
            uint64_t ended = ~(bits >> first);
            size_t new = ended != 0 ? (size_t)__builtin_ctzll(ended) : WINDOW;
            to = put_change(to, (struct change){at - done, new}, now + at);
            done = at + new;
            bits &= first + new < WINDOW ? ~(uint64_t)0 << (first + new) : 0;
        }
    }
    return done < size ? put_change(to, (struct change){0}, now) : to;
}

void delta_apply(const uint8_t **from, char *before, size_t size) {
    for (size_t at = 0; at < size;) {
        struct change change = get_change(from);
        if (change.new == 0)
            return;
        CHECK(change.stay + change.new <= size - at);
        at += change.stay;
        bytes_copy(before + at, (const char *)*from, change.new);
        *from += change.new;
        at += change.new;
    }
}
