// page.js - the entry of the page: the data decide whether a run or a trace is shown.
import { showRun } from "./run.js";
import { showTrace } from "./trace.js";
import { prepareTheme } from "./theme.js";

const views = { trace: showTrace, run: showRun };
const data = JSON.parse(document.getElementById("data").textContent);

prepareTheme();
views[data.view](data, document.body);
