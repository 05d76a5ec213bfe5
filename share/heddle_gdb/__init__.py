"""gdb at the replay of a Heddle trace: steps of the schedule, tasks, locks.

`heddle replay TRACE --gdb` starts gdb with this package. The schedule comes from the trace, by a file in
memory (trace.py); where the program is comes from a variable of the runtime (program.py). So neither the
program nor the runtime needs debug information for this.

A step is an event of the schedule, by the number that it has in the report. To be at a step means that
its task has been chosen, and that the event is about to happen. To go back, the program is run again
up to there (replay.py): the same decisions give the same execution.

Tasks are fibers on one thread, so gdb knows one stack only; frames.py shows the others. commands.py has
the commands.

Left out: thread-local variables of a task that does not run (gdb asks the thread, and there is but one).
"""

import os

import gdb

from .commands import install
from .replay import Replay
from .trace import Trace


def start(trace_descriptor, session_descriptor, step_signal):
    """Called by the tool, with two files that it has left open. Neither is for the program, whose own
    descriptors must be what they were."""
    os.set_inheritable(session_descriptor, False)
    with os.fdopen(trace_descriptor, encoding="utf-8", errors="replace") as file:
        file.seek(0)
        install(Replay(Trace(file.readlines())))
    # Signals with which the runtime works are none of the user's business. Pages that are saved lazily are
    # noticed by SIGSEGV; a real one is a finding.
    gdb.execute("handle SIGSEGV SIGBUS SIG%d nostop noprint pass" % step_signal, to_string=True)
