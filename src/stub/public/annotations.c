/* annotations.c - the annotations of ThreadSanitizer for programs that are linked with
 * libheddle-stub.a and without ThreadSanitizer: they do nothing. This is an archive member of
 * its own, so that it is left out if another library defines these names. */
#include <stddef.h>
#include <stdint.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define NOTHING(name, parameters) WEAK(void, name, parameters, )
#define ANSWERS(type, name, parameters, value) WEAK(type, name, parameters, value)
#define WEAK(type, name, parameters, value) \
    type name parameters; \
    __attribute__((weak)) type name parameters { \
        return value; \
    }
#include "stub/annotations.def"

/* names with a meaning under the tool (native/memory/annotations.c) */
#define HERE const char *file, int line
NOTHING(__tsan_acquire, (void *at))
NOTHING(__tsan_release, (void *at))
NOTHING(__tsan_mutex_create, (void *at, unsigned flags))
NOTHING(__tsan_mutex_destroy, (void *at, unsigned flags))
NOTHING(__tsan_mutex_pre_lock, (void *at, unsigned flags))
NOTHING(__tsan_mutex_post_lock, (void *at, unsigned flags, int recursion))
ANSWERS(int, __tsan_mutex_pre_unlock, (void *at, unsigned flags), 1)
NOTHING(__tsan_mutex_post_unlock, (void *at, unsigned flags))
NOTHING(__tsan_mutex_pre_signal, (void *at, unsigned flags))
NOTHING(__tsan_mutex_post_signal, (void *at, unsigned flags))
NOTHING(__tsan_mutex_pre_divert, (void *at, unsigned flags))
NOTHING(__tsan_mutex_post_divert, (void *at, unsigned flags))
ANSWERS(void *, __tsan_external_register_tag, (const char *type), (void *)type)
NOTHING(__tsan_external_read, (void *at, void *caller, void *tag))
NOTHING(__tsan_external_write, (void *at, void *caller, void *tag))
ANSWERS(void *, __tsan_get_current_fiber, (void), (void *)1)
ANSWERS(void *, __tsan_create_fiber, (unsigned flags), (void *)2)
NOTHING(__tsan_destroy_fiber, (void *fiber))
NOTHING(__tsan_switch_to_fiber, (void *fiber, unsigned flags))
NOTHING(AnnotateHappensBefore, (HERE, const volatile void *at))
NOTHING(AnnotateHappensAfter, (HERE, const volatile void *at))
NOTHING(WTFAnnotateHappensBefore, (HERE, const volatile void *at))
NOTHING(WTFAnnotateHappensAfter, (HERE, const volatile void *at))
NOTHING(AnnotateIgnoreReadsBegin, (HERE))
NOTHING(AnnotateIgnoreReadsEnd, (HERE))
NOTHING(AnnotateIgnoreWritesBegin, (HERE))
NOTHING(AnnotateIgnoreWritesEnd, (HERE))
NOTHING(AnnotateIgnoreSyncBegin, (HERE))
NOTHING(AnnotateIgnoreSyncEnd, (HERE))
NOTHING(AnnotateBenignRace, (HERE, const volatile void *at, const char *text))
NOTHING(AnnotateBenignRaceSized, (HERE, const volatile void *at, unsigned long n, const char *text))
NOTHING(WTFAnnotateBenignRaceSized,
        (HERE, const volatile void *at, unsigned long n, const char *text))
NOTHING(AnnotateRWLockCreate, (HERE, const volatile void *lock))
NOTHING(AnnotateRWLockCreateStatic, (HERE, const volatile void *lock))
NOTHING(AnnotateRWLockDestroy, (HERE, const volatile void *lock))
NOTHING(AnnotateRWLockAcquired, (HERE, const volatile void *lock, long writes))
NOTHING(AnnotateRWLockReleased, (HERE, const volatile void *lock, long writes))
NOTHING(AnnotateThreadName, (HERE, const char *name))
ANSWERS(int, __sanitizer_acquire_crash_state, (void), 1)
NOTHING(__sanitizer_symbolize_pc, (void *pc, const char *format, char *text, size_t size))
NOTHING(__sanitizer_symbolize_global, (void *at, const char *format, char *text, size_t size))
NOTHING(__sanitizer_finish_switch_fiber, (void *kept, const void **bottom, size_t *size))

#define UNALIGNED(bits) \
    ANSWERS(uint##bits##_t, __sanitizer_unaligned_load##bits, (const void *at), \
            ((const struct { uint##bits##_t value; } __attribute__((packed)) *)at)->value) \
    __attribute__((weak)) void __sanitizer_unaligned_store##bits(void *at, uint##bits##_t value); \
    void __sanitizer_unaligned_store##bits(void *at, uint##bits##_t value) { \
        ((struct { uint##bits##_t value; } __attribute__((packed)) *)at)->value = value; \
    }
UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)
