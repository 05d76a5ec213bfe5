"""The commands. The docstring of each is what `help heddle NAME' prints."""

import os

import gdb

from .frames import place_in
from .program import ENDED, LIVE, LOCKS, NEW, NOBODY, is_alive, program
from .replay import NOTHING_OF_YOURS, StepBreakpoint, step_breakpoints

AROUND = 8  # how many steps `heddle schedule' shows before and after the current one


def number(argument, otherwise=None, least=None):
    try:
        value = int(gdb.parse_and_eval(argument)) if argument else otherwise
    except (gdb.error, ValueError):
        value = None
    if value is None:
        raise gdb.GdbError("A number is needed.")
    if least is not None and value < least:
        raise gdb.GdbError("A number from %d on is needed." % least)
    return value


class Kept:
    """Restores the task and the frame that are shown, when the block ends."""

    def __init__(self, replay):
        self.replay = replay

    def __enter__(self):
        self.task = self.replay.shown(program())
        self.level = gdb.selected_frame().level()

    def __exit__(self, *_):
        if self.task is None or not self.replay.select(self.task.number):
            self.replay.unwinder.show(None)
        frame = gdb.newest_frame()
        while frame.level() < self.level:
            frame = frame.older()
        frame.select()


class Commands:
    def __init__(self, replay):
        self.replay, self.trace = replay, replay.trace

    # --- steps

    def next(self, argument):
        """Go to the next step of the schedule, or N steps on.
Usage: heddle next [N]
A breakpoint on the way stops the program there."""
        self.replay.forwards(number(argument, otherwise=1, least=1))

    def previous(self, argument):
        """Go to the step before this one, or N steps back.
Usage: heddle previous [N]
If a step has begun, its beginning is the first step back. The program is run again up to that step, without
stopping at breakpoints, and prints its output again."""
        count = number(argument, otherwise=1, least=1)
        at, about = self.replay.position() if is_alive() else (self.trace.last, False)
        self.replay.goto(at - count if about else at - count + 1)

    def goto(self, argument):
        """Go to where step N is about to happen.
Usage: heddle goto N
To go back, the program is run again. It does not stop at breakpoints on the way."""
        self.replay.goto(number(argument))

    def break_(self, argument):
        """Stop whenever step N is about to happen.
Usage: heddle break [N]
These are breakpoints of gdb: `delete', `disable', `commands' and the like work on them. Without a number,
lists them with their steps."""
        if argument:
            step = number(argument)
            self.replay.require(step)
            StepBreakpoint(step)
            print("Stops when step %d is about to happen: %s" % (step, self.trace.step(step)))
            return
        for breakpoint in step_breakpoints():
            disabled = "" if breakpoint.enabled else " (disabled)"
            text = self.trace.step(breakpoint.step)
            print("Breakpoint %d%s: step %d, %s" % (breakpoint.number, disabled, breakpoint.step, text))

    def schedule(self, argument):
        """Print the steps around the current one, or around step N.
Usage: heddle schedule [N]
`=>' marks a step that is about to happen, `->' a step that has begun."""
        last = self.trace.last
        at, about = self.replay.position() if is_alive() else (last + 1, False)
        middle = number(argument, otherwise=at)
        for step in range(max(1, middle - AROUND), min(last, middle + AROUND) + 1):
            mark = "  " if step != at else "=>" if about else "->"
            print("%s %5d  %s" % (mark, step, self.trace.step(step)))
        if middle + AROUND >= last:
            print("       !  %s" % (self.trace.finding or "nothing is wrong"))

    def finding(self, _):
        """Print the report: what is wrong in this trace.
Usage: heddle finding"""
        gdb.write(self.trace.report)

    # --- tasks

    def tasks(self, _):
        """List the tasks, what each one does, and where.
Usage: heddle tasks
A star marks the task whose stack is shown."""
        here = program()
        shown, running = self.replay.shown(here), self.replay.running(here)
        with Kept(self.replay):
            for task in here.tasks():
                star = "*" if shown is not None and task.number == shown.number else " "
                runs = running is not None and task.number == running.number
                state = "runs" if runs else self.describe_state(task)
                print("%s %s %s%s" % (star, self.trace.task(task.number), state, self.describe_place(task, runs)))

    def describe_state(self, task):
        if task.state == ENDED:
            return "has ended"
        if task.state == NEW:
            return "is new"
        text = "%s: %s" % ("stands before" if task.enabled else "waits", self.describe_operation(task))
        held = task.holder != NOBODY and task.object != 0
        return "%s, held by %s" % (text, self.trace.task(task.holder)) if held else text

    def describe_operation(self, task):
        text = self.trace.operations[task.kind]
        if text == "join":
            return "%s %s" % (text, self.trace.task(task.target))
        return "%s %s" % (text, self.trace.object(task.object)) if task.object else text

    def describe_place(self, task, runs):
        """The place of a task, from its stack, or else from its operation."""
        place = None
        if runs or task.stands:
            self.replay.select(task.number)
            frame = place_in(self.replay.unwinder.first_frame())
            place = frame.find_sal() if frame is not None else None
        elif task.state == LIVE and task.pc:
            place = gdb.find_pc_line(task.pc - 1)
        if place is None or place.symtab is None:
            return ""
        return ", %s:%d" % (os.path.basename(place.symtab.filename), place.line)

    def task(self, argument):
        """Show the stack of task N: `bt', `up', `info locals' and the like work on it.
Usage: heddle task [N]
This does not change how the program goes on. `next' and `step' run the program until that task has made
them. Without a number, prints which task is shown."""
        if argument and not self.replay.select(number(argument)):
            raise gdb.GdbError("Task %s has no stack: see `heddle tasks'." % argument)
        shown = self.replay.shown(program())
        if shown is None:
            raise gdb.GdbError("No task is running: see `heddle tasks'.")
        stands = " does not run now: thread-local variables that you print are not its own"
        print(self.trace.task(shown.number) + (stands if self.replay.unwinder.task else ""))
        if argument:
            gdb.execute("frame")

    def bt(self, argument):
        """Print the back trace of the task that is shown, of task N, or of all tasks.
Usage: heddle bt [N|all]
As `bt', without frames of Heddle itself; `bt -no-filters' shows these, too."""
        here = program()
        shown = self.replay.shown(here)
        if argument == "all":
            numbers = [task.number for task in here.tasks()]
        elif argument:
            numbers = [number(argument)]
        else:
            numbers = [shown.number] if shown is not None else []
        with Kept(self.replay):
            for task in numbers:
                self.print_stack(task)

    def print_stack(self, task):
        print("%s:" % self.trace.task(task))
        if not self.replay.select(task):
            print("  no stack")
        elif place_in(self.replay.unwinder.first_frame()) is None:
            print("  " + NOTHING_OF_YOURS)
        else:
            gdb.execute("bt")

    def locks(self, _):
        """List the locks that are held, the tasks that hold them, and the tasks that wait for them.
Usage: heddle locks"""
        here = program()
        running = self.replay.running(here)
        waiting = [task for task in here.tasks() if task.state == LIVE and task.holder != NOBODY]
        if running is not None:  # the operation of the running task may be over already
            waiting = [task for task in waiting if task.number != running.number]
        for lock in here.locks():
            holder = self.trace.task(lock.holder)
            often = ", %d times" % lock.count if lock.count > 1 else ""
            print("%s %s: held by %s%s" % (lock.kind, self.trace.object(lock.address), holder, often))
            for task in waiting:
                if lock.address in (task.object, task.object2):
                    print("  %s waits for it" % self.trace.task(task.number))
        if here.lock_count == 0:
            print("No lock is held.")
        elif here.lock_count > LOCKS:
            print("... and %d more" % (here.lock_count - LOCKS))


class Prefix(gdb.Command):
    """The schedule of the replay, its tasks and its locks.
A step is an event of the schedule, with its number in the report. Tasks have the numbers of the report."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING, gdb.COMPLETE_COMMAND, True)


class Command(gdb.Command):
    def __init__(self, name, kind, function):
        self.__doc__ = function.__doc__
        self.function = function
        super().__init__("heddle " + name, kind)

    def invoke(self, argument, _):
        self.function(argument.strip())


class Hook(gdb.Command):
    """Runs before a command of gdb. If it fails, the command does not run. The hook `stop' runs at every stop."""

    def __init__(self, before, function):
        self.function = function
        super().__init__("heddle-before-" + before, gdb.COMMAND_OBSCURE)
        gdb.execute("define hook-%s\nheddle-before-%s\nend" % (before, before))

    def invoke(self, *_):
        self.function()


def install(replay):
    commands = Commands(replay)
    Prefix()
    Command("next", gdb.COMMAND_RUNNING, commands.next)
    Command("previous", gdb.COMMAND_RUNNING, commands.previous)
    Command("goto", gdb.COMMAND_RUNNING, commands.goto)
    Command("break", gdb.COMMAND_BREAKPOINTS, commands.break_)
    Command("schedule", gdb.COMMAND_STATUS, commands.schedule)
    Command("finding", gdb.COMMAND_STATUS, commands.finding)
    Command("tasks", gdb.COMMAND_STACK, commands.tasks)
    Command("task", gdb.COMMAND_STACK, commands.task)
    Command("bt", gdb.COMMAND_STACK, commands.bt)
    Command("locks", gdb.COMMAND_STATUS, commands.locks)
    Hook("stop", replay.on_stop)
    Hook("step", replay.leave_runtime)
    Hook("next", replay.leave_runtime)
    gdb.execute("skip -gfi */src/substrates/native/*.c", to_string=True)
