/* annotated.c - a data race that the program declares to be benign. Heddle does not report it, but
 * has not explored its effects either. */
#include <pthread.h>
#include <stddef.h>

void AnnotateBenignRaceSized(const char *, int, const volatile void *, unsigned long, const char *);

int hits;

static void *work(void *unused) {
    hits++;
    return unused;
}

int main(void) {
    pthread_t thread;
    AnnotateBenignRaceSized(__FILE__, __LINE__, &hits, sizeof hits, "statistics");
    pthread_create(&thread, NULL, work, NULL);
    hits++;
    pthread_join(thread, NULL);
}
