"""Frames: which ones are the user's, and the frames of tasks that do not run.

Tasks are fibers on one thread, so gdb knows only one stack. To show another one, an unwinder tells gdb
that the innermost frame was called by the frame in which that task stands. Registers are not changed, so
nothing has to be restored before the program goes on."""

import os

import gdb
import gdb.unwinder

from .program import STOP

FRAMES = 100  # the number of frames that are searched for one of the user


def stack_pointer(frame):
    return int(frame.read_register("rsp"))


def is_runtime(path):
    return os.path.basename(path).startswith("libheddle.so")


def library_of(frame):
    return gdb.current_progspace().solib_name(frame.pc()) or ""


def is_ours(frame):
    return is_runtime(library_of(frame))


def is_own_code(frame):
    """Code of the user, as trace_own_code() in the tool defines it. The C library may have debug information."""
    symtab, library = frame.find_sal().symtab, library_of(frame)
    if symtab is None or is_runtime(library):
        return False
    return not symtab.filename.startswith("/usr/") and not library.startswith(("/usr/", "/lib"))


def is_in_program(frame):
    return library_of(frame) == "" and frame.name() is not None


def outwards(frame):
    for _ in range(FRAMES):
        if frame is None:
            return
        yield frame
        frame = frame.older()


def place_in(frame):
    """The frame that a user would call the place: in own code, or, without debug information, in the program.
    None if there is no such frame."""
    for is_place in (is_own_code, is_in_program):
        place = next((candidate for candidate in outwards(frame) if is_place(candidate)), None)
        if place is not None:
            return place
    return None


def in_stop():
    """True if the runtime has called heddle_debugger_stop, and nothing has moved since."""
    return gdb.newest_frame().name() == STOP


class FrameId:
    def __init__(self, sp, pc):
        pointer = gdb.lookup_type("void").pointer()
        self.sp, self.pc = gdb.Value(sp).cast(pointer), gdb.Value(pc).cast(pointer)


class TaskUnwinder(gdb.unwinder.Unwinder):
    """Makes the frame in which a task stands the caller of the frame that is really the innermost."""

    LOWEST = 16  # a stack address for the innermost frame: gdb wants callers to have higher addresses

    def __init__(self):
        super().__init__("heddle")
        self.task = None  # the task whose stack is shown, or None for the running task
        self.real = None  # the innermost frame: (stack pointer, pc)
        gdb.unwinder.register_unwinder(None, self, replace=True)

    def show(self, task):
        self.task = None
        gdb.invalidate_cached_frames()
        if task is None:
            return
        frame = gdb.newest_frame()
        while frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        self.real = (stack_pointer(frame), frame.pc())
        self.task = task
        gdb.invalidate_cached_frames()

    def __call__(self, pending):
        if self.task is None:
            return None
        here = (int(pending.read_register("rsp")), int(pending.read_register("rip")))
        if here != self.real:
            return None
        info = pending.create_unwind_info(FrameId(self.LOWEST, here[1]))
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
    """Hides the frames of Heddle in a back trace, unless there are no others."""

    def __init__(self, unwinder):
        self.name, self.priority, self.enabled = "heddle", 100, True
        self.unwinder = unwinder
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        first = self.unwinder.first_frame().level()
        ours, others = [], False
        for frame in frames:
            if frame.inferior_frame().level() < first:
                continue
            if is_ours(frame.inferior_frame()):
                ours.append(frame)
            else:
                others = True
                yield frame
        if not others:
            yield from ours
