#!/usr/bin/env python3
"""random_failures.py - random programs that fail in plain code, and what every strategy finds in them.

    random_failures.py HEDDLE SEED COUNT

Each program has up to three tasks. They use plain and atomic variables, a mutex, assertions on all of these, exits,
aborts, assumptions, a pointer that may be null, and atomic sections. With --keep-going

  - every reduction must find the same failures as the unreduced search, or a data race if the unreduced search finds
    one. Without a race, both must have the same number of final states. (This does not hold for observers, which
    leaves out final states that no task can see.)
  - the unreduced search must find all failures that it finds with plain accesses as operations, unless there is a race.

The script prints the number of programs of each kind. The exit code is 1 if anything differs."""

import json
import os
import random
import subprocess
import sys
import tempfile

REDUCTIONS = ["optimal", "source", "classic", "observers", "persistent"]

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <heddle/heddle.h>

static int x, y, v;
static int *pointer;
static atomic_int f, g;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
"""


def statement(draw):
    plain, atomic = draw.choice("xy"), draw.choice("fg")
    compare, value = draw.choice(["==", "!="]), draw.randint(0, 1)
    under_lock = draw.choice(["v++;", "assert(v == 0);", "v = 1;", "assert(v != 1);"])
    in_section = draw.choice(["assert(v == 0);", "atomic_fetch_add(&f, 1);", "assert(atomic_load(&f) != 1);"])
    end = draw.choice([f"exit({value});", "_exit(0);", "abort();", "if (atomic_load(&f)) exit(0);"])
    weighted = [
        (16, f"{plain} = {value + 1};"),
        (20, f"assert({plain} {compare} {value});"),
        (14, f"atomic_store(&{atomic}, {value + 1});"),
        (12, f"if (atomic_load(&{atomic}) == {value}) {plain} = 1;"),
        (10, f"assert(atomic_load(&{atomic}) {compare} {value});"),
        (12, f"pthread_mutex_lock(&mutex); {under_lock} pthread_mutex_unlock(&mutex);"),
        (4, f"heddle_assume(atomic_load(&{atomic}) == {value});"),
        (4, end),
        (4, draw.choice(["pointer = &v;", "*pointer = 1;"])),
        (4, f"heddle_atomic_begin(); {in_section} heddle_atomic_end();"),
    ]
    return draw.choices([text for _, text in weighted], [weight for weight, _ in weighted])[0]


def body(lines):
    return "".join(f"    {line}\n" for line in lines)


def program(draw):
    threads = draw.choice([1, 2, 2])
    text = HEAD
    main = ["pthread_t threads[2];"]
    for thread in range(threads):
        lines = [statement(draw) for _ in range(draw.randint(1, 3))]
        text += f"\nstatic void *thread_{thread}(void *unused) {{\n{body(lines)}    return unused;\n}}\n"
        main.append(f"pthread_create(&threads[{thread}], 0, thread_{thread}, 0);")
        main += [statement(draw)] * (draw.random() < 0.5)
    main += [statement(draw) for _ in range(draw.randint(0, 2))]
    if draw.random() < 0.7:
        main += [f"pthread_join(threads[{thread}], 0);" for thread in range(threads)]
    main += ["assert(v == 0);"] * (draw.random() < 0.3)
    return f"{text}\nint main(void) {{\n{body(main)}    return 0;\n}}\n"


class Result:
    def __init__(self, heddle, *options):
        command = [heddle, "run", "--keep-going", "--final-states", "--minimise=off", "--timeout=600", "--trace=t.trace",
                   "--json=t.json", *options, "./t"]
        code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
        if not os.path.exists("t.json"):
            sys.exit(f"FAILED: {command}: exit code {code}, and no result")
        with open("t.json", encoding="utf-8") as file:
            self.json = json.load(file)
        os.remove("t.json")
        executions = sum(count for name, count in self.json.items() if name.endswith("executions"))
        if self.json["exit_code"] != code or executions == 0:
            sys.exit(f"FAILED: {command}: exit code {code}, but this is the result: {self.json}")
        found = {(each["kind"], (each["place"] or {}).get("line")) for each in self.json["findings"]}
        self.failures = {each for each in found if each[0] != "data-race"}
        self.races = found != self.failures

    def same(self, other, counts_states):
        if self.races or other.races:
            return self.races and other.races
        keys = ["verdict", "complete"] + ["final_states"] * counts_states
        return self.failures == other.failures and all(self.json[key] == other.json[key] for key in keys)

    def __str__(self):
        keys = ["verdict", "complete", "executions", "final_states"]
        return f"{[self.json[key] for key in keys]} {sorted(self.failures, key=str)} races: {self.races}"


def compare(heddle, number):
    """Returns the result of the unreduced search for one program, and a list of differences from it."""
    if subprocess.run([heddle, "cc", "-g", "-O1", "-o", "t", "t.c"], check=False).returncode != 0:
        return None, [f"{number}: does not compile"]
    unreduced = Result(heddle, "--strategy=dfs")
    different = []
    for strategy in REDUCTIONS:
        reduced = Result(heddle, f"--strategy={strategy}")
        if not reduced.same(unreduced, strategy != "observers"):
            different.append(f"{number}: {strategy}: {reduced}, but dfs: {unreduced}")
    explored = Result(heddle, "--strategy=dfs", "--races=explore", "--max-executions=20000")
    if not unreduced.races and not explored.failures <= unreduced.failures:
        different.append(f"{number}: dfs: {unreduced}, but with plain accesses as operations: {explored}")
    return unreduced, different


def main():
    heddle, seed, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    failing = racing = 0
    different = []
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for number in range(seed * 100000, seed * 100000 + count):
            text = program(random.Random(number))
            with open("t.c", "w", encoding="utf-8") as file:
                file.write(text)
            unreduced, these = compare(heddle, number)
            failing += unreduced is not None and len(unreduced.failures) > 0
            racing += unreduced is not None and unreduced.races
            if these:
                print("\n".join(these + [text]))
            different += these
        os.chdir("/")
    print(f"{count} programs: {failing} with failures, {racing} with data races; {len(different)} differences")
    if different or not count // 4 <= failing < count:
        print("FAILED: there are differences, or too few or too many programs with failures")
        return 1
    return 0


sys.exit(main())
