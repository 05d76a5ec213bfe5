// panel.js - the panel with everything about the selected row.
import { element } from "./dom.js";
import { stackList } from "./stack.js";

function stepLink(host, schedule, row) {
  const entry = schedule.rows[row];
  return element("button", { type: "button", class: "step-link", onclick: () => host.choose(row, schedule) },
    element("span", { class: "step" }, schedule.step(row)),
    element("span", { class: "task" }, `T${entry.task}`),
    element("span", { class: "text" }, entry.text));
}

function section(title, ...children) {
  const content = children.flat().filter(Boolean);
  return content.length ? element("section", {}, element("h3", {}, title), content) : null;
}

function list(items) {
  return items.length ? element("ul", { class: "plain" }, items.map((item) => element("li", {}, item))) : null;
}

const ARROW_WORDS = { create: "was created by", join: "joins, after", message: "receives from", order: "comes after" };
const ARROW_WORDS_AFTER = { create: "creates", join: "is joined by", message: "is received by", order: "comes before" };

/** The rows with which the selected row is ordered directly. All other orders follow from these. */
function orderSection(host, schedule, row) {
  const line = (words, other) => [element("span", { class: "relation" }, words), stepLink(host, schedule, other)];
  const before = (schedule.arrowsTo.get(row) ?? []).map((arrow) => line(ARROW_WORDS[arrow.kind], arrow.from));
  const after = (schedule.arrowsFrom.get(row) ?? []).map((arrow) => line(ARROW_WORDS_AFTER[arrow.kind], arrow.to));
  return section("Order", list([...before, ...after]));
}

/** Messages that race with this one: seed 004, 3.8. */
function raceSection(host, schedule, row) {
  const rivals = schedule.raceSets.get(row);
  if (!rivals) return null;
  return section("Race set",
    element("p", { class: "faint" }, "Messages that this receive could have taken instead, all else being equal:"),
    element("div", { id: "race-set" }, list(rivals.map((send) => stepLink(host, schedule, send)))));
}

function lockSection(trace, schedule, row, task) {
  const swatch = (span) => element("span", { class: `swatch lock-${trace.colours.get(span.object)}` });
  const held = schedule.heldAfter(row).map((span) => [
    swatch(span), element("code", {}, span.object), " ",
    element("span", { class: span.task === task ? "" : "faint" },
      `${span.kind === "shared" ? "read-locked" : "held"} by ${trace.taskName(span.task)} since step ${span.from + 1}`)]);
  const waiting = schedule.waitingAfter(row).map((span) => [
    element("span", { class: "swatch hatched" }),
    `${trace.taskName(span.task)} waits for `,
    span.object ? element("code", {}, span.object) : `${trace.taskName(span.holder)} to end`,
    span.object && span.holder !== undefined ? element("span", { class: "faint" }, `, held by ${trace.taskName(span.holder)}`) : null]);
  return section("Locks after this step", list([...held, ...waiting]));
}

function flagWords(entry) {
  const words = [];
  if (entry.failed) words.push("it failed");
  if (entry.timed_out) words.push("it timed out");
  if (entry.nested) words.push("inside an atomic section");
  if (entry.waits) words.push("then the task waited for a change");
  if (entry.ends) words.push("the task ended in this step");
  return words.length ? element("p", { class: "faint" }, `${words.join("; ")}.`) : null;
}

export function panelContent(trace, schedule, row, mark, host) {
  const entry = schedule.rows[row], creation = trace.tasks[entry.task]?.stack;
  const number = entry.ending ? "Finding" : `Step ${row + 1} of ${schedule.eventCount}`;
  return [
    element("header", {},
      element("p", { class: "kicker" }, `${number}${schedule.passing ? ", passing schedule" : ""} \u00b7 ${trace.taskName(entry.task)}`),
      element("h2", { class: entry.ending ? "bad" : "" }, entry.text),
      mark ? element("p", { class: "mark-words" }, mark) : null,
      flagWords(entry)),
    section("Stack", stackList(trace, entry.stack)),
    raceSection(host, schedule, row),
    lockSection(trace, schedule, row, entry.task),
    orderSection(host, schedule, row),
    creation ? section(`${trace.taskName(entry.task)} was created`, stackList(trace, creation, 1)) : null,
  ].filter(Boolean);
}
