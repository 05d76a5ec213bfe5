"""gdb for the replay of a Heddle trace: steps of the schedule, tasks, locks.

`heddle replay TRACE --gdb` starts gdb with this package. The schedule comes from the trace, through a file
in memory (trace.py). The position of the program comes from a variable of the runtime (program.py). So
neither the program nor the runtime needs debug information for this.

A step is an event of the schedule, with the number that it has in the report. To be at a step means that
its task has been chosen, and that the event is about to happen. To go back, the program is run again up to
that step (replay.py): the same decisions give the same execution.

Tasks are fibers on one thread, so gdb knows only one stack; frames.py shows the others. commands.py has
the commands.

Left out: thread-local variables of a task that does not run. gdb asks the thread, and there is only one."""

import os

import gdb

from .commands import install
from .replay import Replay
from .trace import Trace


def start(trace_descriptor, session_descriptor, step_signal):
    """The tool calls this, with two files that it has left open. The program must not inherit them, because its
    own descriptors must be the same as without gdb."""
    os.set_inheritable(session_descriptor, False)
    with os.fdopen(trace_descriptor, encoding="utf-8", errors="replace") as file:
        file.seek(0)
        install(Replay(Trace(file.readlines())))
    # These signals belong to the runtime, so the user does not see them. Heddle saves pages lazily and notices writes
    # by SIGSEGV. A SIGSEGV of the program itself is a finding.
    gdb.execute("handle SIGSEGV SIGBUS SIG%d nostop noprint pass" % step_signal, to_string=True)
