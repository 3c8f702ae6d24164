// Moving between pages without loading them whole, and what all of them share.
import * as matrix from "./matrix.js";
import * as cell from "./cell.js";

const csrf = document.querySelector("meta[name=csrf]").content;
const main = document.getElementById("main");
const toast = document.getElementById("toast");
const kept = new Map(); // parts that were fetched ahead: address -> promise of their HTML
const pictures = new Map(); // pictures that were fetched ahead, so that the browser keeps them decoded
let shelf = null; // the matrix, while something else is shown
let latest = 0;

export function say(text) {
  toast.textContent = text;
  toast.classList.add("on");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => toast.classList.remove("on"), 2200);
}

export async function post(address, body) {
  const reply = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
    body: JSON.stringify(body),
  });
  const result = await reply.json().catch(() => ({ error: "The server's reply could not be understood; reload the page." }));
  if (!reply.ok) throw new Error(result.error || "That did not work; load the page again.");
  return result;
}

async function part(address) {
  const reply = await fetch(address, { headers: { "X-Part": "1" } });
  if (reply.status === 401) { location.reload(); throw new Error("locked"); }
  const html = await reply.text();
  if (!reply.ok) throw new Error(problem(html));
  return { html, address: reply.redirected ? new URL(reply.url).pathname + new URL(reply.url).search : address };
}

function problem(body) {
  try { return JSON.parse(body).error; } catch { return "That page can’t be shown; load it again."; }
}

/** Fetches a page, and the picture that it will show first, before somebody asks for it. */
export function ahead(address) {
  if (!address || kept.has(address)) return;
  const wanted = part(address);
  kept.set(address, wanted);
  wanted.then(({ html }) => {
    const source = cell.first(parse(html));
    if (source) warm(source);
  }).catch(() => kept.delete(address));
  if (kept.size > 60) kept.delete(kept.keys().next().value);
}

export function warm(source) {
  if (pictures.has(source)) return pictures.get(source);
  const image = new Image();
  image.src = source;
  pictures.set(source, image);
  if (pictures.size > 40) pictures.delete(pictures.keys().next().value);
  return image;
}

/** What was fetched ahead is no longer true. */
export function forget() {
  kept.clear();
  matrix.stale();
}

function parse(html) {
  return new DOMParser().parseFromString(html, "text/html").getElementById("part");
}

export async function go(address, push = true) {
  const turn = ++latest;
  if (address === "/" && shelf) return show(shelf, "/", push);
  let found;
  try {
    found = await (kept.get(address) ?? part(address));
  } catch (error) {
    if (turn === latest && error.message !== "locked") say(error.message);
    return;
  }
  kept.delete(address);
  if (turn === latest) show(document.importNode(parse(found.html), true), found.address, push);
}

function show(next, address, push) {
  const old = document.getElementById("part");
  if (old === next) return;
  if (old.dataset.page === "matrix") shelf = old;
  if (push) history.pushState(null, "", address);
  matrix.leave();
  cell.reuse(old, next);
  old.replaceWith(next);
  document.title = next.dataset.title;
  begin(next);
  if (next.dataset.page !== "matrix") main.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

function begin(root) {
  header(root.dataset);
  const page = root.dataset.page;
  for (const link of document.querySelectorAll("[data-nav]")) {
    if (link.dataset.nav === page) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (page === "matrix") matrix.begin(root);
  else if (root.querySelector("#cell")) cell.begin(root.querySelector("#cell"));
}

export function header(data) {
  if (data.waiting === undefined) return;
  const waiting = document.getElementById("waiting");
  waiting.textContent = Number(data.waiting).toLocaleString("en");
  waiting.classList.toggle("none", data.waiting === "0");
  const bar = document.getElementById("progress");
  const done = data.toReview - data.left;
  bar.max = Math.max(1, data.toReview);
  bar.value = done;
  document.getElementById("progress-words").textContent =
    `${done.toLocaleString("en")} of ${Number(data.toReview).toLocaleString("en")} reviewed`;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-go]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});

const help = document.getElementById("help");
document.getElementById("help-open").addEventListener("click", () => help.showModal());

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const root = document.getElementById("part");
  const open = root.querySelector("#cell");
  const typing = event.target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select");
  if (typing) {
    if (event.key === "Escape") { typing.blur(); if (open) cell.closeEditor(); event.preventDefault(); }
    return;
  }
  if (event.key === "?") { help.showModal(); event.preventDefault(); return; }
  if (event.key === "g") { go("/queue"); event.preventDefault(); return; }
  if (open ? cell.key(event) : root.dataset.page === "matrix" ? matrix.key(event) : false) { event.preventDefault(); return; }
  if (event.key === "m" || event.key === "Escape") { go("/"); event.preventDefault(); }
});

window.addEventListener("popstate", () => go(location.pathname + location.search, false));
begin(document.getElementById("part"));
