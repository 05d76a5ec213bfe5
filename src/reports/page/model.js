// model.js - the data of a trace, in the form that the views need. Nothing here knows the document.
import { basename } from "./dom.js";

/** The finding, as rows after the last event, in the order of the text report. */
function endingRows(finding) {
  if (!finding) return [];
  if (finding.waits.length)
    return finding.waits.map((wait) => ({
      task: wait.task, text: `blocked: ${wait.operation}`, stack: wait.stack, ending: true,
    }));
  return finding.stacks
    .map((stack, at) => {
      const own = at > 0 || finding.stacks.length > 1 ? stack.title : "";
      const text = [at === 0 ? finding.title : "", own].filter(Boolean).join(": ");
      return { task: stack.task, text, stack: stack.stack, ending: true };
    })
    .filter((row) => row.task !== null)
    .reverse();
}

/** Overlapping bands stand side by side: each one gets the first free slot of its lane. */
function assignSlots(spans) {
  const ends = new Map();
  for (const span of spans) {
    if (span.kind === "waiting") continue;
    if (!ends.has(span.task)) ends.set(span.task, []);
    const free = ends.get(span.task);
    let slot = free.findIndex((end) => end <= span.from);
    if (slot < 0) slot = free.length;
    free[slot] = span.to;
    span.slot = slot;
  }
}

function groupBy(items, key) {
  const groups = new Map();
  for (const item of items) {
    const name = key(item);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(item);
  }
  return groups;
}

/** One execution: events, then the rows of the finding. A row is identified by its index. */
class Schedule {
  constructor(data, trace, finding, passing) {
    this.trace = trace;
    this.passing = passing;
    this.eventCount = data.events.length;
    this.rows = [...data.events, ...endingRows(finding)];
    this.arrows = data.arrows.map(([from, to, kind]) => ({ from, to, kind }));
    this.ordered = data.ordered;
    this.switches = data.switches;
    this.spans = data.spans;
    assignSlots(this.spans);
    this.spansOf = groupBy(this.spans, (span) => span.task);
    this.arrowsTo = groupBy(this.arrows, (arrow) => arrow.to);
    this.arrowsFrom = groupBy(this.arrows, (arrow) => arrow.from);
    this.raceSets = new Map(data.race_sets.map(([receive, ...sends]) => [receive, sends]));
    this.ofTask = new Map();
    this.rows.forEach((row, at) => {
      if (!this.ofTask.has(row.task)) this.ofTask.set(row.task, []);
      this.ofTask.get(row.task).push(at);
    });
  }

  /** The number of the step, such as "7", or the text for a row of the finding. */
  step(row) {
    return row < this.eventCount ? String(row + 1) : "!";
  }

  isSwitch(row) {
    return row > 0 && row < this.eventCount && this.rows[row].task !== this.rows[row - 1].task;
  }

  /** The previous or next row of the same task, or the row itself. */
  neighbour(row, direction) {
    const own = this.ofTask.get(this.rows[row].task);
    return own[own.indexOf(row) + direction] ?? row;
  }

  place(row) {
    const { place, stack } = this.rows[row];
    return place !== undefined ? this.trace.frames[place] : this.trace.placeOf(stack);
  }

  /** The locks that any task holds after the row. */
  heldAfter(row) {
    return this.spans.filter((span) => span.kind !== "waiting" && span.from <= row && row < span.to);
  }

  waitingAfter(row) {
    return this.spans.filter((span) => span.kind === "waiting" && span.from <= row && row < span.to);
  }

  /** All texts that a search looks at, in lower case. */
  words(row) {
    const entry = this.rows[row];
    if (entry.words === undefined) {
      const frame = this.place(row);
      const place = frame ? `${frame.function} ${basename(frame.file)}:${frame.line} ${frame.source}` : "";
      entry.words = `${this.trace.taskName(entry.task)} ${entry.text} ${entry.object ?? ""} ${place}`.toLowerCase();
    }
    return entry.words;
  }
}

/** The first row in which two executions differ, or -1. */
function firstDifference(a, b) {
  const count = Math.max(a.eventCount, b.eventCount);
  for (let i = 0; i < count; i++) {
    const x = i < a.eventCount ? a.rows[i] : null, y = i < b.eventCount ? b.rows[i] : null;
    if (!x || !y || x.task !== y.task || x.text !== y.text) return i;
  }
  return -1;
}

export class Trace {
  constructor(data) {
    Object.assign(this, data);
    this.schedules = data.schedules.map(
      (schedule, at) => new Schedule(schedule, this, at === 0 ? data.finding : null, at > 0));
    this.difference = this.schedules.length > 1 ? firstDifference(...this.schedules) : -1;
    this.lanes = this.findLanes();
    this.laneOf = new Map(this.lanes.map((task, lane) => [task, lane]));
    this.colours = this.findColours();
    this.mainFile = data.finding?.place?.file ?? this.failing.rows.map((_, row) => this.failing.place(row)?.file).find(Boolean) ?? "";
  }

  get failing() {
    return this.schedules[0];
  }

  /** Only tasks with an event have a lane; both executions have the same lanes. */
  findLanes() {
    const tasks = new Set(this.schedules.flatMap((schedule) => [...schedule.ofTask.keys()]));
    return [...tasks].sort((a, b) => a - b);
  }

  /** Gives each object a colour, in the order in which the objects are first held. */
  findColours() {
    const objects = new Set(this.schedules.flatMap(
      (schedule) => schedule.spans.filter((span) => span.kind !== "waiting").map((span) => span.object)));
    return new Map([...objects].map((object, at) => [object, at % 8]));
  }

  taskName(task) {
    const name = this.tasks[task]?.function;
    return name ? `T${task} (${name})` : `T${task}`;
  }

  /** "12" for the file with most of the events, "other.c:12" for other files. */
  shortLine(frame) {
    if (!frame?.line) return "";
    return frame.file === this.mainFile ? String(frame.line) : `${basename(frame.file)}:${frame.line}`;
  }

  stackFrames(stack) {
    return stack ? this.stacks[stack - 1].map((frame) => this.frames[frame]) : [];
  }

  /** The frame that a user would call the place: the innermost one in the user's own code. */
  placeOf(stack) {
    const frames = this.stackFrames(stack);
    return frames.find((frame) => frame.own) ?? frames[0] ?? null;
  }

  /** Shortens a path: below the directory of the run it is relative, otherwise only the name is
   * shown. */
  shortPath(path) {
    const below = this.directory.length > 1 && path.startsWith(`${this.directory}/`);
    return below ? path.slice(this.directory.length + 1) : basename(path);
  }
}
