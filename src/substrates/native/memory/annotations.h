/* annotations.h - data races that the program asks to ignore (annotations.c). */
#ifndef NATIVE_ANNOTATIONS_H
#define NATIVE_ANNOTATIONS_H

#include "engine/system.h"
#include "substrates/native/tasks/task.h"

enum plain_access annotated_access(const struct task *task, uint64_t address, uint32_t size,
                                   bool write);

/* The kind of a plain access: IGNORED_READ or IGNORED_WRITE if annotations ask to ignore its
 * data races. */
static inline enum plain_access kind_of_access(const struct task *task, uint64_t address,
                                               uint32_t size, bool write) {
    if (__builtin_expect(task->annotated.special[write], 0))
        return annotated_access(task, address, size, write);
    return write ? PLAIN_WRITE : PLAIN_READ;
}

/* A task begins. */
void annotations_inherit(struct task *child);
void annotations_fingerprint(struct fingerprint *out);

#endif
