"""Counts the traces of a program in which threads wait for an atomic<int> of libstdc++, and main
stores and notifies all. Two executions are of one trace if they differ only in the order of
neighbouring steps that do not see each other.

    library_waits.py WAITERS

The steps are those of bits/atomic_wait.h, with one look instead of the 16 before a wait. It is a
model of that file, not of Heddle: a step is (thread, name, what it sees)."""

import sys

WAITERS = int(sys.argv[1])
ENTER, LOOK, COMPARE, SLEEP, AGAIN, LEAVE, ENDED = range(7)  # of a waiter
STORE, COUNT, WAKE, OVER = range(4)  # of main
COUNTER = {"enter", "leave", "count"}


def steps(state):
    """All steps from this state, with the state behind each."""
    at, flag, count, woken = state
    for who in range(WAITERS):
        where = at[who]
        move = lambda to: at[:who] + (to,) + at[who + 1 :]
        if where == ENTER:
            yield (who, "enter", count), (move(LOOK), flag, count + 1, woken)
        elif where in (LOOK, AGAIN):
            no = COMPARE if where == LOOK else LOOK
            yield (who, "look", flag), (move(LEAVE if flag else no), flag, count, woken)
        elif where == COMPARE:
            yield (who, "compare", flag), (move(AGAIN if flag else SLEEP), flag, count, woken)
        elif where == SLEEP and who in woken:
            yield (who, "sleep", 0), (move(AGAIN), flag, count, woken - {who})
        elif where == LEAVE:
            yield (who, "leave", count), (move(ENDED), flag, count - 1, woken)
    move = lambda to: at[:-1] + (to,)
    if at[-1] == STORE:
        yield (WAITERS, "store", 0), (move(COUNT), 1, count, woken)
    elif at[-1] == COUNT:
        yield (WAITERS, "count", count), (move(WAKE if count else OVER), flag, count, woken)
    elif at[-1] == WAKE:
        asleep = frozenset(who for who in range(WAITERS) if at[who] == SLEEP)
        yield (WAITERS, "wake", len(asleep)), (move(OVER), flag, count, woken | asleep)


def sees(a, b):
    """Whether the order of these steps of different threads can be seen."""
    names = {a[1], b[1]}
    if names & COUNTER:
        return names <= COUNTER
    if "store" in names:
        return bool(names & {"look", "compare"})
    other = a if b[1] == "wake" else b
    return "wake" in names and (other[1] == "sleep" or other[1:] == ("compare", 0))


def trace(execution):
    """Each step with the number of steps of each thread that it comes after."""
    clocks, numbered = [], []
    for step in execution:
        clock = [0] * (WAITERS + 1)
        for earlier, its in zip(execution, clocks):
            if earlier[0] == step[0] or sees(earlier, step):
                clock = [max(pair) for pair in zip(clock, its)]
        clock[step[0]] += 1
        clocks.append(clock)
        numbered.append((step, tuple(clock)))
    return frozenset(numbered)


layer, ends = {frozenset(): ((ENTER,) * WAITERS + (STORE,), 0, 0, frozenset(), ())}, 0
while layer:
    following = {}
    for *state, execution in layer.values():
        options = [(execution + (step,), after) for step, after in steps(state)]
        ends += not options
        for longer, after in options:
            following[trace(longer)] = (*after, longer)
    layer = following
print(ends)
