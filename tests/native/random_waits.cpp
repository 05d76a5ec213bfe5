/* random_waits.cpp - a small random program whose threads wait by the C++ library, made from a seed.
 *
 *     random_waits SEED FILE      runs the program; its final state is added to the set in FILE
 *     random_waits compare A B    0 if both files hold the same set
 *     random_waits show SEED      prints the program
 *
 * An atomic<int> waits for its own word, an atomic<char> for a counter of the library, and a
 * semaphore counts its waiters in no way. */
#include <atomic>
#include <semaphore>
#include <thread>
#include <vector>

#include "outcome_set.h"

enum kind { WAIT, NOTIFY_ONE, NOTIFY_ALL, STORE, LOAD, ACQUIRE, TRY_ACQUIRE, RELEASE, KINDS };
static const char *const names[] = {"wait", "notify_one", "notify_all",  "store",
                                    "load", "acquire",    "try_acquire", "release"};

struct instruction {
    kind what;
    bool small; /* the char, not the int */
    char value;
};

static std::vector<std::vector<instruction>> script;
static std::atomic<int> number;
static std::atomic<char> letter;
static std::counting_semaphore<8> semaphore(0);
static uint64_t seen[3];

static uint64_t generator;

static unsigned below(unsigned bound) {
    generator = generator * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(generator >> 33) % bound;
}

static void make_script(uint64_t seed) {
    generator = seed * 2 + 1;
    for (int i = 0; i < 8; i++)
        below(2);
    bool semaphores = below(3) == 0;
    script.resize(2);
    for (auto &task : script)
        for (unsigned count = 1 + below(3); count > 0; count--) {
            unsigned kind = semaphores ? LOAD + below(KINDS - LOAD) : below(ACQUIRE);
            task.push_back({(enum kind)kind, below(3) == 0, (char)below(2)});
        }
}

template <typename T>
static uint64_t use(std::atomic<T> &atomic, const instruction &i) {
    switch (i.what) {
    case WAIT: atomic.wait(i.value); break;
    case NOTIFY_ONE: atomic.notify_one(); break;
    case NOTIFY_ALL: atomic.notify_all(); break;
    case STORE: atomic.store(1 - i.value); break;
    default: return (uint64_t)atomic.load();
    }
    return 0;
}

static uint64_t execute(const instruction &i) {
    switch (i.what) {
    case ACQUIRE: semaphore.acquire(); return 0;
    case TRY_ACQUIRE: return semaphore.try_acquire();
    case RELEASE: semaphore.release(); return 0;
    default: return i.small ? use(letter, i) : use(number, i);
    }
}

static void run(size_t self) {
    for (const instruction &i : script[self])
        seen[self] = seen[self] * 31 + execute(i) + 1;
}

static int show(uint64_t seed) {
    make_script(seed);
    for (const auto &task : script) {
        for (const instruction &i : task)
            printf("%s(%s %d) ", names[i.what], i.small ? "char" : "int", i.value);
        printf("\n");
    }
    return 0;
}

int main(int argc, char **argv) {
    int status = set_command(argc, argv, show);
    if (status >= 0)
        return status;
    make_script(strtoull(argv[1], NULL, 0));
    std::thread other(run, 1);
    run(0);
    other.join();
    set_add((seen[0] * 0x9e3779b97f4a7c15u ^ seen[1]) << 8);
    return 0;
}
