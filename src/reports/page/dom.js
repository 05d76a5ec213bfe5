// dom.js - makes elements in one expression. Texts are only ever set as text, so nothing in them is
// markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") node.style.cssText = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** element("p", { class: "note", onclick: f }, "text", otherElement, [more]) */
export function element(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for parts of a drawing (SVG). */
export function drawing(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

export function button(label, title, action, properties = {}) {
  return element("button", { type: "button", title, onclick: action, ...properties }, label);
}

/** 1 step, 2 steps */
export function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

export function basename(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}
