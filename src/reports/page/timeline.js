// timeline.js - one execution as lanes. Only the visible part is in the document, so the length of
// the execution does not matter.
import { element, plural } from "./dom.js";
import { Geometry, USUAL_HEIGHT } from "./geometry.js";
import { drawLines } from "./lines.js";

const BEYOND = 12; // rows that are drawn above and below the visible part

export class Timeline {
  /** Calls host.choose(row), host.zoomed(rowHeight) and host.scrolled(). */
  constructor(trace, schedule, host) {
    this.trace = trace;
    this.schedule = schedule;
    this.host = host;
    this.selected = -1;
    this.hits = new Set();
    this.marks = new Map(); // labels by row
    this.geometry = new Geometry(this.longestLabels(), schedule.rows.length);
    this.build();
  }

  setMarks(marks) {
    this.marks = marks;
    this.geometry.setLetters(this.longestLabels());
  }

  longestLabels() {
    const longest = this.trace.lanes.map((task) => this.trace.taskName(task).length);
    this.schedule.rows.forEach((entry, row) => {
      const lane = this.lane(row), mark = this.marks.get(row);
      const letters = entry.text.length + this.trace.shortLine(this.schedule.place(row)).length;
      longest[lane] = Math.max(longest[lane], letters + (mark ? mark.length + 3 : 0));
    });
    return longest;
  }

  build() {
    const { schedule, trace } = this;
    this.head = element("div", { class: "lane-heads", "aria-hidden": "true" });
    this.lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.lines.setAttribute("class", "lines");
    this.lines.setAttribute("aria-hidden", "true");
    this.labels = element("div", { class: "rows", role: "presentation" });
    this.body = element("div", { class: "lanes", role: "presentation" }, this.lines, this.labels);
    this.node = element("div", {
      class: "timeline", tabindex: "0", role: "listbox", id: schedule.passing ? "passing" : "failing",
      "aria-label": `${schedule.passing ? "Passing schedule" : "Schedule"}: ${plural(schedule.eventCount, "step")} of ${plural(trace.lanes.length, "task")}`,
      onscroll: () => { this.later(); this.host.scrolled(this); },
      onclick: (event) => this.clicked(event),
    }, this.head, this.body);
    this.node.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.node);
  }

  // --- actions of the reader

  clicked(event) {
    const row = Math.floor((event.clientY - this.body.getBoundingClientRect().top) / this.geometry.rowHeight);
    if (row >= 0 && row < this.schedule.rows.length) this.host.choose(row, this);
  }

  wheeled(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.zoom(this.geometry.nextHeight(event.deltaY < 0 ? 1 : -1), event.clientY);
  }

  /** The row at `clientY`, or in the middle, keeps its position. */
  zoom(rowHeight, clientY) {
    const box = this.node.getBoundingClientRect();
    const at = (clientY ?? box.top + box.height / 2) - box.top - this.head.offsetHeight;
    const row = (this.node.scrollTop + at) / this.geometry.rowHeight;
    this.geometry.rowHeight = rowHeight;
    this.resize();
    this.node.scrollTop = row * this.geometry.rowHeight - at;
    this.host.zoomed(rowHeight, this);
  }

  zoomBy(change) {
    this.zoom(this.geometry.nextHeight(change));
  }

  zoomUsual() {
    this.zoom(USUAL_HEIGHT);
  }

  zoomToFit() {
    this.zoom(this.geometry.heightToFit(this.node.clientHeight - this.head.offsetHeight));
  }

  // --- drawing

  resize() {
    this.geometry.setWidth(this.node.clientWidth);
    this.body.style.height = `${this.geometry.height}px`;
    this.body.style.width = this.head.style.width = `${this.geometry.width}px`;
    this.node.classList.toggle("bare", !this.geometry.labels);
    this.drawHead();
    this.draw();
  }

  select(row) {
    this.selected = row;
    if (row >= 0) this.reveal(row);
    this.draw();
  }

  reveal(row) {
    const { geometry, node } = this;
    const top = row * geometry.rowHeight, view = node.clientHeight - this.head.offsetHeight;
    const margin = Math.min(3 * geometry.rowHeight, view / 4);
    if (top < node.scrollTop + margin) node.scrollTop = top - margin;
    else if (top + geometry.rowHeight > node.scrollTop + view - margin)
      node.scrollTop = top + geometry.rowHeight - view + margin;
    const x = geometry.laneX(this.lane(row));
    if (x < node.scrollLeft + geometry.gutter) node.scrollLeft = x - geometry.gutter - 20;
    else if (x + 200 > node.scrollLeft + node.clientWidth) node.scrollLeft = x + 240 - node.clientWidth;
  }

  lane(row) {
    return this.trace.laneOf.get(this.schedule.rows[row].task);
  }

  later() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  /** The first and the last visible row, or all rows for printing. */
  range() {
    const { geometry, node } = this, last = this.schedule.rows.length - 1;
    if (this.whole) return [0, last];
    const first = Math.floor(node.scrollTop / geometry.rowHeight) - BEYOND;
    const count = Math.ceil(node.clientHeight / geometry.rowHeight) + 2 * BEYOND;
    return [Math.max(0, first), Math.min(last, first + count)];
  }

  drawHead() {
    const { geometry, trace } = this;
    const wide = geometry.stride >= 90;
    this.head.replaceChildren(
      element("span", { class: "corner" }, this.schedule.passing ? "passes" : "step"),
      ...trace.lanes.map((task, lane) => element("span", {
        class: "lane-head", title: trace.taskName(task),
        style: `left:${geometry.x(lane) - 6}px;max-width:${lane === trace.lanes.length - 1 ? 300 : geometry.stride - 6}px`,
      }, element("b", {}, geometry.stride >= 26 ? `T${task}` : String(task)),
        wide || lane === trace.lanes.length - 1 ? ` ${trace.tasks[task]?.function ?? ""}` : "")));
  }

  draw() {
    if (!this.node.isConnected) return;
    const [first, last] = this.range();
    drawLines(this, first, last);
    const rows = [];
    if (this.geometry.labels) for (let row = first; row <= last; row++) rows.push(this.drawRow(row));
    else if (this.selected >= first && this.selected <= last) rows.push(this.drawRow(this.selected));
    this.labels.replaceChildren(...rows);
    const active = this.selected >= first && this.selected <= last && rows.length;
    if (active) this.node.setAttribute("aria-activedescendant", this.idOf(this.selected));
    else this.node.removeAttribute("aria-activedescendant");
  }

  idOf(row) {
    return `${this.node.id}-${row}`;
  }

  drawRow(row) {
    const { geometry, schedule } = this, entry = schedule.rows[row];
    const frame = schedule.place(row), mark = this.marks.get(row);
    const classes = ["row"];
    if (row === this.selected) classes.push("selected");
    if (this.hits.has(row)) classes.push("hit");
    if (schedule.isSwitch(row)) classes.push("switch");
    for (const name of ["ending", "note", "nested", "failed", "waits"]) if (entry[name]) classes.push(name);
    if (mark) classes.push("marked");
    return element("div", {
      class: classes.join(" "), role: "option", id: this.idOf(row), "aria-selected": String(row === this.selected),
      "aria-setsize": schedule.rows.length, "aria-posinset": row + 1,
      "aria-label": `${schedule.step(row)}, ${this.trace.taskName(entry.task)}: ${entry.text}`,
      style: `top:${row * geometry.rowHeight}px;height:${geometry.rowHeight}px`,
    },
      element("span", { class: "step" }, schedule.step(row)),
      element("span", { class: "label", style: `margin-left:${geometry.labelX(this.lane(row)) - geometry.gutter}px` },
        frame?.line ? element("span", { class: "at" }, this.trace.shortLine(frame)) : null,
        element("span", { class: "text" }, entry.text),
        mark ? element("span", { class: "mark" }, mark) : null));
  }
}
