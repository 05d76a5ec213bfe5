// stack.js - call stacks with the source around each place.
import { element } from "./dom.js";

const AROUND = 3;

/** The lines around a frame, or its only known line, or nothing. */
export function excerpt(trace, frame, around = AROUND) {
  const file = trace.lines[frame.file] ?? {};
  const lines = [];
  for (let number = frame.line - around; number <= frame.line + around; number++) {
    const text = file[number] ?? (number === frame.line ? frame.source : undefined);
    if (text !== undefined && text !== "") lines.push([number, text]);
    else if (text === "" && lines.length) lines.push([number, ""]);
  }
  while (lines.length && lines.at(-1)[1].trim() === "") lines.pop();
  if (!lines.length) return null;
  const indent = Math.min(...lines.filter(([, text]) => text.trim()).map(([, text]) => text.match(/^\s*/)[0].length));
  return element("pre", { class: "excerpt", tabindex: "-1" }, lines.map(([number, text]) =>
    element("span", { class: number === frame.line ? "line here" : "line" },
      element("span", { class: "number" }, String(number)),
      element("code", {}, text.slice(indent).replaceAll("\t", "    ") || " "))));
}

function frameTitle(trace, frame, depth) {
  const place = frame.file ? `${trace.shortPath(frame.file)}:${frame.line}` : frame.module;
  return [
    element("span", { class: "depth" }, `#${depth}`),
    element("span", { class: "function", title: frame.short && frame.function }, frame.short ?? (frame.function || "??")),
    " ",
    element("span", { class: "place", title: frame.file || frame.module }, place),
  ];
}

/** The frame in the user's code is open; other frames with a source can be opened. */
export function stackList(trace, stack, around) {
  const frames = trace.stackFrames(stack);
  if (!frames.length) return element("p", { class: "faint" }, "no stack was recorded");
  const place = trace.placeOf(stack);
  let opened = false;
  return element("ol", { class: "stack" }, frames.map((frame, depth) => {
    const title = frameTitle(trace, frame, depth);
    const source = excerpt(trace, frame, around);
    const open = frame === place && !opened;
    opened = opened || open;
    if (!source) return element("li", {}, element("div", { class: "frame" }, title));
    return element("li", {}, element("details", { open }, element("summary", { class: "frame" }, title), source));
  }));
}
