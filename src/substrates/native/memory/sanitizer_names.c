/* sanitizer_names.c - names that belong to ThreadSanitizer and mean nothing to us, or do the
 * same with and without us: the common interface of the sanitizers, and the dynamic annotations
 * that ThreadSanitizer itself ignores. A program that was compiled for ThreadSanitizer must
 * link. Names with a meaning are in annotations.c. */
#include <stdio.h>
#include <string.h>

#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define NOTHING(name, parameters) \
    EXPORT void name parameters; \
    EXPORT void name parameters { \
    }
#define ANSWERS(type, name, parameters, value) \
    EXPORT type name parameters; \
    EXPORT type name parameters { \
        return value; \
    }
#define WEAK(type, name, parameters, value) \
    EXPORT type name parameters; \
    EXPORT __attribute__((weak)) type name parameters { \
        return value; \
    }
#include "stub/annotations.def"

/* Only the first thread that crashes writes the report. */
EXPORT int __sanitizer_acquire_crash_state(void) {
    static bool taken;
    return rt.current != NULL || !__atomic_exchange_n(&taken, true, __ATOMIC_SEQ_CST);
}

#define UNALIGNED(bits) \
    EXPORT uint##bits##_t __sanitizer_unaligned_load##bits(const void *at) { \
        uint##bits##_t value; \
        access_for((uint64_t)at, sizeof value, false, CALLER); \
        memcpy(&value, at, sizeof value); \
        return value; \
    } \
    EXPORT void __sanitizer_unaligned_store##bits(void *at, uint##bits##_t value) { \
        access_for((uint64_t)at, sizeof value, true, CALLER); \
        memcpy(at, &value, sizeof value); \
    }
UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)

static void write_address(const void *address, char *text, size_t size) {
    struct task *task = rt.current;
    rt.current = NULL;
    if (size > 0)
        snprintf(text, size, "%p", address);
    rt.current = task;
}

/* Reports find the names later, outside of the program. */
EXPORT void __sanitizer_symbolize_pc(void *pc, const char *format, char *text, size_t size) {
    (void)format;
    write_address(pc, text, size);
}

EXPORT void __sanitizer_symbolize_global(void *at, const char *format, char *text, size_t size) {
    (void)format;
    write_address(at, text, size);
}

EXPORT void __sanitizer_finish_switch_fiber(void *kept, const void **bottom, size_t *size) {
    (void)kept;
    if (bottom != NULL)
        *bottom = NULL;
    if (size != NULL)
        *size = 0;
}
