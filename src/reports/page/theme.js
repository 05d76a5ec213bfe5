// theme.js - light and dark: the preference of the system, until the reader chooses. A page from
// disk may have no storage; then the choice lasts as long as the page.
import { button } from "./dom.js";

const KEY = "heddle-theme";

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // There is no storage: the choice lasts as long as the page.
  }
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function prepareTheme() {
  const theme = stored();
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

export function toggleTheme() {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  store(theme);
}

export function themeButton() {
  return button("\u25d0", "Light or dark (t)", toggleTheme, { class: "icon", id: "theme", "aria-label": "Light or dark" });
}
