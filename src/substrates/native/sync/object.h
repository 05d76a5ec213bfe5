/* object.h - synchronisation objects: the state that we keep beside the program's memory
 * (object.c). */
#ifndef NATIVE_OBJECT_H
#define NATIVE_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

struct fingerprint;
struct image;
struct task;

enum object_type {
    OBJECT_MUTEX,
    OBJECT_COND,
    OBJECT_RWLOCK,
    OBJECT_SPIN,
    OBJECT_BARRIER,
    OBJECT_SEM,
    OBJECT_ONCE,
    OBJECT_MAILBOX,
};

struct object {
    uint64_t address;
    enum object_type type;
    bool destroyed;
    uint32_t owner; /* of a mutex, write lock, spin lock, or once in progress: a task or NO_TASK */
    uint64_t version; /* grows with every change: a polling task watches it */
    union {
        struct {
            uint32_t count; /* how often its owner has locked it */
            uint32_t kind;  /* its type, and what became of a robust one (mutex.c) */
            uint64_t rank;  /* of a robust one, while it is locked: see object_held_by */
        } mutex;
        struct {
            uint32_t readers; /* read locks that are held; the items are the readers */
        } rwlock;
        struct {
            uint32_t size;
            uint32_t arrived; /* tasks of this round */
            uint32_t leaving; /* tasks of the last round that may leave and have not left */
            uint64_t round;
        } barrier;
        struct {
            uint32_t value;
        } sem;
        struct {
            uint32_t state; /* once.c */
        } once;
        struct {
            uint64_t sent; /* messages ever; the items are those that wait */
        } mailbox;
    };
    struct object_item *items; /* first to last */
    struct object_item *items_tail;
    struct object *older; /* the object that was made before this one */
    uint64_t made_at;     /* the place of its first use or init */
};

/* A waiting message, or a reader, in scratch memory. */
struct object_item {
    struct object_item *next;
    uint64_t value;  /* the message; the reader's task */
    uint64_t number; /* of the message among all that were sent; of the reader's locks */
};

/* The object at that address. Memory that does not bear our mark is a new object: *fresh says
 * so, and the mark is set. Misuse is a finding, and the call does not return: the object was
 * destroyed, is of another type, or lies in heap memory that was never written. */
struct object *object_at(struct task *task, void *address, enum object_type type, uint64_t pc,
                         bool *fresh);
/* A new object, whatever was there before: pthread_mutex_init and its like. */
struct object *object_new(struct task *task, void *address, enum object_type type, uint64_t pc);

struct object_item *object_push(struct object *object, uint64_t value, uint64_t number);
/* Returns the value of the item. */
uint64_t object_remove(struct object *object, struct object_item *item);

/* The lock (mutex, read-write lock, spin lock) of the highest rank below `rank` that the task
 * holds; NULL if there is none. Robust mutexes have ranks from 1 on, in the order in which the
 * task took them. All other locks have rank 0; among them, the lowest address counts. */
#define RANK_ANY UINT64_MAX
struct object *object_held_by(const struct task *task, uint64_t rank);
uint64_t object_rank(const struct object *object);

/* The address of the object to which this pointer points; 0 if it points to none. */
uint64_t object_behind(uint64_t pointer);

/* All objects: the newest, then ->older. */
const struct object *objects_newest(void);
void objects_reset(void);
/* The objects themselves stand in scratch memory, which is written and read before. */
void objects_write(struct image *image);
void objects_read(struct image *image);
void objects_fingerprint(struct fingerprint *out);

#endif
