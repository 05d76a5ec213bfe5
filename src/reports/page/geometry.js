// geometry.js - where things are in a timeline: time goes down, a row an event, a lane a task.
//
// A row has one label, which may run on over the lanes to its right, as in the text report. So lanes can
// be narrow: only the last one must have room for a label.

const ROW_HEIGHTS = [0.5, 1, 2, 3, 5, 8, 12, 17, 22, 28, 36];
export const USUAL_HEIGHT = 22;

const GUTTER = 52; // the number of the step
const LABEL = { letter: 7.6, margin: 70, most: 560 }; // how much room a label wants
const STRIDE = { least: 46, least_bare: 14, most: 300 };
const BARE_LANE = 100; // without labels: the name on top
const SLOT = 6; // a band, and the gap behind it
const SLOTS = 3;

export class Geometry {
  /** `letters`: of each lane, how many its longest label has. */
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

  /** The next larger or smaller height. */
  nextHeight(direction) {
    const sizes = direction > 0 ? ROW_HEIGHTS : [...ROW_HEIGHTS].reverse();
    return sizes.find((size) => (size - this.rowHeight) * direction > 0.01) ?? this.rowHeight;
  }

  /** At which all rows are seen at once. */
  heightToFit(height) {
    return Math.min(USUAL_HEIGHT, ROW_HEIGHTS.findLast((size) => size * this.rows <= height) ?? height / this.rows);
  }

  /** As wide apart as all labels allow. */
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

  /** The life line, on which the marks are. */
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
