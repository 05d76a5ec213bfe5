"""The program in the debugger: where it is, and how it gets to other steps of the schedule."""

import struct

import gdb

from .frames import (
    FrameFilter,
    TaskUnwinder,
    in_stop,
    is_ours,
    is_runtime,
    outwards,
    place_in,
    stack_pointer,
)
from .program import END, EVENT, FINDING, RETURN, STOP, Program, is_alive, program

NOTHING_OF_YOURS = "None of your code is on the stack now."
HELP = "Type `heddle previous' to go back a step, `heddle tasks' for the tasks, `help heddle' for more."
NO_MORE = "The execution ends here. `heddle previous' goes back."


class StopBreakpoint(gdb.Breakpoint):
    """The place where the runtime calls the debugger. Here and below, gdb prints nothing at the stop: on_stop does."""

    def __init__(self, replay):
        super().__init__(STOP, internal=True)
        self.silent = True
        self.replay = replay

    def stop(self):
        return self.replay.stops(Program())


class StepBreakpoint(gdb.Breakpoint):
    """`heddle break N': one of the user's breakpoints, which can be disabled, deleted and so on."""

    def __init__(self, step):
        self.step = step
        super().__init__(STOP)
        self.silent = True

    def stop(self):
        here = Program()
        return here.reason == EVENT and here.event == self.step


class ReturnBreakpoint(gdb.Breakpoint):
    """The place where a task goes on after a call. Other tasks run the same code, on other stacks."""

    def __init__(self, sp, pc):
        self.sp = sp
        super().__init__("*%d" % pc, internal=True, temporary=True)
        self.silent = True

    def stop(self):
        return stack_pointer(gdb.newest_frame()) == self.sp


def step_breakpoints():
    return [breakpoint for breakpoint in gdb.breakpoints() if isinstance(breakpoint, StepBreakpoint)]


class Replay:
    def __init__(self, trace):
        self.trace = trace
        self.target = None  # the step to which the program is going
        self.ended = ""  # how the last execution differed from the recorded one
        self.calling = False  # gdb calls a function of the program for an expression
        self.found_running = None  # the result of running() at this stop, in a list
        self.breakpoint = None
        self.unwinder = TaskUnwinder()
        FrameFilter(self.unwinder)
        events = gdb.events
        for event in (events.breakpoint_created, events.breakpoint_modified, events.breakpoint_deleted):
            event.connect(self.on_breakpoint)
        events.new_objfile.connect(self.on_library)
        events.inferior_call.connect(self.on_call)
        events.cont.connect(self.on_continue)
        events.exited.connect(self.on_exit)

    # --- events of gdb

    def on_library(self, event):
        """Sets the breakpoint as soon as its name is known. Before that, gdb would complain."""
        if self.breakpoint is None and is_runtime(event.new_objfile.filename or ""):
            self.breakpoint = StopBreakpoint(self)

    def stops(self, here):
        """The runtime has called heddle_debugger_stop. Returns whether the program stops."""
        self.ended = here.message() if here.reason == END else ""
        self.plan(here)
        if here.reason == EVENT:
            return here.event in self.wanted()
        return here.reason == FINDING or (here.reason == END and self.trace.finding is None)

    def wanted(self):
        """The steps where the program stops, besides breakpoints. An endless execution stops at its last step,
        because nothing would stop it after that, for example in a batch."""
        return [self.target] * bool(self.target) + [self.trace.last] * self.trace.endless

    def plan(self, here):
        """Tells the runtime the next step at which the program may have to stop."""
        wanted = self.wanted() + [breakpoint.step for breakpoint in step_breakpoints() if breakpoint.enabled]
        here.stop_at(min((step for step in wanted if step > here.event), default=0))

    def on_breakpoint(self, breakpoint):
        if isinstance(breakpoint, StepBreakpoint) and is_alive():
            self.plan(Program())

    def on_call(self, event):
        self.calling = isinstance(event, gdb.InferiorCallPreEvent)

    def on_continue(self, _):
        if not self.calling:
            self.unwinder.task = self.found_running = None

    def on_exit(self, event):
        self.unwinder.task = self.found_running = None
        if self.target is None and hasattr(event, "exit_code"):
            self.say_over()

    def on_stop(self):
        """Called at every stop, before gdb shows where. If the stop is in Heddle, selects the user's code instead."""
        if not is_alive() or not is_ours(gdb.newest_frame()):
            return
        if in_stop():
            self.say_stop(Program())
        else:
            (place_in(gdb.newest_frame()) or gdb.newest_frame()).select()

    def say_stop(self, here):
        """Says where the program is, because gdb says nothing at such a stop."""
        if here.reason == EVENT:
            self.say_step(here)
            self.select(here.task)
        else:
            print("heddle: %s" % (here.message() or "nothing is wrong up to here"))
            print("This is after step %d of %d. %s" % (here.event, self.trace.last, HELP))
            self.select(self.whom_to_show(here))
        if place_in(self.unwinder.first_frame()) is None:
            print(NOTHING_OF_YOURS)
        else:
            gdb.execute("frame")

    def say_step(self, here):
        trace = self.trace
        print("Step %d of %d is about to happen: %s" % (here.event, trace.last, trace.step(here.event)))
        if trace.endless and here.event == trace.last:
            print("heddle: %s" % trace.finding)
            print("That happens after this step: `continue', and interrupt the program there.")

    def say_over(self):
        how = ": " + self.ended if self.ended else ""
        print("The execution is over%s. `heddle goto N' runs it again, up to step N." % how)

    # --- where the program is

    def running(self, here):
        """The task on whose stack the program is, or None. Signal handlers have a stack of their own."""
        if self.found_running is None:
            tasks = here.tasks()
            frames = outwards(gdb.newest_frame())
            owners = (task for frame in frames for task in tasks if task.owns(stack_pointer(frame)))
            self.found_running = [next(owners, None)]
        return self.found_running[0]

    def whom_to_show(self, here):
        """The task to show at the end: the running one, else that of the finding, else the last one that moved."""
        running = self.running(here)
        if running is not None:
            return running.number
        return here.task if self.trace.finding is None else self.trace.finding_task

    def shown(self, here):
        return self.unwinder.task or self.running(here)

    def select(self, number):
        """Shows the stack of a task. Returns False if the task has none."""
        here = program()
        task = next((task for task in here.tasks() if task.number == number), None)
        running = self.running(here)
        runs = running is not None and running.number == number
        if not runs and (task is None or not task.stands):
            return False
        self.unwinder.show(None if runs else task)
        first = self.unwinder.first_frame()
        (place_in(first) or first).select()
        return True

    def position(self):
        """The step that has begun or is about to happen, and whether it is about to happen."""
        here = program()
        return here.event, here.reason == EVENT and in_stop()

    def at_end(self):
        return in_stop() and Program().reason in (FINDING, END)

    # --- how the program gets to another step

    def require(self, step):
        if not 1 <= step <= self.trace.last:
            raise gdb.GdbError("There is no step %d: the schedule has steps 1 to %d." % (step, self.trace.last))

    def forwards(self, count):
        """Goes `count` steps forwards. A breakpoint on the way stops the program there."""
        at, _ = self.position()
        if self.at_end():
            raise gdb.GdbError(NO_MORE)
        if self.trace.endless and at + count > self.trace.last:
            raise gdb.GdbError("The last step does not end: `continue', and interrupt the program.")
        self.resume(at + count, "continue")

    def goto(self, step):
        """Goes to a step, without stopping at the user's breakpoints."""
        self.require(step)
        at, about = self.position() if is_alive() else (self.trace.last + 1, False)
        if step == at and about:
            self.on_stop()
            return
        kept = [breakpoint for breakpoint in gdb.breakpoints() if breakpoint.number > 0 and breakpoint.enabled]
        for breakpoint in kept:
            breakpoint.enabled = False
        try:
            self.resume(step, "continue" if step > at else "run")
        finally:
            for breakpoint in kept:
                if breakpoint.is_valid():
                    breakpoint.enabled = True

    def resume(self, target, command):
        self.target = target
        if is_alive():
            self.plan(Program())
        try:
            gdb.execute(command, to_string=True)  # to_string also hides what on_stop prints
        finally:
            self.target = None
        if is_alive():
            self.on_stop()
        else:
            self.say_over()

    def leave_runtime(self):
        """Runs before `step' and `next': goes to where the operation has happened and the task continues in the
        user's code, so that these commands go from line to line."""
        if not is_alive() or not (is_ours(gdb.newest_frame()) or self.unwinder.task):
            return
        if self.at_end():
            raise gdb.GdbError(NO_MORE)
        place = place_in(self.unwinder.first_frame())
        if place is None:
            raise gdb.GdbError(NOTHING_OF_YOURS + " Try `heddle next', or a breakpoint.")
        goes_on = (stack_pointer(place), place.pc())
        breakpoint = ReturnBreakpoint(*goes_on)
        gdb.execute("continue", to_string=True)
        if breakpoint.is_valid():
            breakpoint.delete()
            self.on_stop()
            raise gdb.GdbError("The program stopped on the way." if is_alive() else "The program ended on the way.")
        call_is_about_to_return(*goes_on)


def call_is_about_to_return(sp, pc):
    """Puts the program one instruction back, at a return. Then gdb does what it does at the end of a function,
    and does not miss a line that begins right after the call."""
    gdb.selected_inferior().write_memory(sp - 8, struct.pack("<Q", pc))
    gdb.execute("set $rsp = %d" % (sp - 8))
    gdb.execute("set $pc = (unsigned long)&%s" % RETURN)
