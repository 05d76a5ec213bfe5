// search.js - a box that finds rows by task, object, function, source or text.
import { element } from "./dom.js";

export class Search {
  /** Calls host.found(rows) and host.choose(row). */
  constructor(schedule, host) {
    this.schedule = schedule;
    this.host = host;
    this.hits = [];
    this.count = element("output", { class: "count", "aria-live": "polite" });
    this.input = element("input", {
      type: "search", id: "search", placeholder: "Search task, object, function (/)",
      "aria-label": "Search the schedule", spellcheck: "false", autocomplete: "off",
      oninput: () => this.find(), onkeydown: (event) => this.pressed(event),
    });
    this.node = element("span", { class: "search", role: "search" }, this.input, this.count);
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  pressed(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.next(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.find();
      this.host.leaveSearch();
    }
    event.stopPropagation();
  }

  /** Finds the rows in which all words occur, in any order. */
  find() {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.hits = [];
    if (words.length)
      for (let row = 0; row < this.schedule.rows.length; row++)
        if (words.every((word) => this.schedule.words(row).includes(word))) this.hits.push(row);
    this.host.found(this.hits);
    this.say();
  }

  /** Goes to the next hit after the selected row; after the last one, to the first. */
  next(direction) {
    if (!this.hits.length) return;
    const from = this.host.selectedRow();
    const hit = direction > 0 ? this.hits.find((row) => row > from) ?? this.hits[0] :
      this.hits.findLast((row) => row < from) ?? this.hits.at(-1);
    this.host.choose(hit, this.schedule);
    this.say();
  }

  say() {
    const at = this.hits.indexOf(this.host.selectedRow());
    const all = this.hits.length.toLocaleString("en");
    this.count.textContent = !this.input.value.trim() ? "" : !this.hits.length ? "none" : at >= 0 ? `${at + 1} of ${all}` : all;
  }
}
