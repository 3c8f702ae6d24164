// Papers and questions: only the rows in view are in the page, so that ten thousand cells are as quick as ten.
import { ahead, go } from "./app.js";

const REVIEW = 1, DISAGREEMENT = 2, DECIDED = 8;
const ROW = 31, MORE = 4;

let root = null, data = null, old = false;
let order = []; // papers that are shown, in their order
let match = null; // which cells match, or null when all do
let hits = null; // which cells the search found, or null
let column = -1; // the question that rows are sorted by
let at = { row: 0, column: 0 }; // where the keyboard is, in `order`
let drawn = [0, 0], scrolled = 0, asking = null, hovering = 0;

const $ = (id) => root.querySelector(`#${id}`);

export function stale() { old = true; }

export async function begin(next) {
  const again = root === next;
  root = next;
  if (!$("grid")) return;
  if (!again) bind();
  if (data && !old) { draw(true); $("scroll").scrollTop = scrolled; focusAgain(); return; }
  const reply = await fetch("/api/matrix");
  data = await reply.json();
  old = false;
  counts();
  heads();
  apply();
  if (again) { $("scroll").scrollTop = scrolled; focusAgain(); }
  root.dataset.ready = "1";
}

export function leave() { if (root && root.isConnected && $("scroll")) scrolled = $("scroll").scrollTop; }

function focusAgain() { if (order.length) focus(at.row, at.column); }

function bind() {
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("find").addEventListener("input", search);
  $("filters").addEventListener("change", (event) => {
    if (event.target.id === "sort") { column = -1; pressed(); }
    if (event.target.id !== "find") apply();
  });
  $("clear").addEventListener("click", () => { $("filters").reset(); hits = null; column = -1; pressed(); apply(); $("find").focus(); });
  $("scroll").addEventListener("scroll", () => draw(false), { passive: true });
  new ResizeObserver(() => { wide(); draw(false); }).observe($("scroll"));
  $("rows").addEventListener("click", (event) => {
    const link = event.target.closest("a.c");
    if (link) at = spot(link);
  });
  $("rows").addEventListener("pointerover", (event) => {
    const link = event.target.closest("a.c");
    clearTimeout(hovering);
    if (!link) return;
    link.title ||= `${link.ariaLabel}\n${data.questions[spot(link).column].text}`;
    hovering = setTimeout(() => ahead(link.getAttribute("href")), 40);
  });
  $("heads").addEventListener("click", (event) => {
    const head = event.target.closest(".col");
    if (!head) return;
    column = column === Number(head.dataset.column) ? -1 : Number(head.dataset.column);
    pressed();
    apply();
  });
}

async function search() {
  const text = $("find").value.trim();
  asking?.abort();
  if (!text) { hits = null; apply(); return; }
  asking = new AbortController();
  try {
    const reply = await fetch(`/api/search?q=${encodeURIComponent(text)}`, { signal: asking.signal });
    const found = await reply.json();
    hits = new Uint8Array(data.papers.length * data.questions.length);
    for (const n of found) hits[n] = 1;
    apply();
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

function counts() {
  for (const box of root.querySelectorAll("[name=flag]")) {
    let number = 0;
    for (const row of data.flags) for (const flags of row) if (flags & box.value) number++;
    box.nextElementSibling.querySelector("b").textContent = number.toLocaleString("en");
  }
}

function apply() {
  const wanted = [...root.querySelectorAll("[name=flag]:checked")].map((box) => Number(box.value));
  const status = $("status").value;
  const width = data.questions.length;
  const all = !hits && !wanted.length && !status;
  match = all ? null : new Uint8Array(data.papers.length * width);
  order = [];
  let cells = 0;
  for (let row = 0; row < data.papers.length; row++) {
    if (all) { order.push(row); continue; }
    let some = false;
    for (let n = 0; n < width; n++) {
      const flags = data.flags[row][n];
      if (hits && !hits[row * width + n]) continue;
      if (status && data.status[row][n] !== status) continue;
      if (!wanted.every((flag) => flags & flag)) continue;
      match[row * width + n] = 1;
      some = true;
      cells++;
    }
    if (some) order.push(row);
  }
  sort($("sort").value);
  $("matched").textContent = all
    ? `${plural(order.length, "paper")} × ${plural(width, "question")}`
    : `${plural(cells, "cell")} in ${plural(order.length, "paper")}`;
  $("nothing").hidden = order.length > 0;
  at = { row: Math.min(at.row, Math.max(0, order.length - 1)), column: Math.min(at.column, width - 1) };
  draw(true);
}

const plural = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
const count = (row, sign) => { let n = 0; for (const code of data.status[row]) if (code === sign) n++; return n; };
const reviews = (row) => data.flags[row].filter((flags) => flags & REVIEW).length;

function sort(by) {
  if (column >= 0) {
    const rank = "rnuaxf.";
    const key = (row) => rank.indexOf(data.status[row][column]);
    order.sort((a, b) => key(a) - key(b) || data.sure[b][column] - data.sure[a][column] || a - b);
  } else if (by === "title") order.sort((a, b) => data.papers[a][1].localeCompare(data.papers[b][1]) || a - b);
  else if (by === "year") order.sort((a, b) => (data.papers[b][3] ?? 0) - (data.papers[a][3] ?? 0) || a - b);
  else if (by === "reported") order.sort((a, b) => count(b, "r") - count(a, "r") || a - b);
  else if (by === "review") order.sort((a, b) => reviews(b) - reviews(a) || a - b);
}

function pressed() {
  for (const head of root.querySelectorAll(".col")) head.setAttribute("aria-pressed", String(Number(head.dataset.column) === column));
}

function make(name, attributes = {}, text) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Names of papers stay in view only where there is something to scroll past them. */
function wide() {
  const view = $("scroll");
  view.classList.toggle("wide", $("grid").offsetWidth > view.clientWidth);
}

function heads() {
  const row = $("heads");
  row.replaceChildren(make("th", { class: "name", scope: "col" }, "Paper"));
  data.questions.forEach((question, n) => {
    const share = question.read ? question.reported / question.read : 0;
    const percent = (value) => `${Math.round(value * 100)} %`;
    const words = question.read
      ? `${question.id}: ${question.text} Reported in ${question.reported} of ${question.read} papers, ${percent(share)}, 95 % interval ${percent(question.low)} to ${percent(question.high)}.`
      : `${question.id}: ${question.text} Nothing is known yet.`;
    const head = make("th", { scope: "col" });
    const button = make("button", { type: "button", class: "col", "data-column": n, "aria-pressed": "false", title: `${words} Click to sort by it.`, "aria-label": words });
    button.append(bar(share, question), make("span", {}, question.id));
    head.append(button);
    row.append(head);
  });
  row.append(make("th", { class: "sum", scope: "col", title: "Questions reported, of those that were read for" }, "Total"));
  $("grid").style.setProperty("--columns", data.questions.length);
  $("grid").setAttribute("aria-colcount", data.questions.length + 2);
  wide();
}

function bar(share, question) {
  const ns = "http://www.w3.org/2000/svg";
  const high = 36, svg = document.createElementNS(ns, "svg");
  const shape = (name, attributes) => {
    const made = document.createElementNS(ns, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    svg.append(made);
  };
  svg.setAttribute("width", 18); svg.setAttribute("height", high); svg.setAttribute("aria-hidden", "true");
  shape("rect", { class: "well", width: 18, height: high, rx: 3 });
  if (question.read) {
    shape("rect", { class: "bar", y: high * (1 - share), width: 18, height: high * share, rx: 2 });
    const [top, bottom] = [high * (1 - question.high), high * (1 - question.low)];
    shape("path", { class: "whisker", fill: "none", d: `M9 ${top}V${bottom}M6 ${top}h6M6 ${bottom}h6` });
  }
  return svg;
}

function draw(all) {
  if (!data || !root.isConnected) return;
  const view = $("scroll");
  const from = Math.max(0, Math.floor(view.scrollTop / ROW) - MORE);
  const to = Math.min(order.length, Math.ceil((view.scrollTop + view.clientHeight) / ROW) + MORE);
  // Within what is there already nothing has to be done, unless the edge comes near.
  if (!all && drawn[0] <= Math.max(0, from + MORE - 2) && drawn[1] >= Math.min(order.length, to - MORE + 2)) return;
  const held = document.activeElement?.closest?.("a.c");
  drawn = [from, to];
  const body = $("rows");
  if (!body.firstChild) body.append(make("tr", { role: "presentation" }), make("tr", { role: "presentation" }));
  const [above, below] = [body.firstChild, body.lastChild];
  space(above, from * ROW);
  space(below, (order.length - to) * ROW);
  // Rows that are there are written over: laying out a cell costs more than all else, and most stay as they are.
  let row = above.nextSibling;
  for (let n = from; n < to; n++) {
    if (row === below) { row = blank(); body.insertBefore(row, below); }
    fill(row, n);
    row = row.nextSibling;
  }
  while (row !== below) { const gone = row; row = row.nextSibling; gone.remove(); }
  $("grid").setAttribute("aria-rowcount", order.length + 1);
  if (held) find(at.row, at.column)?.focus({ preventScroll: true });
}

function space(row, height) {
  row.style.height = `${height}px`;
  row.hidden = !height;
}

function blank() {
  const row = make("tr"), name = make("th", { class: "name", scope: "row" });
  name.append(make("bdi", {}, " "));
  row.append(name);
  for (let c = 0; c < data.questions.length; c++) {
    const place = make("td");
    place.append(make("a", { "data-go": "", tabindex: -1 }, " "));
    row.append(place);
  }
  row.append(make("td", { class: "sum" }, " "));
  return row;
}

const put = (node, text) => { if (node.data !== text) node.data = text; };

function fill(made, n) {
  const row = order[n], [slug, title, file, year] = data.papers[row];
  made.ariaRowIndex = n + 2;
  made.dataset.row = n;
  const name = made.firstChild;
  name.title = `${title}\n${file}${year ? ` · ${year}` : ""}`;
  put(name.firstChild.firstChild, title);
  const width = data.questions.length, codes = data.status[row], flags = data.flags[row], sure = data.sure[row];
  let reported = 0, read = 0, place = name.nextSibling;
  for (let c = 0; c < width; c++, place = place.nextSibling) {
    const link = place.firstChild, code = codes[c];
    const dim = match !== null && !match[row * width + c];
    const classes = `c ${data.statuses[code][0]}${flags[c] & DECIDED ? " decided" : ""}${flags[c] & REVIEW ? " review" : ""}${dim ? " dim" : ""}`;
    if (link.className !== classes) link.className = classes;
    link.href = `/cell/${slug}/${data.questions[c].slug}`;
    link.ariaLabel = label(code, flags[c], sure[c], data.questions[c].id, data.values[c]?.[row]);
    if (link.title) link.title = "";
    const index = n === at.row && c === at.column ? 0 : -1;
    if (link.tabIndex !== index) link.tabIndex = index;
    put(link.firstChild, data.statuses[code][1]);
    if (code === "r") reported++;
    if (code === "r" || code === "n") read++;
  }
  put(made.lastChild.firstChild, read ? `${reported} / ${read}` : "–");
}

function label(code, flags, sure, id, value) {
  let text = `${id} ${data.statuses[code][2]}`;
  if (value) text += `: ${value}`;
  if (flags & DECIDED) text += ", decided by a person";
  else if (code === "r" || code === "n") text += `, ${sure} % sure`;
  if (flags & REVIEW) text += ", needs review";
  if (flags & DISAGREEMENT) text += ", disagreement";
  return text;
}

const find = (row, c) => $("rows").querySelector(`tr[data-row="${row}"]`)?.cells[c + 1].firstChild;
const spot = (link) => ({ row: Number(link.closest("tr").dataset.row), column: link.parentNode.cellIndex - 1 });

function focus(row, c) {
  const view = $("scroll"), head = $("heads").offsetHeight;
  const top = row * ROW, bottom = top + ROW;
  if (top < view.scrollTop) view.scrollTop = top;
  else if (bottom > view.scrollTop + view.clientHeight - head - 2) view.scrollTop = bottom - view.clientHeight + head + 2;
  const before = find(at.row, at.column);
  at = { row, column: c };
  draw(false);
  before?.setAttribute("tabindex", -1);
  const link = find(row, c);
  if (!link) { draw(true); }
  const here = link ?? find(row, c);
  here?.setAttribute("tabindex", 0);
  here?.focus({ preventScroll: true });
  const name = root.querySelector("#grid .name")?.offsetWidth ?? 0;
  if (here) {
    const [cell, box] = [here.getBoundingClientRect(), view.getBoundingClientRect()];
    if (cell.left < box.left + name) view.scrollLeft -= box.left + name - cell.left + 4;
    else if (cell.right > box.right - 8) view.scrollLeft += cell.right - box.right + 12;
    clearTimeout(hovering);
    hovering = setTimeout(() => ahead(here.getAttribute("href")), 120);
  }
}

export function key(event) {
  if (event.key === "/") { $("find")?.focus(); $("find")?.select(); return true; }
  if (!data || !order.length || event.shiftKey) return false;
  const inside = document.activeElement?.closest?.("a.c");
  const width = data.questions.length, page = Math.max(1, Math.floor($("scroll").clientHeight / ROW) - 3);
  const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], h: [0, -1], l: [0, 1], k: [-1, 0], j: [1, 0],
    PageUp: [-page, 0], PageDown: [page, 0], Home: [0, -width], End: [0, width] };
  const move = moves[event.key];
  if (!move) return false;
  if (!inside) { if (event.target.closest("button, a, input, select")) return false; focus(at.row, at.column); return true; }
  const clamp = (value, most) => Math.min(most, Math.max(0, value));
  focus(clamp(at.row + move[0], order.length - 1), clamp(at.column + move[1], width - 1));
  return true;
}
