// run.js - the page of a run: the verdict, the counts, the findings, the coverage.
import { element, plural } from "./dom.js";
import { themeButton } from "./theme.js";

const COUNTS = [
  ["executions", "complete executions"],
  ["blocked_executions", "cut by a sleep set"],
  ["idle_executions", "cut where a loop would only have waited"],
  ["deep_executions", "ended at the depth of their stratum"],
  ["dropped_executions", "ended by an assumption"],
  ["cut_executions", "longer than --max-steps"],
  ["seen_executions", "ended in a state seen before"],
  ["transitions", "transitions"],
  ["steps", "steps executed"],
  ["depth_max", "steps of the longest execution"],
  ["tasks_max", "largest number of tasks at the same time"],
];

function grouped(number) {
  return typeof number === "number" ? number.toLocaleString("en") : String(number);
}

function table(caption, heads, rows) {
  if (!rows.length) return null;
  return element("section", {}, element("h2", {}, caption),
    element("div", { class: "wide" }, element("table", { class: "figures" },
      heads.length ? element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))) : null,
      element("tbody", {}, rows.map((cells) => element("tr", {}, cells.map((cell) => element("td", {}, cell))))))));
}

function place(at) {
  if (!at) return "";
  const file = at.file ? `${at.file.slice(at.file.lastIndexOf("/") + 1)}:${at.line}` : "";
  return element("span", { title: at.file }, [at.function, file].filter(Boolean).join(" "));
}

function findings(run, pages) {
  if (!run.findings.length) return null;
  return element("section", {}, element("h2", {}, plural(run.findings.length, "finding")),
    element("ol", { class: "findings" }, run.findings.map((finding, at) => element("li", {},
      element("p", { class: "finding-title" },
        pages[at] ? element("a", { href: encodeURIComponent(pages[at]) }, finding.kind) : element("b", {}, finding.kind),
        finding.message && finding.message !== finding.kind ? `: ${finding.message}` : ""),
      element("p", { class: "faint" }, [place(finding.place), finding.trace ? element("code", {}, finding.trace) : "no trace",
        finding.found_by ? `found by ${finding.found_by}` : null, finding.fingerprint ? element("code", {}, finding.fingerprint) : null]
        .filter(Boolean).flatMap((part, i) => (i ? [" \u00b7 ", part] : [part])))))));
}

function counts(run) {
  return table("Counts", [], [
    ...COUNTS.filter(([key]) => run[key]).map(([key, words]) => [grouped(run[key]), words]),
    [run.seconds.toFixed(2), "seconds"],
    [grouped(Math.round(run.memory_kb / 1024)), "MB in the largest process"],
  ]);
}

/** Rounds an estimate, whose last digits are not known. */
function about(number) {
  return number.toLocaleString("en", { maximumSignificantDigits: 2 });
}

const COUNTLESS = 1e18;

function estimateWords(estimate) {
  if (!estimate) return null;
  if (estimate.total >= COUNTLESS) return element("p", {}, "More than 10^18 executions in all.");
  const total = Math.max(1, estimate.total);
  const low = about(Math.max(1, estimate.low)), high = about(Math.max(1, estimate.high));
  const left = estimate.high >= COUNTLESS ? `${low} or more are left` : low === high ? `about ${low} left` : `between ${low} and ${high} are left`;
  return element("p", {}, `About ${about(total)} execution${total === 1 ? "" : "s"} in all; ${left}.`);
}

function races(run) {
  return table("What caused the branches", ["times", "what", "on", "places"], (run.races ?? []).map((race) => [
    grouped(race.count), race.cause, race.object || race.type,
    race.places.filter(Boolean).flatMap((at, i) => (i ? [" \u00b7 ", place(at)] : [place(at)]))]));
}

function uncontrolled(run) {
  return table("Not controlled", ["times", "call", "why", "place"],
    (run.uncontrolled ?? []).map((entry) => [grouped(entry.count), element("code", {}, entry.call), entry.why, place(entry.place)]));
}

function options(run) {
  const rows = Object.entries(run.options).map(([name, value]) => element("tr", {},
    element("td", {}, element("code", {}, `--${name}`)), element("td", {}, element("code", {}, value))));
  return element("details", { class: "options" }, element("summary", {}, "Options in force"),
    element("table", { class: "figures" }, element("tbody", {}, rows)));
}

function side({ operation, place: at }) {
  return [operation, " ", element("span", { class: "faint" }, place(at))];
}

/** The pairs of operations and their orders. Pairs that did not run in both orders come first. */
function coverage({ coverage: known }) {
  if (!known) return null;
  const list = known.list;
  const times = (count) => count ? grouped(count) : element("b", { class: known.final ? "" : "bad" }, "never");
  const section = table("Coverage: pairs of operations and their orders", ["on", "first", "second", "in this order", "the other way round"],
    list.map((pair) => [element("code", {}, pair.object), side(pair.first), side(pair.second),
      times(pair.first_before_second), times(pair.second_before_first)]));
  const words = `${grouped(known.both)} of ${plural(known.pairs, "pair")} ran in both orders` +
    (known.final ? "; the search is complete: the others cannot." : ".");
  const left = [known.executions_left_out ? `${plural(known.executions_left_out, "execution")} could not be looked at.` : "",
    known.table_full ? "There are more pairs than are counted." : "",
    list.length < known.pairs ? `The first ${grouped(list.length)} are listed.` : ""].filter(Boolean).join(" ");
  section?.querySelector("h2").after(element("p", {}, words, " ", left));
  return section;
}

export function showRun({ run, pages }, root) {
  const bad = run.verdict === "bug", good = run.verdict === "verified";
  root.classList.add("run");
  root.append(
    element("header", { class: "top" },
      element("div", { class: "title" },
        element("h1", {}, element("span", { class: bad ? "bad" : good ? "good" : "" }, run.message)),
        element("div", { class: "tools" }, themeButton())),
      element("p", { class: "facts" }, element("code", {}, [run.program, ...run.arguments.slice(1)].join(" ")),
        ` \u00b7 strategy ${run.strategy} \u00b7 Heddle ${run.heddle}`)),
    element("main", {}, [findings(run, pages), estimateWords(run.estimate), counts(run), coverage(run), races(run),
      (run.tips ?? []).length ? element("section", {}, element("h2", {}, "Tips"), element("ul", {}, run.tips.map((tip) => element("li", {}, tip.text)))) : null,
      uncontrolled(run), options(run)].filter(Boolean)));
}
