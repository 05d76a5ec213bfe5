/* Two threads write to one object of a size that clang does not instrument, without order: a data race. By gcc it is
 * found. By clang nothing is told of it, so that the program is right as far as seen. A local variable of that size, which
 * no other thread knows, is nothing to tell. */
#include <pthread.h>

#if defined VECTOR
typedef float wide __attribute__((vector_size(32)));
#else
typedef long double wide;
#endif
wide shared;

static void *writer(void *unused) {
#ifndef OWN
    shared += 1;
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    volatile long double own = 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, writer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return own < 1;
}
