#!/bin/sh
# test_heap_names.sh - an object on the heap has the name of the variable that its block was assigned to, or the line
# of its allocation. A name is never wrong, and two objects never have the same name.
. "$SOURCE/tests/cli/cli.sh"

# names: prints the names of the objects in the last trace's schedule, each once, in one line.
names() {
    "$HEDDLE" show "$1" | sed -n 's/^ *[0-9][0-9]*  *[0-9]*: \(un\)*lock \([^ ]*\) *$/\2/p' |
        LC_ALL=C sort -u | tr '\n' ' '
}

has_names() {
    [ "$(names "$1")" = "$2 " ] || fail "not '$2' but '$(names "$1")' in: $(cat out)"
}

# Each block is assigned in another way. If no variable is known, or if the type of the variable does not describe the
# object, the line number is part of the name.
cat >kinds.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct pair { int count; pthread_mutex_t lock; };
struct deep { long first; struct pair inner[2]; union { struct pair a; long b; } either; };
struct open { int count; struct pair items[]; };
struct pool { long size; struct pair *slots; };
static void use(pthread_mutex_t *lock) {
    pthread_mutex_init(lock, NULL);
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
}
static void *xmalloc(size_t size) {
    void *made = malloc(size);
    if (made == NULL)
        abort();
    return made;
}
static void *counted(size_t size) {
    size_t *made = malloc(size + 2 * sizeof *made);
    return made + 2;
}
static struct pair *global;
static void *thread(void *unused) {
    struct pair *mine = malloc(sizeof *mine);
    use(&mine->lock);
    return unused;
}
int main(void) {
    pthread_t t;
    struct pair *plain = malloc(sizeof *plain); // a remark with = malloc(1) in it
    struct pair *broken =
        malloc(sizeof(struct pair));
    struct pair *many = calloc(3, sizeof *many);
    struct pair *grown = malloc(sizeof *grown);
    struct deep *deep = (struct deep *)calloc(1, sizeof(struct deep));
    struct open *open = malloc(sizeof *open + 2 * sizeof(struct pair));
    struct pool pool = {.size = 1}, *to_pool = &pool;
    struct pair *wrapped = xmalloc(sizeof *wrapped);
    struct pair *header = counted(sizeof *header);
    void *unknown = malloc(sizeof(struct pair));
    struct pair *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    struct pair *list[2];
    for (int i = 0; i < 2; i++)
        list[i] = malloc(sizeof *list[i]);
    to_pool->slots = malloc(2 * sizeof *to_pool->slots);
    grown = realloc(grown, 2 * sizeof *grown);
    global = malloc(sizeof *global);
    use(&plain->lock), use(&broken->lock), use(&many[2].lock), use(&grown[1].lock);
    use(&deep->inner[1].lock), use(&deep->either.a.lock), use(&open->items[1].lock);
    use(&pool.slots[1].lock), use(&wrapped->lock), use(&header->lock), use(&((struct pair *)unknown)->lock);
    use(&a->lock), use(&b->lock), use(&list[0]->lock), use(&list[1]->lock), use(&global->lock);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    abort();
}
END
# Offsets: `lock` is 8 bytes into a pair of 48 bytes, and a pair is 16 bytes into the block that counted() allocates.
# `either` is the last member of `deep`. An array without a length begins 8 bytes into `open`, so its second lock is
# at 8 + 48 + 8.
expected='*open+64 broken->lock deep->either+8 deep->inner[1].lock global->lock grown[1].lock heap(kinds.c:19)+24'
expected="$expected heap(kinds.c:40)+8 heap(kinds.c:41)#1+8 heap(kinds.c:41)#2+8 list[i]#1->lock list[i]#2->lock"
expected="$expected many[2].lock mine->lock plain->lock to_pool->slots[1].lock wrapped->lock"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in 0 2; do
        runs 0 env HEDDLE_CC=$compiler "$HEDDLE" cc -O$level -g -o kinds kinds.c
        runs 1 "$HEDDLE" run --trace=kinds.trace ./kinds
        has_names kinds.trace "$expected"
    done
done

# Without debug information only the function is known; without the sources, only the line.
runs 0 "$HEDDLE" cc -g0 -o kinds kinds.c
runs 1 "$HEDDLE" run --trace=kinds.trace ./kinds
says 'lock heap(main)#[0-9]*+8'
says 'lock heap(thread)+8'
[ "$("$HEDDLE" show kinds.trace | grep -o 'mutex init .*' | sort | uniq -d)" = "" ] ||
    fail "objects have the same name: $("$HEDDLE" show kinds.trace)"
mkdir elsewhere && cp kinds.c elsewhere && (cd elsewhere && "$HEDDLE" cc -g -o ../kinds kinds.c) && rm -r elsewhere
runs 1 "$HEDDLE" run --trace=kinds.trace ./kinds
says 'lock heap(kinds.c:24)+8'

# A deadlock: both locks have their names, and every report has the same. The schedule decides which of the two blocks
# an execution uses first. This must not affect the fingerprint: another strategy finds the same bug.
cat >cycle.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct account { long balance; pthread_mutex_t lock; };
static struct account *from, *to;
static void *back(void *unused) {
    pthread_mutex_lock(&to->lock);
    pthread_mutex_lock(&from->lock);
    pthread_mutex_unlock(&from->lock);
    pthread_mutex_unlock(&to->lock);
    return unused;
}
int main(void) {
    pthread_t t;
    from = calloc(1, sizeof *from);
    to = calloc(1, sizeof *to);
    pthread_create(&t, NULL, back, NULL);
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    pthread_join(t, NULL);
    return 0;
}
END
runs 0 "$HEDDLE" cc -g -o cycle cycle.c
runs 1 "$HEDDLE" run ./cycle
says 'T0 (main) waits for mutex `to->lock` held by T1 (back)'
says 'which waits for mutex `from->lock` held by T0 (main)'
fingerprint=$(sed -n 's/^Fingerprint: //p' out)
[ -n "$fingerprint" ] || fail "there is no fingerprint in: $(cat out)"
runs 1 "$HEDDLE" replay cycle.trace
says 'waits for mutex `to->lock`'
says "Fingerprint: $fingerprint"
runs 0 "$HEDDLE" show cycle.trace
says 'waits for mutex `to->lock`'
runs 0 "$HEDDLE" report cycle.trace
says '"object":"from->lock"' cycle.html
for strategy in dfs random pct; do
    runs 1 "$HEDDLE" run --strategy=$strategy --seed=3 ./cycle
    says "Fingerprint: $fingerprint"
done

# A data race on a member of a block that each thread allocates for itself; one thread gives its block away. The name
# has a number only if another such block is used as well, and the number is not part of the fingerprint.
cat >race.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct context { long id; int count; pthread_mutex_t lock; };
static struct context *make(void) {
    struct context *ctx = calloc(1, sizeof(struct context));
    pthread_mutex_init(&ctx->lock, NULL);
    return ctx;
}
static void *add(void *shared) {
    struct context *own = EXTRA ? make() : shared;
    ((struct context *)shared)->count++;
    return own == shared ? NULL : own;
}
int main(void) {
    pthread_t t;
    struct context *shared = make();
    pthread_create(&t, NULL, add, shared);
    shared->count++;
    pthread_join(t, NULL);
    return 0;
}
END
runs 0 "$HEDDLE" cc -g -DEXTRA=0 -o race race.c
runs 1 "$HEDDLE" run ./race
says 'data race on `ctx->count`'
fingerprint=$(sed -n 's/^Fingerprint: //p' out)
runs 0 "$HEDDLE" cc -g -DEXTRA=1 -o race race.c
runs 1 "$HEDDLE" run ./race
says 'data race on `ctx#1->count`'
says 'mutex init ctx#2->lock'
says "Fingerprint: $fingerprint"

# C++: objects made by new and similar functions, if they have the type of the pointer. make_shared puts the object
# after its counters. If a line makes two objects, or an object of a derived class, the name is not clear.
cat >kinds.cpp <<'END'
#include <memory>
#include <mutex>
#include <thread>
struct base { long x; };
struct account : base {
    std::mutex lock;
    long balance = 0;
    ~account() { balance = -1; }
};
struct bank {
    std::shared_ptr<account> one;
    account *two;
    bank() : two(new account) {
        one = std::make_shared<account>();
    }
};
int main() {
    auto all = std::make_unique<bank>();
    auto made = std::make_unique<account>();
    std::shared_ptr<account> given(new account);
    account *raw = new account();
    account *many = new account[3];
    base *derived = new account;
    account *left = new account, *right = new account;
    static_cast<account *>(derived)->lock.lock();
    for (account *each : {all->one.get(), all->two, made.get(), given.get(), raw, &many[2], left, right})
        each->lock.lock();
    std::thread([] {}).join();
    abort();
}
END
# `lock` is 8 bytes into an account.
expected='given->lock heap(kinds.cpp:23)+8 heap(kinds.cpp:24)#1+8 heap(kinds.cpp:24)#2+8 made->lock many[2].lock'
expected="$expected one->lock raw->lock two->lock"
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for level in 0 2; do
        runs 0 env HEDDLE_CXX=$compiler "$HEDDLE" c++ -O$level -g -o kinds kinds.cpp
        runs 1 "$HEDDLE" run --trace=kinds.trace ./kinds
        has_names kinds.trace "$expected"
    done
done
exit $failed
