// waits.js - which task waits for which, as a graph: an arrow from each blocked task to the task
// that has to move first, with the object that it waits for. A cycle is drawn in bold.
// wait_layout.js computes the positions.
import { drawing } from "./dom.js";
import { layOut } from "./wait_layout.js";

const LETTER = { box: 7.6, label: 6.8 }; // for the widest of the usual fonts
const NODE = { height: 30, letters: 22 };
const LABEL_LETTERS = 30;

function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}\u2026` : text;
}

/** The label of an arrow. A join has no object, only the task itself. */
function labelOf(wait) {
  if (wait.operation.startsWith("join") && wait.holder !== null) return `waits for T${wait.holder} to end`;
  return wait.for.replaceAll("`", "");
}

function pathOf({ arc, line }) {
  if (!arc) return `M${line.map(({ x, y }) => `${x},${y}`).join("L")}`;
  const { begin, end, ellipse, large } = arc;
  return `M${begin.x},${begin.y}A${ellipse.across},${ellipse.down} 0 ${large ? 1 : 0} 1 ${end.x},${end.y}`;
}

function arrowOf(edge) {
  return drawing("path", { d: pathOf(edge), "marker-end": edge.arc ? "url(#wait-cycle)" : "url(#wait-end)" });
}

function wordsOf({ label: { x, y, width, height } }, words) {
  return [
    drawing("title", {}, words),
    drawing("rect", { x: x - width / 2, y: y - height / 2, width, height }),
    drawing("text", { x, y: y + 4, "text-anchor": "middle" }, shorten(words, LABEL_LETTERS)),
  ];
}

function arrowHead(id) {
  return drawing("marker", {
    id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto",
  }, drawing("path", { d: "M0,0.5 L7.5,4 L0,7.5 z" }));
}

function nodeOf(trace, box, properties) {
  return drawing("g", { transform: `translate(${box.x},${box.y})`, "data-task": box.task, ...properties },
    drawing("title", {}, trace.taskName(box.task)),
    drawing("rect", { x: -box.width / 2, y: -box.height / 2, width: box.width, height: box.height, rx: 4 }),
    drawing("text", { y: 4, "text-anchor": "middle" }, shorten(trace.taskName(box.task), NODE.letters)));
}

export function waitGraph(trace, waits, choose) {
  const waitOf = new Map(waits.map((wait) => [wait.task, wait]));
  const wide = (text, most, letter, margin) => Math.min(text.length, most) * letter + margin;
  const { parts, width, height } = layOut(waits, {
    box: (task) => ({ width: wide(trace.taskName(task), NODE.letters, LETTER.box, 18), height: NODE.height }),
    label: (task) => wide(labelOf(waitOf.get(task)), LABEL_LETTERS, LETTER.label, 8),
  });
  const node = (box) => nodeOf(trace, box, {
    class: waitOf.get(box.task)?.cycle ? "node cycle" : "node",
    tabindex: waitOf.has(box.task) ? "0" : null, role: waitOf.has(box.task) ? "button" : null,
    onclick: () => choose(box.task), onkeydown: (event) => event.key === "Enter" && choose(box.task),
  });
  const words = waits.map((wait) => `${trace.taskName(wait.task)} waits for ${wait.for.replaceAll("`", "")}`).join("; ");
  return drawing("svg", {
    class: "waits", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Wait-for graph: ${words}`,
  },
    drawing("defs", {}, arrowHead("wait-end"), arrowHead("wait-cycle")),
    parts.map((part) => drawing("g", { transform: `translate(${part.x},${part.y})` },
      part.edges.map((edge) => drawing("g", { class: edge.arc ? "edge cycle" : "edge" },
        arrowOf(edge), wordsOf(edge, labelOf(waitOf.get(edge.task))))),
      [...part.boxes.values()].map(node))));
}
