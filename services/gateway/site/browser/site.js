import MiniSearch from "./minisearch.js";

/** The search, whose index is loaded when it is first used, and a button that copies each block of code. */

const box = document.querySelector("search");
const input = box.querySelector("input");
const list = box.querySelector("ol");
const RESULTS_MAX = 12;
let index;

async function load() {
  const response = await fetch("/docs/search.json");
  const { options, index: stored } = await response.json();
  return MiniSearch.loadJS(stored, options);
}

async function search() {
  index ??= load();
  const words = input.value.trim();
  const results = words ? (await index).search(words).slice(0, RESULTS_MAX) : [];
  if (words !== input.value.trim()) return;
  list.replaceChildren(...(words && results.length === 0 ? [note("Nothing found")] : results.map(item)));
  list.hidden = !words;
}

function item({ id, title, page }) {
  const entry = document.createElement("li");
  const link = document.createElement("a");
  link.href = id;
  link.textContent = title;
  if (page !== title) {
    const where = document.createElement("small");
    where.textContent = page;
    link.append(where);
  }
  entry.append(link);
  return entry;
}

function note(text) {
  const entry = document.createElement("li");
  entry.textContent = text;
  return entry;
}

/** The arrows move through the results, Enter opens the first one, Escape closes them. */
function onKey(event) {
  const links = [...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "Escape") {
    input.value = "";
    list.hidden = true;
    input.focus();
  } else if (event.key === "ArrowDown") (links[at + 1] ?? links[0])?.focus();
  else if (event.key === "ArrowUp") (links[at - 1] ?? input).focus();
  else if (event.key === "Enter" && at < 0) links[0]?.click();
  else return;
  event.preventDefault();
}

function addCopyButton(block) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent.trimEnd());
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1_500);
  });
  const frame = document.createElement("div");
  frame.className = "code";
  block.parentElement.replaceWith(frame);
  frame.append(block.parentElement, button);
}

box.hidden = false;
input.addEventListener("input", search);
box.addEventListener("keydown", onKey);
box.addEventListener("focusout", ({ relatedTarget }) => {
  if (!box.contains(relatedTarget)) list.hidden = true;
});
input.addEventListener("focus", () => input.value.trim() && search());
// A list in the page's own window: a link to a heading of the same page leaves it open otherwise.
list.addEventListener("click", () => (list.hidden = true));
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  input.focus();
});
// What a command prints need not be copied. Where the browser offers no clipboard (plain http on another host), a button could only fail.
if (navigator.clipboard)
  for (const block of document.querySelectorAll("pre:is(.sh, .js, .ts, .html) > code")) addCopyButton(block);
