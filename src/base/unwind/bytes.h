/* bytes.h - reads tables that may be damaged, and never beyond their end.
 *
 * Missing bytes are read as 0, and `failed` is set and stays set. So the caller checks it once, at
 * the end. */
#ifndef BASE_UNWIND_BYTES_H
#define BASE_UNWIND_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint64_t at, end; /* addresses; [at, end) can be read */
    bool failed;
};

uint64_t bytes_read(struct bytes *bytes, uint32_t size); /* little-endian, at most 8 */
uint64_t bytes_unsigned(struct bytes *bytes);            /* LEB128 */
int64_t bytes_signed(struct bytes *bytes);
/* Reads a pointer as its encoding says (DW_EH_PE_*), perhaps relative to `data`. */
uint64_t bytes_pointer(struct bytes *bytes, uint8_t encoding, uint64_t data);
void bytes_skip(struct bytes *bytes, uint64_t size);
/* The next `size` bytes, which are skipped, as a piece of their own. */
struct bytes bytes_part(struct bytes *bytes, uint64_t size);

static inline bool bytes_over(const struct bytes *bytes) {
    return bytes->failed || bytes->at >= bytes->end;
}

#endif
