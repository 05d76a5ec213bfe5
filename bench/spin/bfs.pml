/* bfs.pml - programs/protocols/bfs.c as a Promela model, with exactly the same states and steps.
 *
 * One of our steps is one d_step: a node takes a message and reacts to it, or it sends what it has
 * to send first. A reaction may end two rounds, since neighbours may be one round ahead. Pulses are
 * counted: what a pulse says follows from its number and from what the node knows by now. Nodes
 * exist from the start, so the first step is the first of the network. */
#ifndef SIZE
#define SIZE 5
#endif
#define NOT_FOUND 255
#define LAST_ROUND (SIZE / 2)
#define FARTHEST (SIZE / 2)
#define START 2 /* a message that comes by no link */

/* The link by which the message comes, its round, whether the sender asks, whether it is a child. */
chan queues[SIZE] = [12] of { byte, byte, bit, bit };
byte placed;

/* What a node has just taken: no part of the state. */
hidden byte by_link, heard_round, heard_asks, heard_child;

#define queue queues[_pid]
#define before ((_pid + SIZE - 1) % SIZE)
#define after ((_pid + 1) % SIZE)
#define true_distance (_pid < SIZE - _pid -> _pid : SIZE - _pid)
#define done (round > LAST_ROUND)
#define due (2 * round + (done -> 0 : 2)) /* pulses, up to this round */
#define doubles (_pid == FARTHEST && sent % 2 == 0)
#define asks_now (distance == sent / 2)
#define child_now (asks_now && (parents & (1 << (sent % 2))) != 0)

inline deliver() {
    if
    :: sent % 2 == 0 -> queues[before]!1, sent / 2, asks_now, child_now
    :: else -> queues[after]!0, sent / 2, asks_now, child_now
    fi
}

inline finish_round() {
    children = children | heard_children;
    if
    :: distance == NOT_FOUND && asked != 0 ->
       distance = round + 1;
       parents = (asked == 3 -> 1 : asked)
    :: else
    fi;
    heard = next_heard; asked = next_asked; heard_children = next_children;
    next_heard = 0; next_asked = 0; next_children = 0;
    round++
}

inline note(from, asking, childs) {
    if
    :: (from & (1 << by_link)) != 0
    :: else ->
       from = from | (1 << by_link);
       asking = asking | (heard_asks << by_link);
       childs = childs | (heard_child << by_link)
    fi
}

inline hear() {
    assert(heard_round <= round + 1);
    if
    :: heard_round == round -> note(heard, asked, heard_children)
    :: heard_round > round -> note(next_heard, next_asked, next_children)
    :: else
    fi;
    do
    :: heard == 3 && !done -> finish_round()
    :: else -> break
    od
}

active [SIZE] proctype node() {
    byte round, sent, distance, parents, children;
    byte heard, asked, heard_children;               /* in this round: a bit for each link */
    byte next_heard, next_asked, next_children;      /* early, for the next one */
    bit again;                                       /* the pulse was sent before, and doubled */
end_off:
    d_step {
        queue??[START, 0, 0, 0] ->
        queue??START, 0, 0, 0;
        distance = (_pid == 0 -> 0 : NOT_FOUND)
    }
end_on:
    do
    :: d_step { sent < due -> deliver(); sent++; again = 0 }
    :: d_step { sent < due && doubles && !again -> deliver(); again = 1 }
    :: d_step {
           sent == due && !done && nempty(queue) ->
           queue?by_link, heard_round, heard_asks, heard_child;
           if
           :: heard_round < round
           :: else -> hear()
           fi
       }
    :: d_step {
           sent == due && done ->
           placed++;
           assert(distance == true_distance && (parents == 0) == (_pid == 0) && parents != 3);
           sent++
       }
    :: d_step { sent > due && nempty(queue) -> queue?by_link, heard_round, heard_asks, heard_child }
    od
}

active proctype network() {
    byte told;
end:
    do
    :: d_step { told < SIZE -> queues[told]!START, 0, 0, 0; told++ }
    od
}
