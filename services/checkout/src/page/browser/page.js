/**
 * What the checkout page does beyond forms and refreshing: it counts down, follows the session, and tells the window that opened it.
 * Every card is rendered by the server; this puts the newest one in place of the one that is shown.
 */

const ALIVE_WITHIN_MS = 45_000;
const POLL_MIN_MS = 3_000;
const POLL_MAX_MS = 60_000;
const STREAM_AGAIN_MS = 60_000;

/** @typedef {{ createHTML(markup: string): string }} Policy */
/** @type {Policy} */
const identity = { createHTML: (markup) => markup };
/** The one door by which text becomes markup, open to this script alone: what passes is what our server rendered. */
const policy =
  "trustedTypes" in window
    ? /** @type {{ createPolicy(name: string, rules: Policy): Policy }} */ (window.trustedTypes).createPolicy(
        "card",
        identity,
      )
    : identity;

const announcement = document.getElementById("announcement");
const connection = document.getElementById("connection");
const card = () => /** @type {HTMLElement} */ (document.querySelector("main"));
const reference = card().dataset.reference;
const address = `/pay/${reference}`;

/** The server's clock less this device's. */
let clockAheadMs = 0;

// ---- the card ----

/**
 * Puts the card of a page, or a card alone, in place of the one that is shown. One of the same state is left, so that nobody's marking
 * or typing is undone; a form's answer is shown in any case. What was rendered from an older copy than the card that is shown says
 * what is so no more, and is left out: answers overtake each other.
 * @param {string} markup
 * @param {{ always?: boolean }} [how]
 */
function show(markup, { always = false } = {}) {
  // A whole page brings its style with it, under a nonce that is not this page's; the same is here already.
  const unstyled = markup.replace(/<style.*?<\/style>/s, "");
  const shown = new DOMParser().parseFromString(policy.createHTML(unstyled), "text/html");
  const next = shown.querySelector("main");
  const last = card();
  if (!next || Number(next.dataset.version) < Number(last.dataset.version)) return;
  if (!always && next.dataset.state === last.dataset.state) return;
  const focused = last.contains(document.activeElement) ? document.activeElement : null;
  const isNews = next.dataset.state !== last.dataset.state;
  if (isNews) next.classList.add("news");
  last.replaceWith(next);
  document.title = shown.title;
  dress();
  const isRead = focused !== null && keepFocus(focused.id);
  if (isNews && !isRead) announce(next.dataset.announcement);
  tellOpener();
}

/**
 * Where it was, at the first mistake, or at the title of what is new: then it is read out from there.
 * @param {string} id
 */
function keepFocus(id) {
  const title = document.getElementById("state");
  const target = card().querySelector("[aria-invalid]") ?? document.getElementById(id) ?? title;
  if (target instanceof HTMLElement) target.focus({ preventScroll: target === title });
  return target === title;
}

/** @param {string | undefined} text */
function announce(text) {
  if (announcement && text) announcement.textContent = text;
}

/** What works only with this script is shown with it, and the clock is set by the card. */
function dress() {
  const main = card();
  if (main.dataset.now) clockAheadMs = Date.parse(main.dataset.now) - Date.now();
  for (const button of main.querySelectorAll("button[data-copy]")) button.removeAttribute("hidden");
  if (window.opener) document.getElementById("close")?.removeAttribute("hidden");
  countDown();
}

document.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("#close")) window.close();
});

// ---- the countdown ----

/** By the server's clock. In its last two minutes it counts seconds. When it is over the page is asked for again. */
function countDown() {
  for (const left of card().querySelectorAll("[data-until]")) {
    if (!(left instanceof HTMLElement)) continue;
    const leftMs = Date.parse(left.dataset.until ?? "") - (Date.now() + clockAheadMs);
    const text =
      leftMs > 120_000 ? `${Math.ceil(leftMs / 60_000)}\u00a0min` : `${Math.max(0, Math.ceil(leftMs / 1_000))}\u00a0s`;
    if (left.textContent !== text) left.textContent = text;
    if (leftMs > 0 || left.dataset.over !== undefined) continue;
    left.dataset.over = "";
    void ask({ always: true });
  }
}

// ---- following the session ----

/** @type {EventSource | undefined} */
let stream;
let heardAt = performance.now();
let streamAt = 0;
/** @type {number | undefined} */
let timer;
let waitMs = POLL_MIN_MS;

const isFollowed = () => reference !== undefined && card().dataset.followed !== undefined;
const isStreaming = () => stream?.readyState === EventSource.OPEN && performance.now() - heardAt < ALIVE_WITHIN_MS;

/** Opens the stream; it comes back by itself when it breaks, unless it was refused. */
function openStream() {
  stream?.close();
  streamAt = heardAt = performance.now();
  const { version = "0" } = card().dataset;
  stream = new EventSource(`${address}/live?version=${version}`);
  const heard = () => {
    heardAt = performance.now();
    waitMs = POLL_MIN_MS;
    setOffline(false);
  };
  stream.addEventListener("open", heard);
  stream.addEventListener("alive", heard);
  stream.addEventListener("card", (event) => {
    heard();
    show(event.data);
    if (!isFollowed()) stream?.close();
  });
}

/** Whatever is due: nothing while the stream is alive; otherwise the session is polled, and now and then the stream tried again. */
async function follow() {
  clearTimeout(timer);
  if (!isFollowed()) return stream?.close();
  if (!isStreaming()) {
    if (!stream || (stream.readyState !== EventSource.CONNECTING && performance.now() - streamAt > STREAM_AGAIN_MS))
      openStream();
    await poll();
  }
  timer = setTimeout(follow, waitMs);
}

async function poll() {
  try {
    const response = await fetch(`/checkout/${reference}`, { headers: { accept: "application/json" } });
    if (!response.ok) throw new Error(String(response.status));
    const session = await response.json();
    setOffline(false);
    waitMs = session.poll_after_ms;
    clockAheadMs = Date.parse(session.server_time) - Date.now();
    const state = [session.status, session.amount_received, session.details_required, session.expires_at].join(" ");
    if (state !== card().dataset.state) await ask();
  } catch (error) {
    setOffline(error instanceof TypeError);
    waitMs = Math.min(POLL_MAX_MS, waitMs * 2);
  }
}

/** Asks for the page itself and shows its card. @param {{ always?: boolean }} [how] */
async function ask(how) {
  const response = await fetch(address).catch(() => undefined);
  if (response?.ok) show(await response.text(), how);
}

/** @param {boolean} isOffline */
function setOffline(isOffline) {
  if (connection) connection.hidden = !isOffline;
}

// ---- forms ----

/** A form's answer is shown in place, without the wait for a whole page. When that fails the browser sends it as it would have. */
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!reference || !(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  const { submitter } = event;
  if (submitter instanceof HTMLButtonElement && submitter.name) fields.append(submitter.name, submitter.value);
  try {
    const response = await fetch(form.action, { method: "POST", body: fields });
    show(await response.text(), { always: true });
    form.removeAttribute("aria-busy");
    void follow();
  } catch {
    form.removeAttribute("aria-busy");
    setOffline(true);
  }
});

// ---- the window that opened this one ----

/** Of the window that opened this one, once it has shown that it knows the payment: a reference is told to nobody. */
let openerOrigin = "";

/** An opener is asked which payment it opened, and told how that one stands, whenever it changes. */
function greetOpener() {
  if (!window.opener || !reference) return;
  window.addEventListener("message", ({ source, origin, data }) => {
    if (source !== window.opener || origin === "null" || data?.source !== "collect" || data.reference !== reference)
      return;
    openerOrigin = origin;
    tellOpener();
  });
  window.opener.postMessage({ source: "collect", ready: true }, "*");
}

function tellOpener() {
  const { status } = card().dataset;
  if (openerOrigin && status) window.opener?.postMessage({ source: "collect", reference, status }, openerOrigin);
}

dress();
greetOpener();
const mistake = card().querySelector("[aria-invalid]");
if (mistake instanceof HTMLElement) mistake.focus();
setInterval(countDown, 1_000);
if (isFollowed()) {
  openStream();
  timer = setTimeout(follow, waitMs);
  const now = () => document.visibilityState === "visible" && void follow();
  document.addEventListener("visibilitychange", now);
  window.addEventListener("online", now);
  window.addEventListener("pageshow", (event) => event.persisted && now());
}
