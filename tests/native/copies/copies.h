/* copies.h - one thread copies, fills or compares a number of bytes in one of many ways. Another
 * thread stores to the first or the last of these bytes, in the place that is read or in the one
 * that is written. heddle_choose picks the way and the byte.
 *
 * With --races=explore, both orders of two accesses are two executions if both accesses are seen,
 * and otherwise one. So if everything is seen, the number of executions is twice the number of
 * choices. */
#ifndef COPIES_H
#define COPIES_H
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define SIZE_LIST(X) \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) \
    X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(64) X(100) X(129) X(4096)
enum { EXPLORED = 100 }; /* with --races=explore, a larger access is several operations */
/* clang-format on */

/* A way to read from one place and write to the other. Some ways do only one of the two. */
struct way {
    const char *name;
    int size;
    void (*run)(char *to, char *from);
    int reads, writes;
};

static char *to, *from;
static const struct way *way;
static char *hit;
static const char *contents = ""; /* what the place to read from holds, followed by zeros */

static void *runs(void *unused) {
    way->run(to, from);
    return unused;
}
static void *stores(void *unused) {
    *hit = 1;
    return unused;
}

/* The way with this name and size. */
static const struct way *named(const struct way *ways, const char *name, int size) {
    while (strcmp(ways->name, name) || ways->size != size)
        ways++;
    return ways;
}

static void use_freed(const struct way *ways) {
    char *other = (char *)malloc(5000), *gone = (char *)malloc(5000);
    strcpy(gone, contents);
    strcpy(other, contents);
    free(gone);
    ways->run(ways->writes ? gone : other, ways->writes ? other : gone);
}

/* The n-th of the ways that are explored, or NULL if there are fewer. */
static const struct way *explored(const struct way *ways, int count, int n) {
    for (int i = 0; i < count; i++)
        if (ways[i].size <= EXPLORED && n-- == 0)
            return &ways[i];
    return NULL;
}

/* Without arguments, explores all ways. With arguments ("freed" or "race", a name and a size), runs
 * one. */
static int copies_main(const struct way *ways, int count, int argc, char **argv) {
    pthread_t threads[2];
    int choices = 0;
    if (argc > 3)
        way = named(ways, argv[2], atoi(argv[3]));
    if (argc > 3 && !strcmp(argv[1], "freed")) {
        use_freed(way);
        return 0;
    }
    while (explored(ways, count, choices) != NULL)
        choices++;
    if (argc <= 3)
        way = explored(ways, count, heddle_choose(choices));
    to = (char *)malloc(5000);
    from = (char *)malloc(5000);
    memset(from, 0, 5000);
    memset(to, 0, 5000);
    strcpy(from, contents);
    int written = way->reads && way->writes ? heddle_choose(2) : way->writes;
    hit = (written ? to : from) + (heddle_choose(2) ? way->size - 1 : 0);
    pthread_create(&threads[0], NULL, runs, NULL);
    pthread_create(&threads[1], NULL, stores, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
#endif
