// geometry.js - positions in a timeline: time goes down, each event has a row, each task has a
// lane.
//
// A row has one label, which may extend over the lanes to its right, as in the text report. So
// lanes can be narrow: only the last one must have room for a label.

const ROW_HEIGHTS = [0.5, 1, 2, 3, 5, 8, 12, 17, 22, 28, 36];
export const USUAL_HEIGHT = 22;

const GUTTER = 52; // the column for the number of the step
const LABEL = { letter: 7.6, margin: 70, most: 560 }; // the width of a label
const STRIDE = { least: 46, least_bare: 14, most: 300 };
const BARE_LANE = 100; // a lane without labels has only the name on top
const SLOT = 6; // the width of a band and the gap after it
const SLOTS = 3;

export class Geometry {
  /** `letters` has the length of the longest label for each lane. */
  constructor(letters, rows) {
    this.setLetters(letters);
    this.rows = rows;
    this.gutter = GUTTER;
    this.rowHeight = USUAL_HEIGHT;
    this.setWidth(1000);
  }

  setLetters(letters) {
    this.room = letters.map((count) => Math.min(LABEL.most, count * LABEL.letter) + LABEL.margin);
  }

  /** Returns the next larger or smaller row height. */
  nextHeight(direction) {
    const sizes = direction > 0 ? ROW_HEIGHTS : [...ROW_HEIGHTS].reverse();
    return sizes.find((size) => (size - this.rowHeight) * direction > 0.01) ?? this.rowHeight;
  }

  /** Returns the row height at which all rows are visible at once. */
  heightToFit(height) {
    return Math.min(USUAL_HEIGHT, ROW_HEIGHTS.findLast((size) => size * this.rows <= height) ?? height / this.rows);
  }

  /** Makes the lanes as wide as their labels need. */
  setWidth(width) {
    const room = this.labels ? this.room : this.room.map(() => BARE_LANE);
    const allowed = room.map((needed, lane) => lane ? Math.floor((width - GUTTER - needed) / lane) : STRIDE.most);
    this.stride = Math.max(this.labels ? STRIDE.least : STRIDE.least_bare, Math.min(STRIDE.most, ...allowed));
    this.width = Math.max(width, ...room.map((needed, lane) => GUTTER + lane * this.stride + needed));
  }

  get labels() {
    return this.rowHeight >= 12;
  }

  get height() {
    return this.rows * this.rowHeight;
  }

  laneX(lane) {
    return GUTTER + lane * this.stride;
  }

  /** The position of a task's life line, which carries the marks. */
  x(lane) {
    return this.laneX(lane) + (this.labels ? SLOTS * SLOT + 6 : 8);
  }

  slotX(lane, slot) {
    return this.x(lane) - 8 - SLOT * Math.min(slot, SLOTS - 1);
  }

  y(row) {
    return (row + 0.5) * this.rowHeight;
  }

  labelX(lane) {
    return this.x(lane) + 11;
  }
}
