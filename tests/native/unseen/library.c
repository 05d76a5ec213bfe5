/* library.c - built without instrumentation. With OWN_LOCK it has a lock of its own, with a futex
 * call in assembly. Otherwise it only has a plain increment. */
#ifdef OWN_LOCK
static int word;

static void enter(void) {
    while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE) != 0)
        ;
}

static void leave(void) {
    long result;
    __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
    __asm__ volatile("syscall" /* futex(&word, FUTEX_WAKE, 1) */
                     : "=a"(result)
                     : "a"(202L), "D"(&word), "S"(1L), "d"(1L)
                     : "rcx", "r11", "memory");
}
#else
static void enter(void) {
}
static void leave(void) {
}
#endif

void library_add(int *number) {
    enter();
    (*number)++;
    leave();
}
