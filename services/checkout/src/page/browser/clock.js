/** The times on the checkout page, by the server's clock: the countdown, how long the payer waits, and what is due by now. */

const card = () => /** @type {HTMLElement} */ (document.querySelector("main"));
/** @param {string | undefined} instant @returns {number} */
const untilMs = (instant) => Date.parse(instant ?? "") - Date.now() - Number(document.documentElement.dataset.ahead);

document.addEventListener("card", tick);
setInterval(tick, 1_000);

function tick() {
  for (const element of elements("[data-since]")) write(element, minutesAndSeconds(-untilMs(element.dataset.since)));
  for (const element of elements("[data-from]")) if (untilMs(element.dataset.from) <= 0) delete element.dataset.from;
  for (const element of elements("[data-until]")) countDown(element);
}

/** @param {string} selector @returns {HTMLElement[]} */
function elements(selector) {
  return [...card().querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);
}

/** In seconds for the last two minutes. At the end the page is fetched again. @param {HTMLElement} element */
function countDown(element) {
  const leftMs = untilMs(element.dataset.until);
  write(
    element,
    leftMs > 120_000 ? `${Math.ceil(leftMs / 60_000)}\u00a0min` : `${Math.max(0, Math.ceil(leftMs / 1_000))}\u00a0s`,
  );
  if (leftMs > 0 || element.dataset.over !== undefined) return;
  element.dataset.over = "";
  document.dispatchEvent(new Event("over"));
}

/** @param {number} ms */
function minutesAndSeconds(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {HTMLElement} element @param {string} text */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
