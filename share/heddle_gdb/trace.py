"""The trace, as src/cli/replay/debugger_trace.c writes it: names, the schedule, the report."""

import gdb


class Trace:
    def __init__(self, lines):
        self.finding = None  # the text of the finding, or None
        self.finding_task = None  # the task to show at the finding
        self.endless = False  # True if the last step does not end
        self.operations, self.tasks, self.events = [], [], []
        self.objects = {}
        self.report = ""
        for number, line in enumerate(lines):
            words = line.rstrip("\n").split("\t")
            if words[0] == "report":
                self.report = "".join(lines[number + 1 :])
                break
            self.add(*words)
        self.last = len(self.events)

    def add(self, what, *words):
        if what == "finding":
            self.finding_task, self.finding = int(words[0]), words[1]
        elif what == "endless":
            self.endless = True
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
        """T1 (save): lock a, abba.c:22"""
        if not 1 <= number <= self.last:
            return "not in the trace"
        task, place, text = self.events[number - 1]
        return "%s: %s%s" % (self.task(task), text, ", " + place if place else "")
