// finding.js - the head of the page: what is wrong, how to repeat it, and what is known about it.
import { basename, button, element, plural } from "./dom.js";
import { stackList } from "./stack.js";
import { waitGraph } from "./waits.js";

/** A command that can be copied. A page from disk may not be allowed to use the clipboard; then the
 * command is selected. */
export function commandLine(command) {
  const code = element("code", { class: "command" }, command);
  const copy = button("copy", "Copy the command", async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
      copy.textContent = "selected";
    }
    setTimeout(() => { copy.textContent = "copy"; }, 1500);
  }, { class: "copy" });
  return element("span", { class: "command-line" }, code, copy);
}

function headline(trace) {
  const finding = trace.finding;
  if (!finding) return element("h1", {}, "Nothing is wrong in this execution");
  return element("h1", {},
    element("span", { class: "bad" }, finding.title),
    finding.object ? [" on ", element("code", {}, finding.object)] : null,
    finding.message ? element("span", { class: "message" }, `: ${finding.message}`) : null);
}

function facts(trace) {
  const place = trace.finding?.place, schedule = trace.failing;
  const words = [trace.program ? basename(trace.program) : "", ...trace.arguments.slice(1)].filter(Boolean).join(" ");
  return element("p", { class: "facts" },
    place ? [element("b", {}, place.function || "??"),
      place.file ? element("span", { title: place.file }, ` ${trace.shortPath(place.file)}:${place.line}`) : null, " \u00b7 "] : null,
    element("span", { title: trace.program }, words), " \u00b7 ",
    `${plural(schedule.eventCount, "step")} of ${plural(trace.lanes.length, "task")}, `,
    `${schedule.switches} context switch${schedule.switches === 1 ? "" : "es"}`,
    trace.execution ? ` \u00b7 execution ${trace.execution.toLocaleString("en")} of the search` : "",
    ` \u00b7 Heddle ${trace.heddle}`,
    trace.finding?.fingerprint ? [" \u00b7 ", element("code", { title: "Fingerprint: the same for the same bug" }, trace.finding.fingerprint)] : null);
}

// --- facts that were learnt from other schedules

const TITLES = { size: "Smallest schedule", turn: "The switch that matters", critical: "Critical step", passing: "What passes" };

/** A link from a sentence to its subject. */
function evidenceLink(trace, name, host) {
  const link = (words, act) => element("button", { type: "button", class: "inline-link", "data-shows": name, onclick: act }, words);
  if (name === "passing") return trace.schedules.length > 1 && link("side by side", () => host.togglePassing());
  const step = trace.evidence?.[name];
  return step > 0 && step <= trace.failing.eventCount && link(`show step ${step}`, () => host.choose(step - 1, trace.failing));
}

function evidence(trace, host) {
  const words = { ...trace.evidence?.words };
  if (trace.schedules.length > 1 && !words.passing) words.passing = `a schedule of ${plural(trace.schedules[1].eventCount, "step")}.`;
  const items = Object.keys(TITLES).filter((name) => words[name]).map((name) =>
    element("li", {}, element("b", {}, `${TITLES[name]}: `), words[name], " ", evidenceLink(trace, name, host)));
  return items.length ? element("ul", { class: "evidence" }, items) : null;
}

/** Labels for the rows that matter, for each schedule. */
export function rowMarks(trace) {
  const marks = new Map(), known = trace.evidence;
  const add = (step, words) => {
    if (step > 0 && step <= trace.failing.eventCount) marks.set(step - 1, [marks.get(step - 1), words].filter(Boolean).join(" \u00b7 "));
  };
  if (known) {
    add(known.turn, "the switch that matters");
    add(known.critical, "critical step");
  }
  return marks;
}

// --- places

function card(trace, title, task, stack, choose) {
  return element("article", { class: "card" },
    element("h3", {}, title, task !== null ? [" by ", element("button", {
      type: "button", class: "inline-link", onclick: () => choose(task),
    }, trace.taskName(task))] : null),
    stackList(trace, stack, 2));
}

function waitCards(trace, waits, choose) {
  return waits.map((wait) => element("article", { class: "card" },
    element("h3", {}, element("button", { type: "button", class: "inline-link", onclick: () => choose(wait.task) }, trace.taskName(wait.task)),
      " waits for ", wait.for.replaceAll("`", ""),
      wait.holder !== null && !wait.operation.startsWith("join") ? ` held by ${trace.taskName(wait.holder)}` : ""),
    stackList(trace, wait.stack, 2)));
}

/** Selects the row of the finding in a task's lane. */
function chooseEnding(trace, host) {
  return (task) => {
    const schedule = trace.failing;
    const row = schedule.rows.findIndex((entry) => entry.ending && entry.task === task);
    host.choose(row >= 0 ? row : schedule.ofTask.get(task)?.at(-1) ?? 0, schedule);
  };
}

function places(trace, host) {
  const finding = trace.finding, choose = chooseEnding(trace, host);
  if (!finding) return null;
  const rows = trace.failing.rows.filter((row) => row.ending).length;
  if (!finding.waits.length && finding.stacks.length === rows && rows < 2) return null; // the panel shows it already
  const cards = finding.waits.length ? waitCards(trace, finding.waits, choose) :
    finding.stacks.map((stack, at) => card(trace,
      `${finding.kind === "data-race" && at > 0 ? "previous " : ""}${stack.title || finding.title}`, stack.task, stack.stack, choose));
  return element("details", { class: "places", open: true, id: "places" },
    element("summary", {}, finding.waits.length ? "Who waits for whom" : cards.length > 1 ? "Both places" : "Where"),
    element("div", { class: "who" },
      finding.waits.length ? element("figure", {}, waitGraph(trace, finding.waits, choose)) : null,
      element("div", { class: "cards" }, cards)));
}

/** The last lines that the program wrote in this execution. */
function wrote(trace) {
  return trace.wrote?.length ? element("details", { class: "wrote", open: true },
    element("summary", {}, "The program wrote"), element("pre", {}, trace.wrote.join("\n"))) : null;
}

export function findingHead(trace, host, tools) {
  return element("header", { class: "top" },
    element("div", { class: "title" }, headline(trace), tools),
    facts(trace),
    trace.replay ? element("p", { class: "replay" }, "Replay ", commandLine(trace.replay)) : null,
    wrote(trace),
    evidence(trace, host),
    places(trace, host));
}
