/* memory_locations.c - what counts as one memory location (C11 3.14), and plain, volatile and mixed
 * accesses.
 *
 * The variables are not static. Otherwise a compiler could know everything that is stored in them,
 * and leave accesses out. */
#include "corner.h"
#include <stdatomic.h>
#include <stdint.h>

struct {
    unsigned low : 4;
    unsigned high : 4;
} together;

THREAD(write_low) {
    together.low = 1;
    return NULL;
}

THREAD(write_high) {
    together.high = 2;
    return NULL;
}

/* expect: bug data-race
 * Adjacent bit-fields are one memory location. */
PROGRAM(location_adjacent_bit_fields) {
    both(write_low, write_high);
    return together.low > 1;
}

struct {
    unsigned low : 8;
    unsigned : 0;
    unsigned high : 8;
} apart;

THREAD(write_low_apart) {
    apart.low = 1;
    return NULL;
}

THREAD(write_high_apart) {
    apart.high = 2;
    return NULL;
}

/* expect: verified
 * executions: 1
 * A bit-field of width zero separates the locations. */
PROGRAM(location_separated_bit_fields) {
    both(write_low_apart, write_high_apart);
    assert(apart.low == 1 && apart.high == 2);
    return 0;
}

char bytes[8];

THREAD(write_byte_zero) {
    bytes[0] = 1;
    return NULL;
}

THREAD(write_byte_one) {
    bytes[1] = 2;
    return NULL;
}

/* expect: verified
 * executions: 1
 * Adjacent bytes are different locations. */
PROGRAM(location_adjacent_bytes) {
    both(write_byte_zero, write_byte_one);
    assert(bytes[0] == 1 && bytes[1] == 2);
    return 0;
}

union {
    uint32_t word;
    uint8_t parts[4];
} overlay;

THREAD(write_word) {
    overlay.word = 0x01010101;
    return NULL;
}

THREAD(write_last_part) {
    overlay.parts[3] = 7;
    return NULL;
}

/* expect: bug data-race
 * A word overlaps its last byte. */
PROGRAM(location_overlap) {
    both(write_word, write_last_part);
    return overlay.word == 1;
}

char buffer[32];

THREAD(write_unaligned) {
    uint64_t value = 5;
    memcpy(buffer + 3, &value, sizeof value);
    return NULL;
}

THREAD(write_byte_ten) {
    buffer[10] = 1;
    return NULL;
}

THREAD(write_byte_eleven) {
    buffer[11] = 1;
    return NULL;
}

/* expect: bug data-race
 * Eight bytes from 3 on are bytes 3 to 10, so byte 10 overlaps. */
PROGRAM(location_unaligned_overlap) {
    both(write_unaligned, write_byte_ten);
    return buffer[10] > 1;
}

/* expect: verified
 * executions: 1
 * Byte 11 comes after bytes 3 to 10, so it is another location. */
PROGRAM(location_unaligned_neighbour) {
    both(write_unaligned, write_byte_eleven);
    return buffer[11] > 1;
}

volatile int shared;

THREAD(write_volatile) {
    shared = 1;
    return NULL;
}

THREAD(wait_volatile) {
    while (!shared) {
    }
    return NULL;
}

/* expect: bug data-race
 * volatile does not make an access atomic. */
PROGRAM(location_volatile) {
    both(write_volatile, wait_volatile);
    return 0;
}

volatile int quiet;

THREAD(read_volatile) {
    return quiet ? NULL : (void *)&quiet;
}

/* expect: verified
 * Reads do not race with each other, volatile or not. */
PROGRAM(location_volatile_reads) {
    both(read_volatile, read_volatile);
    return 0;
}

#ifdef __clang__ /* clang does not instrument a long double: docs/CONTROLLED.md */
__int128 extended;
#else
long double extended;
#endif

THREAD(write_extended) {
    extended = 1;
    return NULL;
}

/* expect: bug data-race
 * Two writes to one variable of 16 bytes. */
PROGRAM(location_long_double) {
    both(write_extended, write_extended);
    return extended > 1;
}

__int128 wide;

THREAD(write_wide) {
    wide = 1;
    return NULL;
}

/* expect: bug data-race
 * Two writes to one integer of 16 bytes. */
PROGRAM(location_int128) {
    both(write_wide, write_wide);
    return wide > 1;
}

double real;

THREAD(write_real) {
    real = 1;
    return NULL;
}

/* expect: bug data-race
 * Two writes of the same value are a race too. */
PROGRAM(location_same_value) {
    both(write_real, write_real);
    return real > 1;
}

static const int constant = 4;
int table[4];

THREAD(read_table) {
    int sum = 0;
    for (int i = 0; i < constant; i++) {
        sum += table[i];
    }
    assert(sum == 0);
    return NULL;
}

/* expect: verified
 * executions: 1
 * Both threads only read. */
PROGRAM(location_readers) {
    both(read_table, read_table);
    return 0;
}

atomic_int atomic;

THREAD(write_atomic) {
    atomic_store(&atomic, 1);
    return NULL;
}

THREAD(copy_atomic_bytes) {
    char copy[sizeof atomic];
    volatile size_t size = sizeof atomic;
    memcpy(copy, (void *)&atomic, size);
    return copy[0] ? argument : NULL;
}

/* expect: bug data-race
 * memcpy of an atomic object is not an atomic read. */
PROGRAM(location_bytes_of_an_atomic) {
    both(write_atomic, copy_atomic_bytes);
    return 0;
}

THREAD(conditional_write) {
    if (table[0] == 0) {
        table[1] = 1;
    }
    return NULL;
}

THREAD(other_conditional_write) {
    if (table[1] == 5) {
        table[0] = 1;
    }
    return NULL;
}

/* expect: bug data-race
 * One thread reads what the other writes. */
PROGRAM(location_conditional) {
    both(conditional_write, other_conditional_write);
    return 0;
}

THREAD(never_written) {
    if (table[2] == 5) {
        table[3] = 1;
    }
    return NULL;
}

THREAD(never_written_either) {
    if (table[3] == 5) {
        table[2] = 1;
    }
    return NULL;
}

/* expect: verified
 * executions: 1
 * In no sequentially consistent execution does either thread write, so there is no race (C11
 * 5.1.2.4, example). */
PROGRAM(location_writes_that_never_happen) {
    both(never_written, never_written_either);
    return 0;
}
