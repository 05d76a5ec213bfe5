/* bytes.c - see bytes.h. */
#include "base/unwind/bytes.h"

/* The lower half of the encoding: the format of a pointer. */
enum {
    WRITTEN_ABSOLUTE = 0x0,
    WRITTEN_UNSIGNED = 0x1,
    WRITTEN_U16 = 0x2,
    WRITTEN_U32 = 0x3,
    WRITTEN_U64 = 0x4,
    WRITTEN_SIGNED = 0x9,
    WRITTEN_S16 = 0xa,
    WRITTEN_S32 = 0xb,
    WRITTEN_S64 = 0xc,
};
/* The upper half of the encoding: the base of a pointer, without the bit for an indirect
 * pointer. */
enum { RELATIVE_NOT = 0x00, RELATIVE_TO_ITSELF = 0x10, RELATIVE_TO_DATA = 0x30, RELATIVE = 0x70 };

static bool has(struct bytes *bytes, uint64_t size) {
    if (!bytes->failed && bytes->at <= bytes->end && size <= bytes->end - bytes->at)
        return true;
    bytes->failed = true;
    return false;
}

uint64_t bytes_read(struct bytes *bytes, uint32_t size) {
    uint64_t value = 0;
    if (!has(bytes, size))
        return 0;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint64_t)((const uint8_t *)bytes->at)[i] << (8 * i);
    bytes->at += size;
    return value;
}

/* Returns the number of bits that were written. */
static uint32_t read_leb128(struct bytes *bytes, uint64_t *value) {
    uint32_t bits = 0;
    uint64_t byte;
    *value = 0;
    do {
        byte = bytes_read(bytes, 1);
        if (bits < 64)
            *value |= (byte & 0x7f) << bits;
        bits += 7;
    } while ((byte & 0x80) && !bytes->failed);
    return bits;
}

uint64_t bytes_unsigned(struct bytes *bytes) {
    uint64_t value;
    read_leb128(bytes, &value);
    return value;
}

static int64_t extend_sign(uint64_t value, uint32_t bits) {
    bool negative = bits < 64 && (value >> (bits - 1) & 1);
    return (int64_t)(negative ? value | ~(uint64_t)0 << bits : value);
}

int64_t bytes_signed(struct bytes *bytes) {
    uint64_t value;
    uint32_t bits = read_leb128(bytes, &value);
    return extend_sign(value, bits);
}

static uint64_t read_written(struct bytes *bytes, uint8_t how) {
    switch (how) {
    case WRITTEN_UNSIGNED: return bytes_unsigned(bytes);
    case WRITTEN_SIGNED: return (uint64_t)bytes_signed(bytes);
    case WRITTEN_U16: return bytes_read(bytes, 2);
    case WRITTEN_U32: return bytes_read(bytes, 4);
    case WRITTEN_S16: return (uint64_t)extend_sign(bytes_read(bytes, 2), 16);
    case WRITTEN_S32: return (uint64_t)extend_sign(bytes_read(bytes, 4), 32);
    case WRITTEN_ABSOLUTE:
    case WRITTEN_U64:
    case WRITTEN_S64: return bytes_read(bytes, 8);
    }
    bytes->failed = true;
    return 0;
}

uint64_t bytes_pointer(struct bytes *bytes, uint8_t encoding, uint64_t data) {
    uint64_t itself = bytes->at;
    uint64_t value = read_written(bytes, encoding & 0xf);
    switch (encoding & RELATIVE) {
    case RELATIVE_NOT: return value;
    case RELATIVE_TO_ITSELF: return value + itself;
    case RELATIVE_TO_DATA: return value + data;
    }
    bytes->failed = true;
    return 0;
}

void bytes_skip(struct bytes *bytes, uint64_t size) {
    if (has(bytes, size))
        bytes->at += size;
}

struct bytes bytes_part(struct bytes *bytes, uint64_t size) {
    struct bytes part = {.at = bytes->at, .end = bytes->at, .failed = true};
    if (!has(bytes, size))
        return part;
    part = (struct bytes){.at = bytes->at, .end = bytes->at + size};
    bytes->at += size;
    return part;
}
