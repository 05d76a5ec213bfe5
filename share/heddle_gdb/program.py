"""The program in the debugger, as the runtime describes it: src/engine/debugger.h, byte by byte."""

import struct

import gdb

VERSION = 1
STOP, RETURN = "heddle_debugger_stop", "heddle_debugger_return"
START, EVENT, FINDING, END = 1, 2, 3, 4  # enum debugger_reason
ABSENT, NEW, LIVE, ENDED = 0, 1, 2, 3  # enum debugger_task_state
NOBODY = 0xFFFFFFFF
LOCKS = 1024
REGISTERS = ("rip", "rsp", "rbp", "rbx", "r12", "r13", "r14", "r15")


class Task:
    """struct debugger_task"""

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
    """struct debugger_lock: a lock, and one task that holds it"""

    FORM = struct.Struct("<QII16s")

    def __init__(self, row):
        self.address, self.holder, self.count, kind = self.FORM.unpack(row)
        self.kind = kind.split(b"\0")[0].decode()


class Program:
    """struct debugger, as it is now"""

    FORM = struct.Struct("<10I3Q")
    STOP_AT = 16  # the offset of the only field that gdb writes

    def __init__(self):
        self.address = int(gdb.parse_and_eval("(unsigned long)&heddle_debugger"))
        fields = self.FORM.unpack(read(self.address, self.FORM.size))
        version, self.reason, self.event, self.task = fields[:4]
        self.task_count, self.task_size, self.lock_count, self.lock_size = fields[5:9]
        self.task_table, self.lock_table, self.text = fields[10:]
        if version != VERSION:
            raise gdb.GdbError("libheddle.so has another version than this extension of gdb.")

    def stop_at(self, event):
        gdb.selected_inferior().write_memory(self.address + self.STOP_AT, struct.pack("<I", event))

    def tasks(self):
        """All tasks that exist, or have ended."""
        rows = (
            Task(number, read(self.task_table + number * self.task_size, self.task_size))
            for number in range(self.task_count)
        )
        return [task for task in rows if task.state != ABSENT]

    def locks(self):
        size = self.lock_size
        return [Lock(read(self.lock_table + i * size, size)) for i in range(min(self.lock_count, LOCKS))]

    def message(self):
        return gdb.Value(self.text).cast(gdb.lookup_type("char").pointer()).string(errors="replace")


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def is_alive():
    return gdb.selected_inferior().pid != 0


def program():
    """The program, for a command. Fails with a message if there is no program."""
    if not is_alive():
        raise gdb.GdbError("The program is not being run. `heddle goto N' runs it up to step N.")
    try:
        return Program()
    except gdb.error:
        raise gdb.GdbError("The program has not come to main yet: `continue', or `heddle goto N'.")
