/* lcr.pml - programs/protocols/lcr.c as a Promela model, with exactly the same states and steps.
 *
 * One of our steps is one d_step: a process takes a message and reacts to it, or it sends what it
 * has to send. Processes exist from the start, so the first step is the first of the ring. */
#ifndef SIZE
#define SIZE 9
#endif
#define NEIGHBOUR 0 /* a message; every other one is the number of a process */
#define NOTHING 0

chan queues[SIZE] = [SIZE + 1] of { byte };
byte leaders;

#define number (SIZE - _pid)
#define queue queues[_pid]
#define next queues[(_pid + 1) % SIZE]

active [SIZE] proctype process() {
    byte out = NOTHING; /* the outbox */
end_alone:
    d_step { queue??[NEIGHBOUR] -> queue??NEIGHBOUR; out = number }
    d_step { next!out; out = NOTHING }
end_ring:
    do
    :: d_step {
           out == NOTHING && nempty(queue) ->
           queue?out;
           if
           :: out < number -> out = NOTHING
           :: else
           fi
       }
    :: d_step { out > number -> next!out; out = NOTHING }
    :: d_step { out == number -> leaders++; assert(leaders == 1 && out == SIZE); out = NOTHING }
    od
}

active proctype ring() {
    byte told = 0;
end:
    do
    :: d_step { told < SIZE -> queues[told]!NEIGHBOUR; told++ }
    od
}
