// help.js - the keys, in one table that the key handler and the help share, so that every listed
// key works.
import { element } from "./dom.js";

/** Each row has the name of the key, its text for the help, and the action. */
export const KEYS = [
  { keys: ["ArrowDown", "j"], show: "\u2193 \u2191", words: "next and previous step", act: (host) => host.move(1) },
  { keys: ["ArrowUp", "k"], act: (host) => host.move(-1) },
  { keys: ["ArrowRight"], show: "\u2192 \u2190", words: "next and previous step of the same task", act: (host) => host.moveInTask(1) },
  { keys: ["ArrowLeft"], act: (host) => host.moveInTask(-1) },
  { keys: ["PageDown"], show: "PgDn PgUp", words: "twenty steps on and back", act: (host) => host.move(20) },
  { keys: ["PageUp"], act: (host) => host.move(-20) },
  { keys: ["Home"], show: "Home End", words: "the first step; the failure", act: (host) => host.goTo(0) },
  { keys: ["End"], act: (host) => host.goTo(Infinity) },
  { keys: ["/"], show: "/", words: "search; Enter and Shift+Enter go from hit to hit", act: (host) => host.search.focus() },
  { keys: ["n"], show: "n N", words: "next and previous hit", act: (host) => host.search.next(1) },
  { keys: ["N"], act: (host) => host.search.next(-1) },
  { keys: ["+", "="], show: "+ \u2212", words: "larger and smaller rows; also Ctrl+wheel", act: (host) => host.zoomBy(1) },
  { keys: ["-"], act: (host) => host.zoomBy(-1) },
  { keys: ["0"], show: "0", words: "the usual size", act: (host) => host.zoomUsual() },
  { keys: ["f"], show: "f", words: "fit the whole schedule in view", act: (host) => host.zoomToFit() },
  { keys: ["p"], show: "p", words: "the passing schedule side by side", act: (host) => host.togglePassing() },
  { keys: ["d"], show: "d", words: "show or hide the details of the finding", act: (host) => host.togglePlaces() },
  { keys: ["t"], show: "t", words: "light or dark", act: (host) => host.toggleTheme() },
  { keys: ["?"], show: "?", words: "this text", act: (host) => host.help.showModal() },
];

const LEGEND = [
  ["legend-thread", "the thread of control: which task runs, and where it switches"],
  ["legend-order", "an order that matters (if it follows from others, it is left out)"],
  ["legend-message", "a message, from its send to its receive"],
  ["legend-band", "a lock that is held; a lighter band is shared by readers"],
  ["legend-waiting", "waiting for a lock, a message, a signal, another task"],
];

export function helpDialog() {
  const rows = KEYS.filter((key) => key.show).map((key) =>
    element("tr", {}, element("td", {}, element("kbd", {}, key.show)), element("td", {}, key.words)));
  const legend = LEGEND.map(([name, words]) =>
    element("tr", {}, element("td", {}, element("span", { class: `legend ${name}` })), element("td", {}, words)));
  const dialog = element("dialog", { class: "help", "aria-label": "Help" },
    element("h2", {}, "Keys"), element("table", {}, rows),
    element("h2", {}, "Signs"), element("table", {}, legend),
    element("form", { method: "dialog" }, element("button", {}, "Close")));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
