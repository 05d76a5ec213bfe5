/* msmie.pml - programs/protocols/msmie.c as a Promela model, with exactly the same states and
 * steps.
 *
 * One of our steps is one d_step: a processor takes a message and reacts to it, or it sends what it
 * has to send first. The slave is there from the start, and the table creates the masters one after
 * the other. So the first step is the creation of the first master, which then can send. */
#ifndef SIZE
#define SIZE 3
#endif
#define IMAGES 3
#define READS 2
#define BUFFERS 3
#define NONE 255
mtype = { FINISHED, ACQUIRE, RELEASE, WRITE, READ };
#define SLAVE_PID SIZE
/* The status of a buffer. */
#define IDLE 0
#define SLAVE 1
#define NEWEST 2
#define MASTER 3

chan to_table = [2 * SIZE + 1] of { mtype, byte, byte };    /* the sender, a buffer */
chan to_slave = [1] of { byte, byte };                      /* WRITE: a buffer, an image */
chan to_masters[SIZE] = [1] of { byte, byte };              /* READ: likewise */
byte created;                                               /* masters */

/* The monitor. */
byte written = NONE, newest, latest;
byte readers[BUFFERS];

/* For a step: no part of the state. */
hidden byte buffer, image, sender, old, next_one;

active [SIZE] proctype master() {
    byte reads = 1, held = NONE;
    bool asks = true;
end:
    do
    :: d_step {
           held != NONE ->
           assert(readers[held] > 0);
           readers[held]--;
           to_table!RELEASE, _pid, held;
           held = NONE
       }
    :: d_step { held == NONE && asks && created > _pid -> to_table!ACQUIRE, _pid, 0; asks = false }
    :: d_step {
           held == NONE && !asks && nempty(to_masters[_pid]) ->
           to_masters[_pid]?held, image;
           if
           :: reads == READS
           :: else -> asks = true
           fi;
           reads++
       }
    od
}

active proctype slave() {
    bool finishes;
end:
    do
    :: d_step { finishes -> written = NONE; to_table!FINISHED, _pid, NONE; finishes = false }
    :: d_step { !finishes && nempty(to_slave) -> to_slave?buffer, image; finishes = image <= IMAGES }
    od
}

/* The first buffer with this status. */
inline find(wanted, found) {
    if
    :: status[0] == wanted -> found = 0
    :: else ->
       if
       :: status[1] == wanted -> found = 1
       :: else ->
          if
          :: status[2] == wanted -> found = 2
          :: else -> found = NONE
          fi
       fi
    fi
}

inline give_to_slave(free, number) {
    assert(free != NONE);
    status[free] = SLAVE;
    images[free] = number;
    out = WRITE; out_buffer = free; out_image = number
}

inline let_read() {
    find(MASTER, buffer);
    if
    :: buffer == NONE -> find(NEWEST, buffer)
    :: else
    fi;
    out = READ; out_to = sender; out_buffer = buffer;
    if
    :: buffer == NONE
    :: else ->
       if
       :: status[buffer] == MASTER
       :: else -> find(SLAVE, old); assert(images[buffer] + 1 == images[old])
       fi;
       reading++;
       status[buffer] = MASTER;
       out_image = images[buffer]
    fi
}

inline release() {
    reading = (reading > 0 -> reading - 1 : 0);
    if
    :: reading > 0
    :: else ->
       find(NEWEST, old);
       status[buffer] = (old == NONE -> NEWEST : IDLE)
    fi
}

inline finish() {
    find(SLAVE, old);
    find(NEWEST, buffer);
    if
    :: buffer != NONE -> status[buffer] = IDLE
    :: else
    fi;
    status[old] = NEWEST;
    find(IDLE, next_one);
    give_to_slave(next_one, images[old] + 1)
}

inline see_write() {
    assert(readers[out_buffer] == 0);
    written = out_buffer;
    newest = out_image - 1
}

inline see_read() {
    if
    :: out_buffer == NONE -> assert(newest == 0)
    :: else ->
       assert(out_buffer != written && out_image >= latest);
       latest = out_image;
       readers[out_buffer]++
    fi
}

active proctype table() {
    byte status[BUFFERS], images[BUFFERS], reading;
    mtype out = 0; /* the outbox */
    byte out_to, out_buffer, out_image;
end:
    do
    :: d_step {
           created < SIZE ->
           created++;
           if
           :: created == SIZE -> give_to_slave(0, 1)
           :: else
           fi
       }
    :: d_step {
           out != 0 ->
           if
           :: out == WRITE -> to_slave!out_buffer, out_image; see_write()
           :: else -> to_masters[out_to]!out_buffer, out_image; see_read()
           fi;
           out = 0; out_to = 0; out_buffer = 0; out_image = 0
       }
    :: d_step {
           created == SIZE && out == 0 && nempty(to_table) ->
           if
           :: to_table?FINISHED, sender, buffer -> finish()
           :: to_table?ACQUIRE, sender, buffer -> let_read()
           :: to_table?RELEASE, sender, buffer -> release()
           fi
       }
    od
}
