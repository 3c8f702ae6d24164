// One cell: its pages with the quotes marked on them, and what a reviewer does with it.
import { ahead, forget, go, post, say, warm } from "./app.js";

let root = null, data = null, shown = 0, added = [], observer = null, busy = false;
const ZOOMS = [60, 80, 100, 130, 170, 220];
let zoom = 2;

const $ = (id) => root.querySelector(`#${id}`);
const read = (article) => JSON.parse(article.querySelector("#document").textContent);
const picture = (slug, page) => `/paper/${slug}/page/${page}.jpg`;

/** The picture that a page will show first. */
export function first(part) {
  const article = part?.querySelector("#cell");
  if (!article) return "";
  const found = read(article);
  return found.pages.length ? picture(article.dataset.slug, found.places[0]?.page ?? 1) : "";
}

/** Pages that are drawn already stay when the next cell is of the same paper. */
export function reuse(before, next) {
  const [a, b] = [before.querySelector("#pane"), next.querySelector("#pane")];
  if (a && b && a.dataset.paper === b.dataset.paper && a.querySelector(".sheet") && read(next).pages.length) {
    a.querySelector("#use").hidden = true;
    b.replaceWith(a);
  }
}

export function begin(article) {
  root = article;
  data = read(article);
  shown = -1;
  added = [];
  busy = false;
  if (data.pages.length) sheets();
  bind();
  show(0, false);
  later();
}

/** When this one is on screen, the ones around it are fetched. */
function later() {
  const links = root.dataset;
  const near = [links.after, links.right, links.down, links.before, links.left, links.up];
  setTimeout(() => { if (root.dataset === links && root.isConnected) near.slice(0, 3).forEach(ahead); }, 150);
}

// Pages

function sheets() {
  const viewer = $("viewer");
  if (!viewer.querySelector(".sheet")) {
    data.pages.forEach(([width, height], n) => {
      const sheet = document.createElement("div");
      sheet.className = "sheet";
      sheet.dataset.page = n + 1;
      sheet.style.aspectRatio = `${width || 1} / ${height || 1.4}`;
      viewer.append(sheet);
    });
    zoomed(zoom);
  }
  observer?.disconnect();
  observer = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { load(entry.target); words(entry.target); }
  }, { root: viewer, rootMargin: "120px" });
  for (const sheet of viewer.querySelectorAll("rect")) sheet.remove();
}

function load(sheet) {
  const there = sheet.querySelector("img");
  if (there) return there;
  const image = document.createElement("img");
  image.alt = `Page ${sheet.dataset.page}`;
  image.addEventListener("error", () => {
    const note = document.createElement("p");
    note.className = "not-drawn";
    note.textContent = "This page can’t be drawn: the file was moved or changed since it was read.";
    sheet.append(note);
    image.remove();
    root.dataset.shown = shown;
  });
  image.src = picture(root.dataset.slug, sheet.dataset.page);
  sheet.prepend(image);
  return image;
}

const measure = document.createElement("canvas").getContext("2d");

/** Its words, which nobody sees, in their places over the picture: what can be selected. */
async function words(sheet) {
  if (sheet.dataset.words) return;
  sheet.dataset.words = "asked";
  const [width, height] = data.pages[sheet.dataset.page - 1]; // now: when the words come, another cell may be shown
  const reply = await fetch(`/paper/${root.dataset.slug}/page/${sheet.dataset.page}.json`);
  if (!reply.ok) return;
  const layer = document.createElement("div");
  layer.className = "layer";
  measure.font = '100px "Liberation Sans", Arial, sans-serif';
  for (const [text, x0, y0, x1, y1] of await reply.json()) {
    const word = document.createElement("span");
    word.textContent = `${text} `;
    const size = y1 - y0;
    word.style.left = `${(100 * x0) / width}%`;
    word.style.top = `${(100 * y0) / height}%`;
    word.style.fontSize = `${(100 * size) / width}cqw`;
    const natural = (measure.measureText(text).width * size) / 100;
    if (natural > 0) word.style.transform = `scaleX(${(x1 - x0) / natural})`;
    layer.append(word);
  }
  sheet.append(layer);
  sheet.dataset.words = "there";
}

function boxes(sheet) {
  const page = Number(sheet.dataset.page), ns = "http://www.w3.org/2000/svg";
  let svg = sheet.querySelector("svg");
  if (!svg) {
    svg = document.createElementNS(ns, "svg");
    svg.setAttribute("viewBox", `0 0 ${data.pages[page - 1].join(" ")}`);
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("preserveAspectRatio", "none");
    sheet.append(svg);
  }
  svg.replaceChildren();
  data.places.forEach((place, n) => {
    if (place.kind === "close" && n !== shown) return;
    for (const [on, x0, y0, x1, y1] of place.boxes) {
      if (on !== page) continue;
      const box = document.createElementNS(ns, "rect");
      box.setAttribute("class", `${place.kind}${n === shown ? " on" : ""}`);
      for (const [name, value] of [["x", x0 - 1], ["y", y0 - 1], ["width", x1 - x0 + 2], ["height", y1 - y0 + 2], ["rx", 1.5]]) box.setAttribute(name, value);
      svg.append(box);
    }
  });
}

/** Shows a place: its boxes on its page, scrolled to where they are. */
function show(n, focus = true) {
  if (!data.places.length) { shown = 0; if (data.pages.length) turn(1); return; }
  shown = (n + data.places.length) % data.places.length;
  const place = data.places[shown];
  for (const button of root.querySelectorAll("[data-place]")) {
    const on = Number(button.dataset.place) === shown;
    if (on) { button.setAttribute("aria-current", "true"); if (focus) button.scrollIntoView({ block: "nearest" }); }
    else button.removeAttribute("aria-current");
  }
  if ($("which")) $("which").textContent = `${shown + 1} of ${data.places.length}`;
  if (data.pages.length) turn(place.page, place.boxes.find((box) => box[0] === place.page));
  else mark();
}

function mark() {
  const viewer = $("viewer");
  let begun = null;
  for (const piece of viewer.querySelectorAll("mark")) {
    const on = piece.dataset.at.split(" ").includes(String(shown));
    piece.classList.toggle("on", on);
    if (on) begun ??= piece;
  }
  if (begun) scroll(begun.getBoundingClientRect().top - viewer.getBoundingClientRect().top + viewer.scrollTop);
  root.dataset.shown = shown;
}

function turn(page, box) {
  const sheet = $("viewer").querySelector(`.sheet[data-page="${page}"]`);
  if (!sheet) return;
  const image = load(sheet);
  for (const one of $("viewer").querySelectorAll(".sheet")) if (one === sheet || one.querySelector("svg") || data.places.some((p) => p.boxes.some((b) => b[0] === Number(one.dataset.page)))) boxes(one);
  scroll(sheet.offsetTop + (box ? (box[2] / data.pages[page - 1][1]) * sheet.offsetHeight : 0));
  if (box) across(sheet, box, page);
  $("page-number").textContent = `Page ${page} of ${data.pages.length}`;
  delete root.dataset.shown;
  const here = root, which = shown;
  image.decode().catch(() => {}).then(() => {
    if (root !== here || which !== shown) return;
    root.dataset.shown = shown;
    for (const one of $("viewer").querySelectorAll(".sheet")) observer.observe(one);
  });
}

function across(sheet, box, page) {
  const viewer = $("viewer"), x = (box[1] / data.pages[page - 1][0]) * sheet.offsetWidth;
  if (sheet.offsetWidth > viewer.clientWidth) viewer.scrollLeft = Math.max(0, x - 30);
}

function scroll(top) {
  const viewer = $("viewer");
  viewer.scrollTop = Math.max(0, top - viewer.clientHeight * 0.3);
}

function zoomed(to) {
  const viewer = $("viewer"), part = viewer.scrollHeight ? viewer.scrollTop / viewer.scrollHeight : 0;
  zoom = Math.min(ZOOMS.length - 1, Math.max(0, to));
  viewer.style.setProperty("--zoom", `${ZOOMS[zoom]}%`);
  viewer.scrollTop = part * viewer.scrollHeight;
}

// Selecting words

function selected() {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || !$("viewer").contains(selection.anchorNode)) return null;
  const range = selection.getRangeAt(0);
  const spans = [...$("viewer").querySelectorAll(".layer span")].filter((span) => range.intersectsNode(span));
  if (!spans.length) {
    const text = selection.toString().replace(/\s+/g, " ").trim();
    return text ? { words: text, page: null } : null;
  }
  // A selection that ends right before a word touches it, too.
  const whole = spans.filter((span) => {
    const test = document.createRange();
    test.selectNodeContents(span);
    return range.compareBoundaryPoints(Range.END_TO_START, test) < 0 && range.compareBoundaryPoints(Range.START_TO_END, test) > 0;
  });
  const words = whole.map((span) => span.textContent).join("").trim();
  return words ? { words, page: Number(whole[0].closest(".sheet").dataset.page) } : null;
}

document.addEventListener("selectionchange", () => {
  if (!root?.isConnected || !$("use") || !$("editor")) return;
  $("use").hidden = !selected();
});

async function use(wanted) {
  if (!wanted) { say("Select words in the paper first."); return; }
  openEditor(true);
  try {
    const found = await post(`/paper/${root.dataset.slug}/quote`, wanted);
    const value = `${found.start}-${found.end}`;
    let box = root.querySelector(`#picked input[value="${value}"]`);
    if (!box) {
      const item = document.createElement("li"), label = document.createElement("label"), words = document.createElement("span");
      box = document.createElement("input");
      Object.assign(box, { type: "checkbox", name: "quote", value });
      const quote = document.createElement("bdi"), page = document.createElement("span");
      quote.textContent = found.quote.length > 160 ? `${found.quote.slice(0, 157)}…` : found.quote;
      page.className = "note";
      page.textContent = ` p. ${found.page}${found.match === "close" ? ", close match" : ""}`;
      words.append(quote, page);
      label.append(box, words);
      item.append(label);
      $("picked").append(item);
      data.places.push({ page: found.page, boxes: found.boxes, kind: "quote" });
      if (data.pages.length) show(data.places.length - 1, false);
    }
    box.checked = true;
    root.querySelector('#editor [value="reported"]').checked = true;
    $("quote").value = "";
    $("wrong").textContent = "";
    document.getSelection()?.removeAllRanges();
    say("Quote added.");
  } catch (error) {
    wrong(error.message);
  }
}

// Deciding

function wrong(text) { $("wrong").textContent = text; }

async function act(body) {
  if (busy) return;
  busy = true;
  const here = root;
  try {
    const done = await post(root.dataset.address, { reason: $("reason").value, ...body });
    forget();
    const undo = body.action === "undo";
    const again = root.dataset.address + (root.dataset.queue ? "?queue=1" : "");
    await go(root.dataset.queue && !undo ? done.next : again, Boolean(root.dataset.queue && !undo));
    say(done.message); // when the next key counts again: keys that come before are for a page that nobody has seen
  } catch (error) {
    if (root === here) wrong(error.message);
  } finally {
    busy = false;
  }
}

const acts = {
  accept: () => act({ action: "accept" }),
  not_reported: () => act({ action: "correct", status: "not_reported" }),
  reported: () => {
    if (root.dataset.canReport) { act({ action: "correct", status: "reported" }); return; }
    openEditor();
    root.querySelector('#editor [value="reported"]').checked = true;
    say("Select the words that report it, then add them as a quote.");
  },
  edit: () => ($("editor").hidden ? openEditor() : closeEditor()),
  undo: () => act({ action: "undo" }),
  code: (button) => act({ action: "code", values: [button.dataset.code] }),
  side: (button) => act({ action: "side", reviewer: button.dataset.reviewer }),
};

function openEditor(quiet = false) {
  if (!$("editor")) return;
  $("editor").hidden = false;
  root.querySelector("[data-act=edit]").setAttribute("aria-expanded", "true");
  if (!quiet) root.querySelector("#editor textarea[name=text]").focus();
  $("editor").scrollIntoView({ block: "nearest" });
}

export function closeEditor() {
  if (!root || !$("editor") || $("editor").hidden) return false;
  $("editor").hidden = true;
  const edit = root.querySelector("[data-act=edit]");
  edit.setAttribute("aria-expanded", "false");
  edit.focus();
  return true;
}

function save() {
  const form = $("editor");
  const spans = [...form.querySelectorAll("[name=quote]:checked")].map((box) => box.value.split("-").map(Number));
  const status = form.querySelector("[name=status]:checked")?.value;
  if (!status) { wrong("Choose a status."); return; }
  const codes = [...form.querySelectorAll("[name=code]:checked")].map((box) => box.value);
  const given = form.querySelector("[name=value]")?.value.split(";").map((part) => part.trim()).filter(Boolean) ?? [];
  act({ action: "decide", status, text: form.elements.text.value, spans, values: [...codes, ...given] });
}

function bind() {
  for (const button of root.querySelectorAll("[data-act]")) button.addEventListener("click", () => acts[button.dataset.act](button));
  for (const button of root.querySelectorAll("[data-place]")) button.addEventListener("click", () => show(Number(button.dataset.place)));
  $("before")?.addEventListener("click", () => show(shown - 1));
  $("after")?.addEventListener("click", () => show(shown + 1));
  // The pane may have come from the cell before, with its listeners.
  if ($("pane").dataset.bound) { editor(); return; }
  $("pane").dataset.bound = "1";
  $("smaller")?.addEventListener("click", () => zoomed(zoom - 1));
  $("larger")?.addEventListener("click", () => zoomed(zoom + 1));
  $("use").addEventListener("mousedown", (event) => event.preventDefault()); // keeps what is selected
  $("use").addEventListener("click", () => use(selected()));
  let waiting = 0;
  $("viewer").addEventListener("scroll", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      const viewer = $("viewer"), middle = viewer.scrollTop + viewer.clientHeight / 2;
      const sheet = [...viewer.querySelectorAll(".sheet")].findLast((one) => one.offsetTop <= middle);
      if (sheet) $("page-number").textContent = `Page ${sheet.dataset.page} of ${data.pages.length}`;
    });
  }, { passive: true });
  editor();
}

function editor() {
  const form = $("editor");
  if (!form) return;
  form.addEventListener("submit", (event) => { event.preventDefault(); save(); });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); save(); }
  });
  $("cancel").addEventListener("click", closeEditor);
  $("add-quote").addEventListener("click", () => {
    const words = $("quote").value.trim();
    if (words) use({ words, page: null }); else wrong("Select words in the paper, or paste them here.");
  });
}

export function key(event) {
  const link = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", j: "after", k: "before" }[event.key];
  if (link) {
    if (event.shiftKey || (event.key.startsWith("Arrow") && event.target.closest("#viewer, [type=radio]"))) return false;
    const to = root.dataset[link];
    if (to) go(to); else say(link === "after" || link === "before" ? "Nothing else in the queue." : "That is the last one.");
    return true;
  }
  if (event.key === "[" || event.key === "]") { show(shown + (event.key === "]" ? 1 : -1)); return true; }
  if (event.key === "q" && $("editor")) { use(selected()); return true; }
  if (event.key === "c" && $("reason")) { $("reason").focus(); return true; }
  if (event.key === "Escape" && closeEditor()) return true;
  const name = { a: "accept", r: "reported", n: "not_reported", e: "edit", u: "undo" }[event.key];
  const button = name ? root.querySelector(`[data-act=${name}]`) : /^[1-9]$/.test(event.key) ? root.querySelector(`[data-key="${event.key}"]`) : null;
  if (button && !button.disabled) { acts[button.dataset.act](button); return true; }
  return Boolean(name);
}
