// wait_layout.js - the positions of boxes, arrows and labels in a wait-for graph. It knows sizes,
// but no document.
//
// A task waits for at most one other task. So each part of the graph is a cycle, or one task that
// does not wait, with trees of tasks that wait for these. A cycle is drawn as an ellipse on which
// boxes and labels alternate, large enough to keep them apart; its arrows are the arcs in between.
// The other tasks stand in columns to its left and right, on the side of the task for which they
// wait, with their labels beside them. Parts stand below each other.

const GAP = { x: 18, y: 13 }; // leaves room for an arrow between box and label
const LABEL_HEIGHT = 18;
const COLUMN_ROW = 46;
const MARGIN = 6;

function cyclesOf(waits) {
  const holder = new Map(waits.filter((wait) => wait.cycle).map((wait) => [wait.task, wait.holder]));
  const cycles = [], seen = new Set();
  for (const first of holder.keys()) {
    const cycle = [];
    for (let task = first; holder.has(task) && !seen.has(task); task = holder.get(task)) {
      seen.add(task);
      cycle.push(task);
    }
    if (cycle.length) cycles.push(cycle);
  }
  return cycles;
}

/** Tasks that do not wait for a known task. */
function rootsOf(waits) {
  const waiting = new Set(waits.filter((wait) => wait.holder !== null).map((wait) => wait.task));
  const tasks = new Set(waits.flatMap((wait) => [wait.task, wait.holder]).filter((task) => task !== null));
  return [...tasks].filter((task) => !waiting.has(task));
}

function apart(a, b) {
  return Math.abs(a.x - b.x) >= (a.width + b.width) / 2 + GAP.x || Math.abs(a.y - b.y) >= (a.height + b.height) / 2 + GAP.y;
}

function inside(box, { x, y }) {
  return Math.abs(x - box.x) <= box.width / 2 + 1 && Math.abs(y - box.y) <= box.height / 2 + 1;
}

/** Places boxes and labels in turn, each at its angle. The first box is on the right, where other
 * tasks may wait for it. */
function ring(cycle, size) {
  const items = cycle.flatMap((task) => [{ task, ...size.box(task) }, { label: task, width: size.label(task), height: LABEL_HEIGHT }]);
  const ellipse = { across: cycle.length === 1 ? 60 : 110, down: cycle.length < 3 ? 32 : 46 };
  const at = (angle) => ({ x: ellipse.across * Math.cos(angle), y: ellipse.down * Math.sin(angle) });
  do {
    ellipse.across += 8;
    ellipse.down += 2.2; // a flat ellipse, because there is more room to the sides
    items.forEach((item, i) => Object.assign(item, { angle: (2 * Math.PI * i) / items.length }, at((2 * Math.PI * i) / items.length)));
  } while (items.some((item, i) => items.slice(i + 1).some((other) => !apart(item, other))));
  return { items, ellipse, at };
}

/** The arc of the ellipse between two boxes. */
function arc({ ellipse, at }, from, to) {
  const step = Math.PI / 720;
  let begin = from.angle, end = to.angle > from.angle ? to.angle : to.angle + 2 * Math.PI;
  while (inside(from, at(begin))) begin += step;
  while (inside(to, at(end))) end -= step;
  return { begin: at(begin), end: at(end), ellipse, large: end - begin > Math.PI };
}

function placeCycle(part, cycle, size) {
  const circle = ring(cycle, size);
  const boxes = circle.items.filter((item) => item.task !== undefined);
  for (const box of boxes) part.boxes.set(box.task, box);
  boxes.forEach((box, i) => {
    const label = circle.items[2 * i + 1];
    part.edges.push({ task: box.task, arc: arc(circle, box, boxes[(i + 1) % boxes.length]), label });
  });
}

/** The point where a line from outside meets the border of a box. */
function border(box, from) {
  const dx = from.x - box.x, dy = from.y - box.y;
  const scale = Math.min((box.width / 2 + 1) / Math.max(Math.abs(dx), 0.01), (box.height / 2 + 1) / Math.max(Math.abs(dy), 0.01));
  return { x: box.x + dx * scale, y: box.y + dy * scale };
}

/** Places the tasks of a column as near to the tasks for which they wait as the height of a row
 * allows. */
function spread(column, part) {
  const wanted = (wait) => part.boxes.get(wait.holder).y;
  column.sort((a, b) => wanted(a) - wanted(b));
  let next = -Infinity;
  const rows = column.map((wait) => {
    const y = Math.max(next, wanted(wait));
    next = y + COLUMN_ROW;
    return y;
  });
  const shift = column.reduce((sum, wait, i) => sum + wanted(wait) - rows[i], 0) / column.length;
  return rows.map((y) => y + shift);
}

function placeColumn(part, column, side, size) {
  const all = [...part.boxes.values(), ...part.edges.map((edge) => edge.label)];
  const edgeOfAll = Math.max(...all.map((item) => side * item.x + item.width / 2));
  const labels = Math.max(...column.map((wait) => size.label(wait.task))), boxes = Math.max(...column.map((wait) => size.box(wait.task).width));
  const label = edgeOfAll + 2 * GAP.x + labels / 2, box = label + labels / 2 + GAP.x + boxes / 2;
  const rows = spread(column, part);
  column.forEach((wait, i) => {
    const own = { task: wait.task, ...size.box(wait.task), x: side * box, y: rows[i], side };
    const words = { x: side * label, y: rows[i], width: size.label(wait.task), height: LABEL_HEIGHT };
    part.boxes.set(wait.task, own);
    part.edges.push({
      task: wait.task, label: words,
      line: [{ x: own.x - (side * own.width) / 2, y: own.y }, { x: side * (label - labels / 2), y: own.y },
        border(part.boxes.get(wait.holder), { x: side * (label - labels / 2), y: own.y })],
    });
  });
}

/** Places the other tasks layer by layer: each layer waits for tasks that are placed already. */
function placeOthers(part, waits, size) {
  for (;;) {
    const next = waits.filter((wait) => !part.boxes.has(wait.task) && part.boxes.has(wait.holder));
    if (!next.length) return;
    const sideOf = (wait) => part.boxes.get(wait.holder).side ?? (part.boxes.get(wait.holder).x < -1 ? -1 : 1);
    const sides = new Map(next.map((wait) => [wait, sideOf(wait)]));
    for (const side of [1, -1]) {
      const column = next.filter((wait) => sides.get(wait) === side);
      if (column.length) placeColumn(part, column, side, size);
    }
  }
}

/** Rotates a cycle so that it begins, on the right, with a task for which others wait, if there is
 * one. */
function turned(cycle, waits) {
  const at = cycle.findIndex((task) => waits.some((wait) => wait.holder === task && !cycle.includes(wait.task)));
  return at > 0 ? [...cycle.slice(at), ...cycle.slice(0, at)] : cycle;
}

function boundsOf(part) {
  const items = [...part.boxes.values(), ...part.edges.map((edge) => edge.label)];
  const arcs = part.edges.filter((edge) => edge.arc).map(({ arc: { ellipse } }) => ellipse);
  const reach = (axis, half, along, sign) => sign * Math.max(...items.map((item) => sign * item[axis] + item[half] / 2),
    ...arcs.map((ellipse) => ellipse[along] + 2));
  return {
    left: reach("x", "width", "across", -1), right: reach("x", "width", "across", 1),
    top: reach("y", "height", "down", -1), bottom: reach("y", "height", "down", 1),
  };
}

/** `size` has box(task), which returns width and height, and label(task), which returns a width.
 * Parts have boxes by task, and edges, each with its label and an arc or a line, all relative to
 * the x and y of the part. */
export function layOut(waits, size) {
  const parts = [
    ...cyclesOf(waits).map((cycle) => {
      const part = { boxes: new Map(), edges: [] };
      placeCycle(part, turned(cycle, waits), size);
      return part;
    }),
    ...rootsOf(waits).map((task) => ({ boxes: new Map([[task, { task, ...size.box(task), x: 0, y: 0 }]]), edges: [] })),
  ];
  let height = MARGIN, width = 0;
  for (const part of parts) {
    placeOthers(part, waits, size);
    const bounds = boundsOf(part);
    part.x = MARGIN - bounds.left;
    part.y = height - bounds.top;
    height += bounds.bottom - bounds.top + 2 * MARGIN;
    width = Math.max(width, bounds.right - bounds.left + 2 * MARGIN);
  }
  return { parts, width: Math.ceil(width), height: Math.ceil(height) };
}
