"""check_sarif.py FILE RESULTS - checks that a file is SARIF, and that its content is true.

The file is checked by the schema beside this script, which follows the text of the standard and allows no
more than Heddle writes; and by the official schema, if SARIF_SCHEMA names it. Then come checks that no
schema can express: the schedule in the code flows is that of the trace, and every place exists."""
import json
import os
import sys
import urllib.parse

import jsonschema

STEPS_MAX = 9000  # only the end of a longer schedule is written


def fail(text):
    sys.exit(f"{sys.argv[1]}: {text}")


def each(value, key):
    """All values of that key, at any depth."""
    if isinstance(value, dict):
        if key in value:
            yield value[key]
        for inner in value.values():
            yield from each(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from each(inner, key)


def path_of(run, location):
    uri = location["uri"]
    if "uriBaseId" in location:
        if uri.startswith(("file:", "/")):
            fail(f"{uri} is not relative")
        uri = run["originalUriBaseIds"][location["uriBaseId"]]["uri"] + uri
    if not uri.startswith("file:///"):
        fail(f"{uri} leads nowhere")
    return urllib.parse.unquote_to_bytes(uri[len("file://"):])


def check_place(run, place):
    location = place["artifactLocation"]
    path = path_of(run, location)
    if not os.path.exists(path):
        fail(f"there is no {path}")
    if path_of(run, run["artifacts"][location["index"]]["location"]) != path:
        fail(f"{path} has another index")
    region = place.get("region")
    if region and "snippet" in region:
        with open(path, encoding="utf-8", errors="replace") as source:
            line = source.read().split("\n")[region["startLine"] - 1]
        if " ".join(line.split()) != " ".join(region["snippet"]["text"].split()):
            fail(f"{path}:{region['startLine']} is '{line}', not '{region['snippet']['text']}'")


def tasks_in_trace(path):
    with open(path, "rb") as trace:
        fields = [line.rstrip(b"\n").split(b"\t") for line in trace]
    return [int(line[1]) for line in fields if line[0] == b"event"]


def check_schedule(result):
    steps = []
    for flow in result["codeFlows"][0]["threadFlows"]:
        orders = [step["executionOrder"] for step in flow["locations"]]
        if orders != sorted(orders):
            fail(f"{flow['id']}: steps out of order")
        steps += [(order, int(flow["id"][1:])) for order in orders]
    steps.sort()
    count = result["properties"]["steps"]
    left_out = max(count - STEPS_MAX, 0)
    if [order for order, _ in steps] != list(range(left_out + 1, left_out + len(steps) + 1)):
        fail("the execution orders are not 1, 2, 3, ..., without what is left out")
    if "trace" in result["properties"]:
        expected = tasks_in_trace(result["properties"]["trace"])[left_out:count]
        if [task for _, task in steps[:count - left_out]] != expected:
            fail("the thread flows are not the schedule of the trace")
        if len(steps) <= count - left_out:
            fail("no step is where it failed")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        log = json.load(file)
    schemas = [os.path.join(os.path.dirname(__file__), "sarif.schema.json")]
    schemas += filter(None, [os.environ.get("SARIF_SCHEMA")])
    for name in schemas:
        with open(name, encoding="utf-8") as schema:
            jsonschema.validate(log, json.load(schema))
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    if len(run["results"]) != int(sys.argv[2]):
        fail(f"{len(run['results'])} results, not {sys.argv[2]}")
    for place in each(run["results"], "physicalLocation"):
        check_place(run, place)
    for result in run["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"]:
            fail("ruleIndex is another rule than ruleId")
        check_schedule(result)


main()
