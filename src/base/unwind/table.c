/* table.c - see table.h. */
#include "base/unwind/table.h"

enum { INDEX_VERSION = 1, INDEX_ENCODING = 0x3b /* signed 32 bits, relative to the index */ };
enum { RETURN_ADDRESS = 16 }; /* its number as a register */

/* --- the index --- */

struct row {
    int32_t function, entry; /* relative to the index */
};

/* The row of the last function that begins at or before `place`. */
static const struct row *search(const struct row *rows, uint64_t count, int64_t place) {
    uint64_t low = 0,
             /* rows below `low` begin at or before it, rows from `high` on begin after it */
        high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (rows[middle].function <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &rows[low - 1] : NULL;
}

/* The address of the entry, or 0. */
static uint64_t look_up(const struct unwind_module *module, uint64_t place) {
    struct bytes bytes = {.at = module->index, .end = module->end};
    uint64_t version = bytes_read(&bytes, 1);
    uint8_t section_encoding = (uint8_t)bytes_read(&bytes, 1);
    uint8_t count_encoding = (uint8_t)bytes_read(&bytes, 1);
    uint64_t encoding = bytes_read(&bytes, 1);
    bytes_pointer(&bytes, section_encoding, module->index);
    uint64_t count = bytes_pointer(&bytes, count_encoding, module->index);
    if (bytes.failed || version != INDEX_VERSION || encoding != INDEX_ENCODING ||
        bytes.at % sizeof(int32_t) != 0 || count > (bytes.end - bytes.at) / sizeof(struct row))
        return 0;
    const struct row *row =
        search((const struct row *)bytes.at, count, (int64_t)(place - module->index));
    return row != NULL ? module->index + (uint64_t)(int64_t)row->entry : 0;
}

/* --- entries --- */

/* The entry at this address. It begins with its length. 0 is the end of the section, and 0xffffffff
 * means a longer length. */
static struct bytes entry_at(const struct unwind_module *module, uint64_t address) {
    struct bytes none = {.failed = true};
    struct bytes bytes = {.at = address, .end = module->end};
    if (address < module->start || address >= module->end)
        return none;
    uint64_t length = bytes_read(&bytes, 4);
    return length != 0 && length != UINT32_MAX ? bytes_part(&bytes, length) : none;
}

/* Each letter of the augmentation says what the next part of its data is. */
static bool read_augmented(char letter, struct bytes *data, struct unwind_entry *entry) {
    switch (letter) {
    case 'R': entry->encoding = (uint8_t)bytes_read(data, 1); return true;
    case 'P': bytes_pointer(data, (uint8_t)bytes_read(data, 1), 0); return true;
    case 'L': bytes_skip(data, 1); return true;
    case 'S': entry->signal_frame = true; return true;
    }
    return false;
}

static bool read_augmentation(struct bytes letters, struct bytes *bytes,
                              struct unwind_entry *entry) {
    struct bytes data = bytes_part(bytes, bytes_unsigned(bytes));
    for (bytes_skip(&letters, 1); !bytes_over(&letters);)
        if (!read_augmented((char)bytes_read(&letters, 1), &data, entry))
            return false;
    return !data.failed;
}

/* Reads the text at the front, and skips the zero at its end. */
static struct bytes read_text(struct bytes *bytes) {
    struct bytes text = *bytes;
    while (bytes_read(bytes, 1) != 0)
        ;
    text.end = bytes->at - 1;
    return text;
}

/* The size of the augmentation is known only if its text begins with a 'z'. This also holds for the
 * entries. */
static bool read_common(const struct unwind_module *module, uint64_t address,
                        struct unwind_entry *entry, bool *augmented) {
    struct bytes bytes = entry_at(module, address);
    uint64_t id = bytes_read(&bytes, 4), version = bytes_read(&bytes, 1);
    struct bytes letters = read_text(&bytes);
    if (bytes.failed || id != 0 || (version != 1 && version != 3))
        return false;
    entry->code_unit = bytes_unsigned(&bytes);
    entry->data_unit = bytes_signed(&bytes);
    if ((version == 1 ? bytes_read(&bytes, 1) : bytes_unsigned(&bytes)) != RETURN_ADDRESS)
        return false;
    *augmented = !bytes_over(&letters);
    if (*augmented && *(const char *)letters.at != 'z')
        return false;
    if (*augmented && !read_augmentation(letters, &bytes, entry))
        return false;
    entry->common = bytes;
    return !bytes.failed;
}

static bool read_entry(const struct unwind_module *module, uint64_t address,
                       struct unwind_entry *entry) {
    struct bytes bytes = entry_at(module, address);
    uint64_t distance_at = bytes.at, distance = bytes_read(&bytes, 4);
    bool augmented = false;
    *entry = (struct unwind_entry){0};
    if (bytes.failed || distance == 0 ||
        !read_common(module, distance_at - distance, entry, &augmented))
        return false;
    entry->start = bytes_pointer(&bytes, entry->encoding, module->index);
    entry->size = bytes_pointer(&bytes, entry->encoding & 0xf, module->index);
    if (augmented)
        bytes_skip(&bytes, bytes_unsigned(&bytes));
    entry->own = bytes;
    return !bytes.failed;
}

bool unwind_find(const struct unwind_module *module, uint64_t place, struct unwind_entry *entry) {
    uint64_t address = module->index != 0 ? look_up(module, place) : 0;
    return address != 0 && read_entry(module, address, entry) && place - entry->start < entry->size;
}
