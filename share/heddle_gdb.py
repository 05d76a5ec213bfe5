"""heddle_gdb.py - gdb at the replay of a Heddle trace: steps of the schedule, tasks, locks.

`heddle replay TRACE --gdb` starts gdb with this file. The schedule comes from the trace, by a file in
memory (src/cli/debugger_trace.c); where the program is comes from the variable `heddle_debugger` of
the runtime, read byte by byte (src/engine/debugger.h). So neither the program nor the runtime needs
debug information for this.

A step is an event of the schedule, by the number that it has in the report. To be at a step means that
its task has been chosen, and that the event is about to happen. To go back, the program is run again
up to there: the same decisions give the same execution.

Tasks are fibers on one thread, so gdb knows one stack only. To show another one, an unwinder says that
the innermost frame was called by the frame in which that task stands. Registers are not touched, and
nothing has to be put back before the program goes on.

Left out: thread-local variables of other tasks (gdb asks the thread, of which there is one), and
descriptors of the program other than by running it again: what it prints, it prints again.
"""

import os
import struct

import gdb
import gdb.unwinder

VERSION = 1
STOP, RETURN = "heddle_debugger_stop", "heddle_debugger_return"
START, EVENT, FINDING, END = 1, 2, 3, 4  # enum debugger_reason
ABSENT, NEW, LIVE, ENDED = 0, 1, 2, 3  # enum debugger_task_state
NOBODY = 0xFFFFFFFF
REGISTERS = ("rip", "rsp", "rbp", "rbx", "r12", "r13", "r14", "r15")
AROUND = 8  # steps that `heddle schedule` shows before and after the present one
NOTHING_OF_YOURS = "None of your code is on the stack now."
HELP = "Type `heddle previous' to go back a step, `heddle tasks' for the tasks, `help heddle' for more."


# --- the trace


class Trace:
    """What the tool says about the trace: names, the schedule, the report."""

    def __init__(self, lines):
        self.finding, self.finding_task = None, None
        self.operations, self.tasks, self.events = [], [], []
        self.objects = {}
        self.report = ""
        for number, line in enumerate(lines):
            words = line.rstrip("\n").split("\t")
            if words[0] == "report":
                self.report = "".join(lines[number + 1 :])
                break
            self.add(*words)

    def add(self, what, *words):
        if what == "finding":
            self.finding_task, self.finding = int(words[0]), words[1]
        elif what == "operation":
            self.operations.append(words[0])
        elif what == "task":
            self.tasks.append(words[0])
        elif what == "object":
            self.objects[int(words[0])] = words[1]
        elif what == "event":
            self.events.append((int(words[0]), words[1], words[2]))

    def task(self, number):
        return self.tasks[number] if number < len(self.tasks) else "T%d" % number

    def object(self, address):
        if address not in self.objects:
            self.objects[address] = gdb.execute("output/a %d" % address, to_string=True)
        return self.objects[address]

    def step(self, number):
        """ "T1 (save): lock a, abba.c:22" """
        task, place, text = self.events[number - 1]
        return "%s: %s%s" % (self.task(task), text, ", " + place if place else "")


# --- the program


class Task:
    """A row of the runtime's table."""

    FORM = struct.Struct("<6I5Q8Q")

    def __init__(self, number, row):
        fields = self.FORM.unpack(row)
        self.number = number
        self.state, self.enabled, self.stands, self.holder, self.kind, self.target = fields[:6]
        self.pc, self.object, self.object2, self.stack_low, self.stack_high = fields[6:11]
        self.registers = dict(zip(REGISTERS, fields[11:]))

    def owns(self, stack_pointer):
        return self.stack_low <= stack_pointer < self.stack_high


class Lock:
    """A lock, and one who holds it."""

    FORM = struct.Struct("<QII16s")

    def __init__(self, row):
        self.address, self.holder, self.count, kind = self.FORM.unpack(row)
        self.kind = kind.split(b"\0")[0].decode()


class Program:
    """The variable `heddle_debugger` of the program, as it is now."""

    FORM = struct.Struct("<10I3Q")
    STOP_AT, LISTENS = 16, 20  # offsets of what is ours to write

    def __init__(self):
        self.address = int(gdb.parse_and_eval("(unsigned long)&heddle_debugger"))
        fields = self.FORM.unpack(self.read(self.address, self.FORM.size))
        version, self.reason, self.event, self.task = fields[:4]
        self.task_count, self.task_size, self.lock_count, self.lock_size = fields[6:10]
        self.task_table, self.lock_table, self.text = fields[10:]
        if version != VERSION:
            raise gdb.GdbError("heddle_gdb.py is of another version than libheddle.so")

    @staticmethod
    def read(address, size):
        return bytes(gdb.selected_inferior().read_memory(address, size))

    def write(self, offset, value):
        gdb.selected_inferior().write_memory(self.address + offset, struct.pack("<I", value))

    def tasks(self):
        """Those that there are, or were."""
        rows = (
            Task(number, self.read(self.task_table + number * self.task_size, self.task_size))
            for number in range(self.task_count)
        )
        return [task for task in rows if task.state != ABSENT]

    def locks(self):
        rows = min(self.lock_count, 1024)
        return [Lock(self.read(self.lock_table + i * self.lock_size, self.lock_size)) for i in range(rows)]

    def message(self):
        return gdb.Value(self.text).cast(gdb.lookup_type("char").pointer()).string(errors="replace")


def is_alive():
    return gdb.selected_inferior().pid != 0


def program():
    if not is_alive():
        raise gdb.GdbError("The program is not being run. `heddle goto N' runs it up to step N.")
    try:
        return Program()
    except gdb.error:
        raise gdb.GdbError("The program has not come to main yet: `continue', or `heddle goto N'.")


# --- frames


def stack_pointer(frame):
    return int(frame.read_register("rsp"))


def is_runtime(path):
    return path is not None and os.path.basename(path).startswith("libheddle.so")


def is_ours(frame):
    return is_runtime(gdb.current_progspace().solib_name(frame.pc()))


def is_own_code(frame):
    """Code of the user: as trace_own_code() in the tool has it."""
    symtab = frame.find_sal().symtab
    library = gdb.current_progspace().solib_name(frame.pc()) or ""
    if symtab is None or is_runtime(library):
        return False
    return not symtab.filename.startswith("/usr/") and not library.startswith(("/usr/", "/lib"))


def outwards(frame):
    while frame is not None and frame.is_valid():
        yield frame
        frame = frame.older()


def place_in(frame):
    """The frame that a user would call the place; None if there is none."""
    for _, candidate in zip(range(100), outwards(frame)):
        if is_own_code(candidate):
            return candidate
    return None


def in_stop():
    return gdb.newest_frame().name() == STOP


class FrameId:
    def __init__(self, sp, pc):
        pointer = gdb.lookup_type("void").pointer()
        self.sp, self.pc = gdb.Value(sp).cast(pointer), gdb.Value(pc).cast(pointer)


class TaskUnwinder(gdb.unwinder.Unwinder):
    """Makes the frame in which a task stands the caller of the frame that really is the innermost.
    That one gets the lowest stack address there is, since a caller's must not be lower."""

    def __init__(self):
        super().__init__("heddle")
        self.task = None  # whose stack is shown, if it is not the running one's
        self.real = None  # the innermost frame: (stack pointer, pc)

    def show(self, task):
        self.task = task
        if task is not None:
            frame = gdb.newest_frame()
            while frame.type() == gdb.INLINE_FRAME:
                frame = frame.older()
            self.real = (stack_pointer(frame), frame.pc())
        gdb.invalidate_cached_frames()

    def __call__(self, pending):
        if self.task is None:
            return None
        here = (int(pending.read_register("rsp")), int(pending.read_register("rip")))
        if here != self.real:
            return None
        info = pending.create_unwind_info(FrameId(16, here[1]))
        for name, value in self.task.registers.items():
            info.add_saved_register(name, gdb.Value(value))
        return info

    def first_frame(self):
        """The innermost frame of the stack that is shown."""
        frame = gdb.newest_frame()
        if self.task is not None:
            while stack_pointer(frame) != self.task.registers["rsp"]:
                frame = frame.older()
        return frame


class FrameFilter:
    """Keeps our own frames out of a back trace, unless there are no others."""

    def __init__(self, unwinder):
        self.name, self.priority, self.enabled = "heddle", 100, True
        self.unwinder = unwinder
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        first = self.unwinder.first_frame().level()
        hidden = []
        shown = False
        for frame in frames:
            if frame.inferior_frame().level() < first:
                continue
            if is_ours(frame.inferior_frame()):
                hidden.append(frame)
                continue
            shown = True
            yield frame
        if not shown:
            yield from hidden


# --- where to stop


class StopBreakpoint(gdb.Breakpoint):
    """Where the runtime waits for us. Here and below, gdb says nothing of the stop: on_stop does."""

    def __init__(self, replay):
        super().__init__(STOP, internal=True)
        self.silent = True
        self.replay = replay

    def stop(self):
        return self.replay.stops(Program())


class StepBreakpoint(gdb.Breakpoint):
    """`heddle break N': among the user's breakpoints, with all that can be done to these."""

    def __init__(self, step):
        self.step = step
        super().__init__(STOP)
        self.silent = True

    def stop(self):
        here = Program()
        return here.reason == EVENT and here.event == self.step


class ReturnBreakpoint(gdb.Breakpoint):
    """Where a task goes on after a call: the same code runs on other stacks, too."""

    def __init__(self, sp, pc):
        self.sp = sp
        super().__init__("*%d" % pc, internal=True, temporary=True)
        self.silent = True

    def stop(self):
        return stack_pointer(gdb.newest_frame()) == self.sp


class Replay:
    """The program in the debugger: where it is, and how it gets elsewhere."""

    def __init__(self, trace):
        self.trace = trace
        self.target = None  # the step that we are on our way to
        self.ended = None  # how the last execution ended
        self.calling = False  # a function of the program is called for an expression
        self.found_running = None  # at this stop: a list of whom running() gives
        self.unwinder = TaskUnwinder()
        gdb.unwinder.register_unwinder(None, self.unwinder, replace=True)
        FrameFilter(self.unwinder)
        self.breakpoint = None
        gdb.events.new_objfile.connect(self.on_library)
        for event in (gdb.events.breakpoint_created, gdb.events.breakpoint_modified, gdb.events.breakpoint_deleted):
            event.connect(self.plan_again)
        gdb.events.inferior_call.connect(self.on_call)
        gdb.events.cont.connect(self.on_continue)
        gdb.events.exited.connect(self.on_exit)

    # - what gdb tells us

    def on_library(self, event):
        """Not before the name is known: gdb would complain."""
        if self.breakpoint is None and is_runtime(event.new_objfile.filename):
            self.breakpoint = StopBreakpoint(self)

    def stops(self, here):
        """The runtime has called heddle_debugger_stop: does the program stop?"""
        if here.reason == START:
            self.ended = None
            here.write(Program.LISTENS, 1)
        if here.reason == END:
            self.ended = here.message()
        self.plan(here)
        return here.reason == FINDING or (here.reason == EVENT and here.event == self.target)

    def plan(self, here):
        """Tells the runtime the next step that anybody wants to see."""
        wanted = [b.step for b in gdb.breakpoints() if isinstance(b, StepBreakpoint) and b.enabled]
        wanted += [self.target] if self.target else []
        here.write(Program.STOP_AT, min((step for step in wanted if step > here.event), default=0))

    def plan_again(self, breakpoint):
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

    def say_over(self):
        print("The execution is over%s. `heddle goto N' runs it again, up to step N."
              % (": " + self.ended if self.ended else ""))

    # - where it is

    def running(self, here):
        """The task on whose stack the program is; None: on none. Signal handlers have another one."""
        if self.found_running is None:
            frames = zip(range(100), outwards(gdb.newest_frame()))
            tasks = here.tasks()
            owners = (task for _, frame in frames for task in tasks if task.owns(stack_pointer(frame)))
            self.found_running = [next(owners, None)]
        return self.found_running[0]

    def shown(self, here):
        return self.unwinder.task or self.running(here)

    def select(self, number):
        """Shows the stack of a task; False: it has none."""
        here = program()
        task = next((task for task in here.tasks() if task.number == number), None)
        running = self.running(here)
        runs = running is not None and running.number == number
        if not runs and (task is None or not task.stands):
            return False
        self.unwinder.show(None)
        if not runs:
            self.unwinder.show(task)
        first = self.unwinder.first_frame()
        (place_in(first) or first).select()
        return True

    def on_stop(self):
        """Every stop, before gdb shows where: in the user's code, if that is not where it is."""
        if not is_alive() or not in_stop():
            return
        here = Program()
        if here.reason == EVENT:
            print("Step %d of %d is about to happen: %s"
                  % (here.event, len(self.trace.events), self.trace.step(here.event)))
            self.select(here.task)
        elif here.reason == FINDING:
            print("heddle: %s\nThis is after step %d of %d. %s"
                  % (here.message(), here.event, len(self.trace.events), HELP))
            running = self.running(here)
            self.select(running.number if running else self.trace.finding_task)
        if is_own_code(gdb.selected_frame()):
            gdb.execute("frame")
        else:
            print(NOTHING_OF_YOURS)

    def position(self):
        """(the step that is under way or about to happen, whether it is about to happen)"""
        here = program()
        return here.event, here.reason == EVENT and in_stop()

    # - how it gets elsewhere

    def go(self, step, again):
        """To a step, past the user's breakpoints; from the start if that is wanted."""
        self.require(step)
        kept = [b for b in gdb.breakpoints() if b.number > 0 and b.enabled]
        for breakpoint in kept:
            breakpoint.enabled = False
        try:
            self.resume(step, "run" if again else "continue")
        finally:
            for breakpoint in kept:
                if breakpoint.is_valid():
                    breakpoint.enabled = True

    def require(self, step):
        if not 1 <= step <= len(self.trace.events):
            raise gdb.GdbError("There is no step %d: the schedule has steps 1 to %d." % (step, len(self.trace.events)))

    def resume(self, target, command):
        self.target = target
        if is_alive():
            self.plan(Program())
        try:
            gdb.execute(command, to_string=True)  # and with it, what on_stop says
        finally:
            self.target = None
        if is_alive():
            self.on_stop()
        else:
            self.say_over()

    def goto(self, step):
        self.require(step)
        if not is_alive():
            return self.go(step, again=True)
        at, about = self.position()
        if step == at and about:
            return self.on_stop()
        return self.go(step, again=step <= at)

    def leave_runtime(self):
        """Before `step' and `next': to where the operation has happened and the task goes on in the
        user's code; so these commands go from line to line."""
        if not is_alive() or not (is_ours(gdb.newest_frame()) or self.unwinder.task):
            return
        if in_stop() and Program().reason == FINDING:
            raise gdb.GdbError("The execution ends with the finding. `heddle previous' goes back.")
        place = place_in(self.unwinder.first_frame())
        if place is None:
            raise gdb.GdbError(NOTHING_OF_YOURS + " Try `heddle next', or a breakpoint.")
        goes_on = (stack_pointer(place), place.pc())
        breakpoint = ReturnBreakpoint(*goes_on)
        gdb.execute("continue", to_string=True)
        if breakpoint.is_valid():
            breakpoint.delete()
            self.on_stop()
            raise gdb.GdbError("It stopped on the way." if is_alive() else "The program ended on the way.")
        self.call_is_about_to_return(*goes_on)

    @staticmethod
    def call_is_about_to_return(sp, pc):
        """One instruction back, to a return: then what gdb does next is what it does at the end of a
        function, and it does not miss a line that begins right behind the call."""
        gdb.selected_inferior().write_memory(sp - 8, struct.pack("<Q", pc))
        gdb.execute("set $rsp = %d" % (sp - 8))
        gdb.execute("set $pc = (unsigned long)&%s" % RETURN)


replay = None


# --- the commands


def number(argument, otherwise=None):
    try:
        value = int(gdb.parse_and_eval(argument)) if argument else otherwise
    except (gdb.error, ValueError):
        value = None
    if value is None:
        raise gdb.GdbError("A number is needed.")
    return value


def do_next(argument):
    """Go to the next step of the schedule, or N steps on.
Usage: heddle next [N]
Breakpoints on the way stop it."""
    count = number(argument, 1)
    at, _ = replay.position()
    if count < 1:
        raise gdb.GdbError("A number from 1 on is needed.")
    if Program().reason == FINDING and in_stop():
        raise gdb.GdbError("The execution ends with the finding. `heddle previous' goes back.")
    replay.resume(at + count, "continue")


def do_previous(argument):
    """Go to the step before this one, or N steps back.
Usage: heddle previous [N]
If a step has begun, its beginning is the first step back. The program is run again up to there, past all
breakpoints: what it prints, it prints again."""
    count = number(argument, 1)
    if count < 1:
        raise gdb.GdbError("A number from 1 on is needed.")
    if is_alive():
        at, about = replay.position()
    else:
        at, about = len(replay.trace.events), False
    replay.goto(at - count if about else at - count + 1)


def do_goto(argument):
    """Go to where step N is about to happen.
Usage: heddle goto N
Forwards, or back by running the program again; past all breakpoints."""
    replay.goto(number(argument))


def do_break(argument):
    """Stop whenever step N is about to happen.
Usage: heddle break [N]
These are breakpoints of gdb: `delete', `disable', `commands' and the like work on them. Without a number,
lists them with their steps."""
    if argument:
        step = number(argument)
        replay.require(step)
        StepBreakpoint(step)
        print("Stops when step %d is about to happen: %s" % (step, replay.trace.step(step)))
        return
    for breakpoint in gdb.breakpoints():
        if isinstance(breakpoint, StepBreakpoint):
            print("Breakpoint %d%s: step %d, %s" % (breakpoint.number, "" if breakpoint.enabled else " (disabled)",
                                                    breakpoint.step, replay.trace.step(breakpoint.step)))


def describe_operation(task):
    trace = replay.trace
    text = trace.operations[task.kind]
    if text == "join":
        return "%s %s" % (text, trace.task(task.target))
    return "%s %s" % (text, trace.object(task.object)) if task.object else text


def describe_state(task, running):
    trace = replay.trace
    if task.state == ENDED:
        return "has ended"
    if running is not None and task.number == running.number:
        return "runs"
    if task.state == NEW:
        return "is new"
    text = "%s: %s" % ("stands before" if task.enabled else "waits", describe_operation(task))
    held = task.holder != NOBODY and task.object != 0
    return "%s, held by %s" % (text, trace.task(task.holder)) if held else text


def describe_place(task, running):
    """ " at abba.c:22", by its stack or else by its operation."""
    if task.state != LIVE:
        return ""
    if (running is not None and task.number == running.number) or task.stands:
        replay.select(task.number)
        frame = place_in(replay.unwinder.first_frame())
        place = frame.find_sal() if frame is not None else None
    else:
        place = gdb.find_pc_line(task.pc - 1) if task.pc else None
    known = place is not None and place.symtab is not None
    return ", %s:%d" % (os.path.basename(place.symtab.filename), place.line) if known else ""


class Kept:
    """The task and the frame that are selected, as they were, in the end."""

    def __enter__(self):
        shown = replay.shown(program())
        self.task = shown.number if shown is not None else None
        self.level = gdb.selected_frame().level()

    def __exit__(self, *_):
        if self.task is None or not replay.select(self.task):
            replay.unwinder.show(None)
        gdb.execute("frame level %d" % self.level, to_string=True)


def do_tasks(_):
    """List the tasks, what each is doing, and where.
Usage: heddle tasks
The one whose stack is shown has a star."""
    with Kept() as _:
        here = program()
        shown, running = replay.shown(here), replay.running(here)
        replay.unwinder.show(None)
        for task in here.tasks():
            star = "*" if shown is not None and task.number == shown.number else " "
            print("%s %s %s%s" % (star, replay.trace.task(task.number), describe_state(task, running),
                                  describe_place(task, running)))


def do_task(argument):
    """Show the stack of task N: `bt', `up', `info locals' and the like work on it.
Usage: heddle task [N]
The program goes on where it is, as if this had not been done; `next' and `step' run it until that task has
made them. Without a number, says which task is shown."""
    if argument:
        wanted = number(argument)
        if not replay.select(wanted):
            raise gdb.GdbError("Task %d has no stack: see `heddle tasks'." % wanted)
    shown = replay.shown(program())
    if shown is None:
        raise gdb.GdbError("No task is running: see `heddle tasks'.")
    stands = " does not run now: thread-local variables that you print are not its own"
    print(replay.trace.task(shown.number) + (stands if replay.unwinder.task else ""))
    if argument:
        gdb.execute("frame")


def do_bt(argument):
    """Print the back trace of the task that is shown, of task N, or of all tasks.
Usage: heddle bt [N|all]
As `bt', without frames of Heddle itself; `bt -no-filters' has these, too."""
    with Kept() as _:
        here = program()
        if argument == "all":
            numbers = [task.number for task in here.tasks()]
        elif argument:
            numbers = [number(argument)]
        else:
            shown = replay.shown(here)
            numbers = [shown.number] if shown is not None else []
        for task in numbers:
            print("%s:" % replay.trace.task(task))
            if not replay.select(task):
                print("  no stack")
            elif place_in(replay.unwinder.first_frame()) is None:
                print("  " + NOTHING_OF_YOURS)
            else:
                gdb.execute("bt")


def do_locks(_):
    """List the locks that are held, by whom, and who waits for them.
Usage: heddle locks"""
    here = program()
    trace = replay.trace
    waiting = [task for task in here.tasks() if task.state == LIVE and not task.enabled]
    for lock in here.locks():
        often = ", %d times" % lock.count if lock.count > 1 else ""
        print("%s %s: held by %s%s" % (lock.kind, trace.object(lock.address), trace.task(lock.holder), often))
        for task in waiting:
            if lock.address in (task.object, task.object2) and task.holder != NOBODY:
                print("  %s waits for it" % trace.task(task.number))
    if here.lock_count == 0:
        print("No lock is held.")
    elif here.lock_count > 1024:
        print("... and %d more" % (here.lock_count - 1024))


def do_schedule(argument):
    """Print the steps around the present one, or around step N.
Usage: heddle schedule [N]
`=>' marks the step that is about to happen, `->' one that has begun."""
    at, about = replay.position() if is_alive() else (len(replay.trace.events) + 1, False)
    middle = number(argument, at)
    last = len(replay.trace.events)
    for step in range(max(1, middle - AROUND), min(last, middle + AROUND) + 1):
        mark = "  " if step != at else "=>" if about else "->"
        print("%s %5d  %s" % (mark, step, replay.trace.step(step)))
    if middle + AROUND >= last:
        print("       !  %s" % (replay.trace.finding or "nothing is wrong"))


def do_finding(_):
    """Print the report: what is wrong in this trace.
Usage: heddle finding"""
    gdb.write(replay.trace.report)


class Command(gdb.Command):
    """One of them; the text of its function is its help."""

    def __init__(self, name, function, kind=gdb.COMMAND_RUNNING):
        self.__doc__ = function.__doc__
        self.function = function
        super().__init__("heddle " + name, kind)

    def invoke(self, argument, _):
        self.function(argument.strip())


class Hook(gdb.Command):
    """Comes before a command of gdb's own; if it fails, instead of it. `stop' comes with every stop."""

    def __init__(self, before, function):
        self.function = function
        super().__init__("heddle-before-" + before, gdb.COMMAND_OBSCURE)
        gdb.execute("define hook-%s\nheddle-before-%s\nend" % (before, before))

    def invoke(self, *_):
        self.function()


class Prefix(gdb.Command):
    """The schedule of the replay, its tasks and its locks.
A step is an event of the schedule, by its number in the report. Tasks have the numbers of the report."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING, gdb.COMPLETE_COMMAND, True)


def heddle_open(trace_descriptor, session_descriptor):
    """Called by the tool. Neither file is for the program: its own descriptors must be what they were."""
    global replay
    os.set_inheritable(session_descriptor, False)
    with os.fdopen(trace_descriptor, encoding="utf-8", errors="replace") as file:
        file.seek(0)
        replay = Replay(Trace(file.readlines()))
    Prefix()
    Command("next", do_next)
    Command("previous", do_previous)
    Command("goto", do_goto)
    Command("break", do_break, gdb.COMMAND_BREAKPOINTS)
    Command("tasks", do_tasks, gdb.COMMAND_STACK)
    Command("task", do_task, gdb.COMMAND_STACK)
    Command("bt", do_bt, gdb.COMMAND_STACK)
    Command("locks", do_locks, gdb.COMMAND_STATUS)
    Command("schedule", do_schedule, gdb.COMMAND_STATUS)
    Command("finding", do_finding, gdb.COMMAND_STATUS)
    Hook("stop", replay.on_stop)
    Hook("step", replay.leave_runtime)
    Hook("next", replay.leave_runtime)
    gdb.execute("skip -gfi */src/substrates/native/*.c", to_string=True)
