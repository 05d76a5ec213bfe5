/* wide.c - two threads write to one object of a size that clang does not instrument. Nothing orders
 * the writes, so this is a data race. With gcc, the tool finds it. With clang, the accesses are not
 * recorded, so the program is right as far as seen. A local variable of this size, which no other
 * thread knows, needs no warning. */
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
