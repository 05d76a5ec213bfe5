// trace.js - the page of a trace: head, schedule (with the passing one beside it), panel; and the
// actions of the keys.
import { button, element } from "./dom.js";
import { findingHead, rowMarks } from "./finding.js";
import { helpDialog, KEYS } from "./help.js";
import { Trace } from "./model.js";
import { panelContent } from "./panel.js";
import { Search } from "./search.js";
import { themeButton, toggleTheme } from "./theme.js";
import { Timeline } from "./timeline.js";

class TracePage {
  constructor(data) {
    this.trace = new Trace(data);
    this.search = new Search(this.trace.failing, this);
    this.help = helpDialog();
    this.panel = element("aside", { class: "panel", "aria-live": "polite", "aria-label": "The selected step", tabindex: "-1" });
    this.views = this.trace.schedules.map((schedule) => new Timeline(this.trace, schedule, this));
    this.views[0].setMarks(rowMarks(this.trace));
    this.current = this.views[0];
    this.schedules = element("div", { class: "schedules" }, this.views[0].node);
  }

  tools() {
    return element("div", { class: "tools", role: "toolbar", "aria-label": "Tools" },
      this.search.node,
      this.views.length > 1 ? button("passing", "The passing schedule side by side (p)", () => this.togglePassing(),
        { id: "toggle-passing", "aria-pressed": "false" }) : null,
      button("\u2212", "Smaller rows (-)", () => this.zoomBy(-1), { class: "icon", "aria-label": "Smaller rows" }),
      button("+", "Larger rows (+)", () => this.zoomBy(1), { class: "icon", "aria-label": "Larger rows" }),
      button("fit", "The whole schedule in view (f)", () => this.zoomToFit(), { id: "fit" }),
      themeButton(),
      button("?", "Keys and signs (?)", () => this.help.showModal(), { class: "icon", id: "help", "aria-label": "Help" }));
  }

  show(root) {
    const left = this.trace.failing.ordered ? null :
      element("p", { class: "faint notice" }, "This schedule is too long for its order to be worked out: there are no arrows.");
    root.append(findingHead(this.trace, this, this.tools()), left ?? "",
      element("main", {}, this.schedules, this.panel), this.help);
    document.addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("hashchange", () => this.readHash());
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.views[0].resize();
    if (!this.readHash()) this.goTo(Infinity);
    if (!this.trace.failing.rows.length)
      this.panel.append(element("p", { class: "faint" }, "The execution ended before its first step."));
    this.views[0].node.focus({ preventScroll: true });
  }

  // --- selection

  selectedRow() {
    return this.current.selected;
  }

  /** `where` is a timeline or a schedule. */
  choose(row, where = this.current) {
    const view = this.views.find((each) => each === where || each.schedule === where);
    if (!view.schedule.rows[row]) return; // there is no row to select
    if (view.schedule.passing && !view.node.isConnected) this.togglePassing();
    this.current = view;
    for (const each of this.views) if (each !== view) each.select(-1);
    view.select(row);
    this.panel.replaceChildren(...panelContent(this.trace, view.schedule, row, view.marks.get(row), this));
    this.panel.scrollTop = 0;
    this.search.say();
    const hash = `#${view.schedule.passing ? "p" : ""}${row + 1}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
  }

  /** #7 is the seventh row, #p7 the seventh row of the passing schedule. */
  readHash() {
    const match = /^#(p?)([0-9]+)$/.exec(location.hash);
    const view = match && this.views[match[1] ? 1 : 0];
    if (!view) return false;
    const row = Math.min(Number(match[2]), view.schedule.rows.length) - 1;
    if (row >= 0 && (row !== view.selected || view !== this.current)) this.choose(row, view);
    return row >= 0;
  }

  move(steps) {
    this.goTo(this.current.selected + steps);
  }

  goTo(row) {
    this.choose(Math.max(0, Math.min(row, this.current.schedule.rows.length - 1)));
  }

  moveInTask(direction) {
    if (this.current.selected >= 0) this.choose(this.current.schedule.neighbour(this.current.selected, direction));
  }

  // --- search

  found(rows) {
    this.views[0].hits = new Set(rows);
    this.views[0].draw();
  }

  leaveSearch() {
    this.current.node.focus({ preventScroll: true });
  }

  // --- sizes, and the passing schedule

  zoomBy(change) {
    this.current.zoomBy(change);
  }

  zoomUsual() {
    this.current.zoomUsual();
  }

  zoomToFit() {
    this.current.zoomToFit();
  }

  zoomed(rowHeight, view) {
    for (const other of this.views)
      if (other !== view && other.node.isConnected && other.geometry.rowHeight !== rowHeight) other.zoom(rowHeight);
  }

  /** Both schedules scroll together, because they are the same up to their first difference. */
  scrolled(view) {
    for (const other of this.views)
      if (other !== view && other.node.isConnected && other.node.scrollTop !== view.node.scrollTop)
        other.node.scrollTop = view.node.scrollTop;
  }

  togglePassing() {
    const passing = this.views[1];
    if (!passing) return;
    const shown = !passing.node.isConnected;
    const different = this.trace.difference;
    if (shown) this.schedules.append(passing.node);
    else passing.node.remove();
    document.getElementById("toggle-passing").setAttribute("aria-pressed", String(shown));
    for (const view of this.views) {
      const marks = view.schedule.passing ? new Map() : rowMarks(this.trace);
      if (shown && different >= 0 && different < view.schedule.rows.length)
        marks.set(different, [marks.get(different), "differs from here on"].filter(Boolean).join(" \u00b7 "));
      view.setMarks(marks);
    }
    if (!shown && this.current === passing) this.choose(Math.min(passing.selected, this.views[0].schedule.rows.length - 1), this.views[0]);
    passing.geometry.rowHeight = this.views[0].geometry.rowHeight;
    for (const view of this.views) if (view.node.isConnected) view.resize();
    passing.node.scrollTop = this.views[0].node.scrollTop;
  }

  togglePlaces() {
    const places = document.getElementById("places");
    if (places) places.open = !places.open;
  }

  toggleTheme() {
    toggleTheme();
  }

  /** For printing, the whole schedule is in the document. */
  print(whole) {
    for (const view of this.views) {
      view.whole = whole;
      if (view.node.isConnected) view.draw();
    }
  }

  // --- keys

  pressed(event) {
    const typing = event.target.closest?.("input, textarea, dialog[open]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = KEYS.find((each) => each.keys.includes(event.key));
    if (!key) return;
    event.preventDefault();
    key.act(this);
  }
}

export function showTrace(data, root) {
  new TracePage(data).show(root);
}
