/* copies.h - `heddle cc` includes this file before all others if the compiler is gcc.
 *
 * gcc expands a copy of constant size into plain instructions only after it has instrumented the
 * program. Heddle would not see such a copy. A call of a function that gcc does not know as a
 * builtin stays a call. The option -fno-builtin-memcpy has this effect for memcpy. This file has
 * the same effect for __builtin_memcpy, which the C++ headers call, and for the functions that
 * _FORTIFY_SOURCE puts in place of memcpy. Programs should not use anything from this file. */
#if !defined HEDDLE_COPIES_H && !defined __ASSEMBLER__
#define HEDDLE_COPIES_H

#ifdef __cplusplus
extern "C" {
#endif
#define HEDDLE_COPY(type, function, parameters) \
    extern type heddle_##function parameters __asm__(#function) __attribute__((__nothrow__))
HEDDLE_COPY(void *, memcpy, (void *, const void *, __SIZE_TYPE__));
HEDDLE_COPY(void *, mempcpy, (void *, const void *, __SIZE_TYPE__));
HEDDLE_COPY(void *, memmove, (void *, const void *, __SIZE_TYPE__));
HEDDLE_COPY(void *, memset, (void *, int, __SIZE_TYPE__));
HEDDLE_COPY(int, memcmp, (const void *, const void *, __SIZE_TYPE__));
HEDDLE_COPY(void *, __memcpy_chk, (void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__));
HEDDLE_COPY(void *, __mempcpy_chk, (void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__));
HEDDLE_COPY(void *, __memmove_chk, (void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__));
HEDDLE_COPY(void *, __memset_chk, (void *, int, __SIZE_TYPE__, __SIZE_TYPE__));
HEDDLE_COPY(char *, __strcpy_chk, (char *, const char *, __SIZE_TYPE__));
#undef HEDDLE_COPY
#ifdef __cplusplus
}
#endif

#define __builtin_memcpy heddle_memcpy
#define __builtin_mempcpy heddle_mempcpy
#define __builtin_memmove heddle_memmove
#define __builtin_memset heddle_memset
#define __builtin_memcmp heddle_memcmp
#define __builtin___memcpy_chk heddle___memcpy_chk
#define __builtin___mempcpy_chk heddle___mempcpy_chk
#define __builtin___memmove_chk heddle___memmove_chk
#define __builtin___memset_chk heddle___memset_chk
#define __builtin___strcpy_chk heddle___strcpy_chk

#endif
