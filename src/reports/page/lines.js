// lines.js - the drawing behind the labels of a timeline: life lines, bands of locks, waiting, the
// thread of control as it goes from lane to lane, arrows. It is built as text, because there may be
// thousands of parts. Only numbers and names made here go into it.

const SHORT = 4; // rows of at most this height have no room for marks

/** Highlighted rows, behind everything else. */
function stripes(view, first, last) {
  const { geometry } = view;
  const stripe = (row, name) => row < first || row > last ? "" :
    `<rect class="stripe ${name}" x="0" width="${geometry.width}" y="${row * geometry.rowHeight}" height="${geometry.rowHeight}"/>`;
  return [...view.marks.keys()].map((row) => stripe(row, "marked")).join("") + stripe(view.selected, "chosen");
}

function lifeLines(view, first, last) {
  const { geometry, schedule, trace } = view;
  return trace.lanes.map((task, lane) => {
    const own = schedule.ofTask.get(task);
    if (!own) return "";
    const ends = schedule.rows[own.at(-1)].ends || schedule.rows[own.at(-1)].ending;
    const birth = schedule.arrowsTo.get(own[0])?.find((arrow) => arrow.kind === "create");
    const from = Math.max(first, birth ? birth.from + 0.5 : own[0]), to = Math.min(last, ends ? own.at(-1) : schedule.rows.length - 1);
    if (from > to) return "";
    return `<line class="life" x1="${geometry.x(lane)}" x2="${geometry.x(lane)}" y1="${geometry.y(from)}" y2="${geometry.y(to)}"/>`;
  }).join("");
}

function bands(view, first, last) {
  const { geometry, schedule, trace } = view, end = schedule.rows.length - 1;
  let text = "";
  for (const span of schedule.spans) {
    const to = span.to >= schedule.eventCount ? end : span.to;
    if (to < first || span.from > last) continue;
    const lane = trace.laneOf.get(span.task);
    const y1 = geometry.y(Math.max(span.from, first - 1)), y2 = geometry.y(Math.min(to, last + 1));
    const height = Math.max(1, y2 - y1).toFixed(1);
    if (span.kind === "waiting")
      text += `<rect class="${to === end && !schedule.passing ? "stuck" : "waiting"}" x="${geometry.x(lane) - 4.5}" width="9" y="${y1}" height="${height}" rx="2"/>`;
    else
      text += `<rect class="band lock-${trace.colours.get(span.object)} ${span.kind}" x="${geometry.slotX(lane, span.slot) - 4}" width="4.5" y="${y1}" height="${height}" rx="1.5"/>`;
  }
  return text;
}

/** The thread of control from each row to the next: straight within a task, over to the other lane
 * at a switch. */
function thread(view, first, last) {
  const { geometry, schedule } = view, end = Math.min(last, schedule.eventCount - 1);
  if (geometry.rowHeight <= SHORT) return distantThread(view, first, end);
  let stay = "", move = "";
  for (let row = Math.max(first, 1); row <= end; row++) {
    const x1 = geometry.x(view.lane(row - 1)), x2 = geometry.x(view.lane(row)), y1 = geometry.y(row - 1), y2 = geometry.y(row);
    if (x1 === x2) stay += `M${x1},${y1}V${y2}`;
    else move += `M${x1},${y1}C${x1},${(y1 + y2) / 2} ${x2},${(y1 + y2) / 2} ${x2},${y2}`;
  }
  return `<path class="move" d="${move}"/><path class="stay" d="${stay}"/>`;
}

/** For small rows: where each task ran, without the lines in between. */
function distantThread(view, first, last) {
  const { geometry } = view;
  let ran = "";
  for (let row = first; row <= last; row++) ran += `M${geometry.x(view.lane(row))},${(row * geometry.rowHeight).toFixed(1)}v${geometry.rowHeight}`;
  return `<path class="ran" d="${ran}"/>`;
}

/** Leaves one mark downwards and enters the other downwards, so that the line crosses between rows,
 * not through their labels. */
function curve(view, from, to) {
  const { geometry } = view;
  const side = geometry.x(view.lane(to)) > geometry.x(view.lane(from)) ? 1 : -1, down = to > from ? 1 : -1;
  const x1 = geometry.x(view.lane(from)) + 2.5 * side, x2 = geometry.x(view.lane(to)) - 3 * side;
  const y1 = geometry.y(from) + 3 * down, y2 = geometry.y(to) - 4.5 * down;
  const bend = down * Math.max(geometry.rowHeight * 0.75, Math.abs(y2 - y1) * 0.5);
  return `M${x1},${y1}C${x1},${y1 + bend} ${x2},${y2 - bend} ${x2},${y2}`;
}

/** An arrow to the beginning of the new task's life line, which is between two rows. */
function creation(view, from, to) {
  const { geometry } = view;
  const x1 = geometry.x(view.lane(from)), x2 = geometry.x(view.lane(to)), y = geometry.y(from + 0.5);
  const side = x2 > x1 ? 1 : -1;
  return `M${x1},${geometry.y(from) + 3}Q${x1},${y} ${x1 + 9 * side},${y}H${x2 - side}`;
}

const FAR = 40; // in rows: a longer arrow is drawn faintly

function arrow(view, { from, to, kind }) {
  const chosen = from === view.selected || to === view.selected;
  const head = `url(#${view.node.id}-${chosen ? "chosen" : kind === "message" ? "message" : "order"})`;
  const classes = `arrow ${kind}${chosen ? " chosen" : to - from > FAR ? " far" : ""}`;
  const path = kind === "create" ? creation(view, from, to) : curve(view, from, to);
  return `<path class="${classes}" marker-end="${head}" d="${path}"/>`;
}

/** If rows are small, only messages and the arrows of the selected row are drawn. A selected receive
 * also shows the messages that it could have taken instead. */
function arrows(view, first, last) {
  const { geometry, schedule } = view;
  const seen = schedule.arrows.filter(({ from, to, kind }) => to >= first && from <= last &&
    (geometry.rowHeight > SHORT || kind === "message" || from === view.selected || to === view.selected));
  const rivals = (schedule.raceSets.get(view.selected) ?? []).filter((send) => view.lane(send) !== view.lane(view.selected));
  return seen.map((each) => arrow(view, each)).join("") +
    rivals.map((send) => `<path class="arrow rival" d="${curve(view, send, view.selected)}"/>`).join("");
}

function mark(view, row) {
  const { geometry, schedule } = view, entry = schedule.rows[row];
  const x = geometry.x(view.lane(row)), y = geometry.y(row);
  const classes = ["dot"];
  if (entry.ending) classes.push("ending");
  if (view.marks.has(row)) classes.push("marked");
  if (row === view.selected) classes.push("chosen");
  if (view.hits.has(row)) classes.push("hit");
  if (geometry.rowHeight <= SHORT)
    return `<rect class="${classes.join(" ")}" x="${x - 5}" width="10" y="${y - 1}" height="2.5"/>`;
  if (entry.note) return `<path class="${classes.join(" ")} note" d="M${x - 3.5},${y}h7"/>`;
  if (entry.ending) return `<path class="${classes.join(" ")}" d="M${x - 4},${y - 4}l8,8m0,-8l-8,8"/>`;
  const radius = Math.min(3.5, geometry.rowHeight / 2 - 0.5);
  return `<circle class="${classes.join(" ")}${entry.failed || entry.waits ? " hollow" : ""}" cx="${x}" cy="${y}" r="${radius}"/>`;
}

function marks(view, first, last) {
  const { geometry, schedule } = view;
  let text = "";
  for (let row = first; row <= last; row++) {
    const plain = row < schedule.eventCount && row !== view.selected && !view.hits.has(row) && !view.marks.has(row);
    if (geometry.rowHeight > SHORT || !plain) text += mark(view, row);
  }
  return text;
}

function definitions(id) {
  const head = (name) =>
    `<marker id="${id}-${name}" class="head ${name}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="6.5" markerHeight="6.5" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0.8L7,4L0,7.2z"/></marker>`;
  const hatch = (name) =>
    `<pattern id="${id}-${name}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-${name}" width="2" height="5"/></pattern>`;
  return `<defs>${head("order")}${head("message")}${head("chosen")}${hatch("waits")}${hatch("stuck")}</defs><style>#${id} .waiting{fill:url(#${id}-waits)}#${id} rect.stuck{fill:url(#${id}-stuck)}</style>`;
}

export function drawLines(view, first, last) {
  const { geometry, lines } = view;
  lines.setAttribute("width", geometry.width);
  lines.setAttribute("height", geometry.height);
  lines.innerHTML = definitions(view.node.id) + stripes(view, first, last) + lifeLines(view, first, last) + bands(view, first, last) +
    thread(view, first, last) + arrows(view, first, last) + marks(view, first, last);
}
