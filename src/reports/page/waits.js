// waits.js - who waits for whom, as a graph: the blocked tasks on a circle, an arrow from each to the
// one that would have to move first. The cycle, if there is one, is drawn strongly.
import { drawing } from "./dom.js";

const NODE = { width: 128, height: 34 };

/** The tasks of the first cycle, in its order; none if there is no cycle. */
function cycleOf(waits) {
  const holder = new Map(waits.filter((wait) => wait.cycle).map((wait) => [wait.task, wait.holder]));
  const cycle = [];
  for (let task = [...holder.keys()][0]; task !== undefined && !cycle.includes(task); task = holder.get(task)) cycle.push(task);
  return cycle;
}

function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}\u2026` : text;
}

/** Those on the cycle first, in its order: then its arrows do not cross. */
function nodesOf(waits) {
  const tasks = new Set(cycleOf(waits));
  for (const wait of waits) tasks.add(wait.task);
  for (const wait of waits) if (wait.holder !== null) tasks.add(wait.holder);
  return [...tasks];
}

function layOut(tasks, width, height) {
  const places = new Map();
  const across = (width - NODE.width) / 2 - 8, down = (height - NODE.height) / 2 - 8;
  tasks.forEach((task, at) => {
    const angle = tasks.length === 2 ? Math.PI * (1 + at) : (2 * Math.PI * at) / tasks.length - Math.PI / 2;
    places.set(task, { x: width / 2 + across * Math.cos(angle), y: height / 2 + down * Math.sin(angle) });
  });
  return places;
}

/** Where the line from the middle of a node leaves its box. */
function border(from, to) {
  const dx = to.x - from.x, dy = to.y - from.y;
  const scale = Math.min(NODE.width / 2 / Math.max(Math.abs(dx), 0.01), NODE.height / 2 / Math.max(Math.abs(dy), 0.01));
  return { x: from.x + dx * scale, y: from.y + dy * scale };
}

function edge(wait, places, strong) {
  const from = places.get(wait.task), to = places.get(wait.holder);
  const self = wait.task === wait.holder;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1, aside = Math.max(52, length * 0.16) / length;
  const away = { x: -(to.y - from.y) * aside, y: (to.x - from.x) * aside };
  const bend = self ? { x: from.x, y: from.y + 78 } : { x: middle.x + away.x, y: middle.y + away.y };
  const start = self ? { x: from.x - 26, y: from.y + NODE.height / 2 } : border(from, bend);
  const end = self ? { x: from.x + 26, y: from.y + NODE.height / 2 } : border(to, bend);
  const out = self ? { x: 0, y: 1 } : { x: away.x / (length * aside), y: away.y / (length * aside) };
  const label = { x: (start.x + 2 * bend.x + end.x) / 4 + 12 * out.x, y: (start.y + 2 * bend.y + end.y) / 4 + 12 * out.y };
  return drawing("g", { class: strong ? "edge cycle" : "edge" },
    drawing("path", {
      d: `M${start.x},${start.y} Q${bend.x},${bend.y} ${end.x},${end.y}`,
      "marker-end": strong ? "url(#wait-cycle)" : "url(#wait-end)",
    }),
    drawing("text", { x: label.x, y: label.y + 4, "text-anchor": "middle" }, shorten(wait.for.replaceAll("`", ""), 26)));
}

function arrowHead(id) {
  return drawing("marker", {
    id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse",
  }, drawing("path", { d: "M0,0.5 L7.5,4 L0,7.5 z" }));
}

export function waitGraph(trace, waits, choose) {
  const tasks = nodesOf(waits);
  const size = Math.min(tasks.length, 12);
  const width = 420 + 34 * Math.max(0, size - 3), height = tasks.length === 2 ? 140 : 150 + 26 * Math.max(0, size - 2);
  const places = layOut(tasks, width, height);
  const cycle = new Set(waits.filter((wait) => wait.cycle).map((wait) => wait.task));
  const blocked = new Set(waits.map((wait) => wait.task));
  const node = (task) => {
    const { x, y } = places.get(task);
    return drawing("g", {
      class: cycle.has(task) ? "node cycle" : "node", transform: `translate(${x},${y})`,
      tabindex: blocked.has(task) ? "0" : null, role: blocked.has(task) ? "button" : null,
      "data-task": task, onclick: () => choose(task),
      onkeydown: (event) => event.key === "Enter" && choose(task),
    },
      drawing("title", {}, trace.taskName(task)),
      drawing("rect", {
        x: -NODE.width / 2, y: -NODE.height / 2, width: NODE.width, height: NODE.height, rx: 4,
      }),
      drawing("text", { y: 4, "text-anchor": "middle" }, shorten(trace.taskName(task), 18)));
  };
  const words = waits.map((wait) => `${trace.taskName(wait.task)} waits for ${wait.for.replaceAll("`", "")}`).join("; ");
  return drawing("svg", {
    class: "waits", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Wait-for graph: ${words}`,
  },
    drawing("defs", {}, arrowHead("wait-end"), arrowHead("wait-cycle")),
    waits.filter((wait) => wait.holder !== null).map(
      (wait) => edge(wait, places, cycle.has(wait.task) && cycle.has(wait.holder))),
    tasks.map(node));
}
