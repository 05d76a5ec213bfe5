/* msmie.c - images that pass through three buffers: multiprocessor shared-memory information
 * exchange.
 *
 * A slave processor makes images, masters read the newest finished image, and no processor waits
 * for another one. This is a protocol of the protection systems of nuclear plants (Santoline et al.
 * 1989; Bruns and Anderson 1994). Three buffers in shared memory have a status each. Processors
 * change the status under a semaphore:
 *
 *     slave    the slave writes this buffer. When it has finished, the buffer becomes the newest.
 *              The old newest buffer, if there is one, becomes idle, and the slave takes an idle
 *              buffer
 *     newest   finished, and not read yet. The first master that comes makes it the master buffer
 *     master   one or more masters read this buffer. When the last one leaves, the buffer becomes
 *              idle; or newest again, if there is no newer one
 *     idle     not used
 *
 * The machine Table stands for the semaphore and the statuses. What is one event here happens under
 * the semaphore. The slave makes IMAGES images. Each master reads READS times, or finds that there
 * is no image yet.
 *
 * correct: 1 2 3
 * bug 1 assertion at 1: the buffer becomes idle when the last master leaves, even if there is no
 *     newer one. A master reads and comes again before the next image is finished: there is no
 *     image any more.
 * bug 2 assertion at 2: masters that join others are not counted. The first one that leaves makes
 *     the buffer idle while the second one still reads, and the slave gets it after its next image.
 * bug 3 assertion at 1: a master looks for the newest buffer, and only then takes the semaphore to
 *     mark it. An image is finished in between. The marked buffer is old, and the slave writes it
 *     next.
 * bug 4 assertion at 1: the last master that leaves makes its buffer the newest without checking
 *     for a newer one, so there are two. It comes again, and gets the older image.
 * bug 5 assertion at 1: the slave asks for its next buffer, which may be the newest one, before it
 *     publishes its image. These are two steps, and the semaphore is free in between. All three
 *     buffers are in use; a master leaves, comes again, and reads the buffer that the slave has
 *     been promised. */
#include "protocol.h"

enum { MASTERS_MAX = 6, IMAGES = 3, READS = 2, BUFFERS = 3, NONE = 0xff };

struct image {
    uint8_t buffer; /* NONE if there is no image yet */
    uint8_t image;
};
/* Events to the table: */
EVENT(FINISHED, struct image);
EVENT(NEXT);
EVENT(ACQUIRE);
EVENT(RELEASE, struct image);
EVENT(LOOK);
EVENT(MARK, struct image);
/* Events from the table: */
EVENT(WRITE, struct image);
EVENT(READ, struct image);
EVENT(FOUND, struct image);
EVENT(PROMISE, struct image);

/* --- the slave ------------------------------------------------------------------------------ */

struct slave {
    machine_id table;
};
DECLARE_MACHINE(Slave, struct slave);

static void write_image(struct slave *me, const struct image *image) {
    if (image->image > IMAGES)
        machine_halt();
    else if (bug == 5)
        machine_send(me->table, NEXT);
    else
        machine_send(me->table, FINISHED, .buffer = NONE);
}

static void promised(struct slave *me, const struct image *next) { /* bug 5 */
    machine_send(me->table, FINISHED, .buffer = next->buffer);
}

MACHINE(Slave, START("Writing", ON(WRITE, write_image), ON(PROMISE, promised)));

/* --- a master ------------------------------------------------------------------------------- */

struct master {
    machine_id table;
    uint8_t reads;
};
DECLARE_MACHINE(Master, struct master);

static void begin(struct master *me) {
    if (me->reads++ == READS)
        machine_halt();
    else if (bug == 3)
        machine_send(me->table, LOOK);
    else
        machine_send(me->table, ACQUIRE);
}

static void mark(struct master *me, const struct image *found) { /* bug 3 */
    if (found->buffer == NONE)
        machine_goto("Reading");
    else
        machine_send(me->table, MARK, .buffer = found->buffer);
}

static void read_image(struct master *me, const struct image *image) {
    if (image->buffer != NONE)
        machine_send(me->table, RELEASE, .buffer = image->buffer);
}

MACHINE(Master,
        START("Reading", ENTRY(begin), ON(FOUND, mark), ON_GOTO(READ, read_image, "Reading")));

/* --- the table ------------------------------------------------------------------------------ */

enum status { IDLE, SLAVE, NEWEST, MASTER };

struct table {
    machine_id slave;
    uint8_t status[BUFFERS];
    uint8_t images[BUFFERS]; /* the number of the image in each buffer */
    uint8_t readers;         /* how many masters read the master buffer */
};
DECLARE_MACHINE(Table, struct table);

static uint8_t buffer_that_is(const struct table *me, enum status status) {
    for (uint8_t i = 0; i < BUFFERS; i++)
        if (me->status[i] == status)
            return i;
    return NONE;
}

static uint8_t slave_buffer(const struct table *me) {
    uint8_t buffer = buffer_that_is(me, SLAVE);
    heddle_assert(buffer != NONE);
    return buffer;
}

static void give_to_slave(struct table *me, uint8_t buffer, uint8_t image) {
    heddle_assert(buffer != NONE);
    me->status[buffer] = SLAVE;
    me->images[buffer] = image;
    machine_send(me->slave, WRITE, .buffer = buffer, .image = image);
}

/* With three buffers there is always an idle one for the slave at this moment. */
static void finished(struct table *me, const struct image *promised) {
    uint8_t written = slave_buffer(me), newest = buffer_that_is(me, NEWEST);
    if (newest != NONE)
        me->status[newest] = IDLE;
    me->status[written] = NEWEST;
    give_to_slave(me, bug == 5 ? promised->buffer : buffer_that_is(me, IDLE),
                  (uint8_t)(me->images[written] + 1));
}

static void promise(struct table *me, const void *nothing) { /* bug 5 */
    (void)nothing;
    uint8_t idle = buffer_that_is(me, IDLE);
    machine_send(me->slave, PROMISE, .buffer = idle != NONE ? idle : buffer_that_is(me, NEWEST));
}

static uint8_t buffer_to_read(const struct table *me) {
    uint8_t buffer = buffer_that_is(me, MASTER);
    return buffer != NONE ? buffer : buffer_that_is(me, NEWEST);
}

static bool is_newest(const struct table *me, uint8_t buffer) {
    return me->images[buffer] + 1 == me->images[slave_buffer(me)];
}

static void let_read(struct table *me, uint8_t buffer) {
    if (buffer == NONE) {
        machine_send(machine_sender(), READ, .buffer = NONE);
        return;
    }
    if (me->status[buffer] != MASTER)
        heddle_assert(is_newest(me, buffer));
    if (me->status[buffer] != MASTER || bug != 2)
        me->readers++;
    me->status[buffer] = MASTER;
    machine_send(machine_sender(), READ, .buffer = buffer, .image = me->images[buffer]);
}

static void acquire(struct table *me, const void *nothing) {
    (void)nothing;
    let_read(me, buffer_to_read(me));
}

static void look(struct table *me, const void *nothing) { /* bug 3 */
    (void)nothing;
    machine_send(machine_sender(), FOUND, .buffer = buffer_to_read(me));
}

static void marked(struct table *me, const struct image *found) { /* bug 3 */
    let_read(me, found->buffer);
}

static void release(struct table *me, const struct image *image) {
    bool nothing_newer = buffer_that_is(me, NEWEST) == NONE;
    if (me->readers > 0)
        me->readers--;
    if (me->readers > 0)
        return;
    me->status[image->buffer] = (nothing_newer && bug != 1) || bug == 4 ? NEWEST : IDLE;
}

static void switch_on(struct table *me) {
    me->slave = machine_create(Slave, .table = machine_self());
    for (int i = 0; i < participants; i++)
        machine_create(Master, .table = machine_self());
    give_to_slave(me, 0, 1);
}

MACHINE(Table, START("Ready", ENTRY(switch_on), ON(FINISHED, finished), ON(ACQUIRE, acquire),
                     ON(LOOK, look), ON(MARK, marked), ON(NEXT, promise), ON(RELEASE, release)));

/* --- monitor: no image is written while it is read, and none disappears --------------------- */

struct images {
    uint8_t written; /* the buffer that is being written, or NONE */
    uint8_t newest;  /* the newest finished image */
    uint8_t latest;  /* the newest image that was read */
    uint8_t readers[BUFFERS];
};
DECLARE_MACHINE(Images, struct images);

static void writes(struct images *me, const struct image *image) {
    heddle_assert(me->readers[image->buffer] == 0);
    me->written = image->buffer;
    me->newest = (uint8_t)(image->image - 1);
}

static void has_written(struct images *me, const struct image *next) {
    (void)next;
    me->written = NONE;
}

static void reads(struct images *me, const struct image *image) {
    if (image->buffer == NONE) {
        heddle_assert(me->newest == 0);
        return;
    }
    heddle_assert(image->buffer != me->written);
    heddle_assert(image->image >= me->latest);
    me->latest = image->image;
    me->readers[image->buffer]++;
}

static void has_read(struct images *me, const struct image *image) {
    heddle_assert(me->readers[image->buffer] > 0);
    me->readers[image->buffer]--;
}

MONITOR(Images, START("Watching", ON(WRITE, writes), ON(FINISHED, has_written), ON(READ, reads),
                      ON(RELEASE, has_read)));

int main(int argc, char **argv) {
    protocol_arguments(argc, argv, 1, MASTERS_MAX, 5);
    machine_watch(Images, .written = NONE);
    return machine_start(Table);
}
