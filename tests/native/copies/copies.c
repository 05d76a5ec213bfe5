/* copies.c - copies in C: functions, their builtins, and structures. */
#include "copies.h"

static volatile int sink;

/* Each of these accesses each place once. They are not inlined, so that the compiler knows nothing
 * about the places. */
#define FORM(N, name, body) \
    static __attribute__((noinline)) void name##N(char *to, char *from) { \
        (void)to, (void)from; \
        body; \
    }
#define WAYS(N) \
    struct bytes##N { \
        char bytes[N]; \
    }; \
    static __attribute__((noinline)) struct bytes##N value##N(const struct bytes##N *from) { \
        return *from; \
    } FORM(N, memcpy, memcpy(to, from, N)) FORM(N, memmove, memmove(to, from, N)) \
        FORM(N, zero, memset(to, 0, N)) FORM(N, memset, memset(to, 5, N)) \
            FORM(N, memcmp, sink = memcmp(to, from, N) == 0) \
                FORM(N, builtin, __builtin_memcpy(to, from, N)) \
                    FORM(N, builtin_set, __builtin_memset(to, 3, N)) \
                        FORM(N, assign, *(struct bytes##N *)to = *(struct bytes##N *)from) \
                            FORM(N, clear, \
                                 *(struct bytes##N *)to = \
                                     (struct bytes##N){{0}}) struct bytes##N kept##N; \
    FORM(N, returned, kept##N = value##N((struct bytes##N *)from))
SIZE_LIST(WAYS)

static const struct way ways[] = {
#define ROWS(N) \
    {"memcpy", N, memcpy##N, 1, 1}, {"memmove", N, memmove##N, 1, 1}, {"zero", N, zero##N, 0, 1}, \
        {"memset", N, memset##N, 0, 1}, {"builtin", N, builtin##N, 1, 1}, \
        {"builtin_set", N, builtin_set##N, 0, 1}, {"assign", N, assign##N, 1, 1}, \
        {"clear", N, clear##N, 0, 1}, {"returned", N, returned##N, 1, 0},
    SIZE_LIST(ROWS)
#define COMPARED(N) {"memcmp", N, memcmp##N, 1, 0},
        SIZE_LIST(COMPARED)};

int main(int argc, char **argv) {
    return copies_main(ways, sizeof ways / sizeof ways[0], argc, argv);
}
