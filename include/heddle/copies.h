/* copies.h - `heddle cc` includes this before everything else, with gcc.
 *
 * gcc expands a copy of constant size after it has instrumented the program, so that nobody sees it. A call
 * of a function that it does not know stays one: -fno-builtin-memcpy makes memcpy such a function, and this
 * does the same for __builtin_memcpy, which the headers of C++ call, and for what they make of memcpy
 * with _FORTIFY_SOURCE. Nothing here is for programs to use. */
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
