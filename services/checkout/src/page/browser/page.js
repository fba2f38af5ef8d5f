/**
 * What the checkout page does beyond forms and reloads: it follows the session, and reports to the window that opened it.
 * Every card is rendered by the server; this script replaces the visible card with the newest one.
 */

const ALIVE_WITHIN_MS = 45_000;
const POLL_MIN_MS = 3_000;
const POLL_MAX_MS = 60_000;
const STREAM_RETRY_MS = 60_000;

/** @typedef {{ createHTML(markup: string): string }} Policy */
/** @type {Policy} */
const identity = { createHTML: (markup) => markup };
/**
 * The only way in which text becomes markup, usable only by this script, which passes only markup that our server
 * rendered.
 */
const policy =
  "trustedTypes" in window
    ? /** @type {{ createPolicy(name: string, rules: Policy): Policy }} */ (window.trustedTypes).createPolicy(
        "card",
        identity,
      )
    : identity;

const announcement = document.getElementById("announcement");
const connection = document.getElementById("connection");
const unsent = document.getElementById("unsent");
const card = () => /** @type {HTMLElement} */ (document.querySelector("main"));
const reference = card().dataset.reference;
const address = `/pay/${reference}`;

// ---- the card ----

/**
 * Replaces the visible card with that of a page, or with a card alone. A card of the same state is not replaced, so that the payer's
 * selection or input is kept; the response to a form is always shown. A card of an older version than the visible one is outdated,
 * because responses can overtake each other, and is dropped. Returns false if there is no card, nor a notice that may take its place.
 * @param {string} markup
 * @param {{ always?: boolean, notice?: boolean }} [how]
 */
function show(markup, { always = false, notice = false } = {}) {
  // A whole page contains its style with another nonce than this page's; the same style is already loaded.
  const unstyled = markup.replace(/<style.*?<\/style>/s, "");
  const parsed = new DOMParser().parseFromString(policy.createHTML(unstyled), "text/html");
  const next = parsed.querySelector("main");
  if (!next || !(notice || next.dataset.reference)) return false;
  const last = card();
  if (Number(next.dataset.version) < Number(last.dataset.version)) return true;
  if (!always && next.dataset.state === last.dataset.state) return true;
  const focused = last.contains(document.activeElement) ? document.activeElement : null;
  const isNew = next.dataset.state !== last.dataset.state;
  if (isNew) next.classList.add("news");
  if (isNew) setUnsent(false);
  last.replaceWith(next);
  document.title = parsed.title;
  enhance();
  const isTitleFocused = focused !== null && keepFocus(focused.id);
  if (isNew && !isTitleFocused) announce(next.dataset.announcement);
  notifyOpener();
  return true;
}

/**
 * Restores the focus: to the first mistake, to the same element, or to the title of the new card, which is then read out.
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

/** Sets the clock by the card, and tells the other scripts that there is a new one. */
function enhance() {
  setClock(card().dataset.now);
  document.dispatchEvent(new Event("card"));
  void passCheck();
}

/** Keeps the difference between the clocks of the server and this device. @param {string | undefined} serverTime */
function setClock(serverTime) {
  if (serverTime) document.documentElement.dataset.ahead = String(Date.parse(serverTime) - Date.now());
}

/** Under load the server returns the form with a proof of work: solves it, and submits the same values with it. */
async function passCheck() {
  const form = card().querySelector("form[data-challenge]");
  if (!(form instanceof HTMLFormElement)) return;
  const { challenge = "", difficulty } = form.dataset;
  const { solve } = await import("./proof.js");
  const value = await solve({ challenge, difficulty: Number(difficulty) });
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "proof", value }));
  if (form.isConnected) form.requestSubmit();
}

/** A time of the card has come. */
document.addEventListener("over", () => void fetchCard({ always: true }));

// ---- following the session ----

/** @type {EventSource | undefined} */
let stream;
let lastEventAt = performance.now();
let streamAt = 0;
/** @type {number | undefined} */
let timer;
let waitMs = POLL_MIN_MS;

const isFollowed = () => reference !== undefined && card().dataset.followed !== undefined;
const isStreaming = () => stream?.readyState === EventSource.OPEN && performance.now() - lastEventAt < ALIVE_WITHIN_MS;

/** Opens the stream. The browser reconnects it after a failure, unless it was refused. */
function openStream() {
  stream?.close();
  streamAt = lastEventAt = performance.now();
  const { version = "0" } = card().dataset;
  stream = new EventSource(`${address}/live?version=${version}`);
  const onAlive = () => {
    lastEventAt = performance.now();
    waitMs = POLL_MIN_MS;
    setOffline(false);
  };
  stream.addEventListener("open", onAlive);
  stream.addEventListener("alive", onAlive);
  stream.addEventListener("card", (event) => {
    onAlive();
    show(event.data);
    if (!isFollowed()) stream?.close();
  });
}

/** Does nothing while the stream is alive; otherwise polls the session, and retries the stream from time to time. */
async function follow() {
  clearTimeout(timer);
  if (!isFollowed()) return stream?.close();
  if (!isStreaming()) {
    if (!stream || (stream.readyState !== EventSource.CONNECTING && performance.now() - streamAt > STREAM_RETRY_MS))
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
    setClock(session.server_time);
    const { status, amount_received, details_required, expires_at, amount_reversed } = session;
    const takenBack = amount_reversed ? [amount_reversed] : [];
    const state = [status, amount_received, details_required, expires_at, ...takenBack].join(" ");
    if (state !== card().dataset.state) await fetchCard();
  } catch (error) {
    setOffline(error instanceof TypeError);
    waitMs = Math.min(POLL_MAX_MS, waitMs * 2);
  }
}

/** Fetches the page and shows its card. @param {{ always?: boolean }} [how] */
async function fetchCard(how) {
  const response = await fetch(address).catch(() => undefined);
  if (response?.ok) show(await response.text(), how);
}

/** @param {boolean} isOffline */
function setOffline(isOffline) {
  if (connection) connection.hidden = !isOffline;
}

// ---- forms ----

/** Says that a form did not arrive, until the payer presses again or the state is new. @param {boolean} isUnsent */
function setUnsent(isUnsent) {
  if (unsent) unsent.hidden = !isUnsent;
}

/** Shows the response to a form in place, without loading a whole page. A failure that may pass leaves the card as it is. */
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!reference || !(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  setUnsent(false);
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  const { submitter } = event;
  if (submitter instanceof HTMLButtonElement && submitter.name) fields.append(submitter.name, submitter.value);
  try {
    const response = await fetch(form.action, { method: "POST", body: fields });
    const { status } = response;
    const isFinal = status >= 400 && status < 500 && status !== 429;
    setUnsent(!show(await response.text(), { always: true, notice: isFinal }));
    void follow();
  } catch {
    setUnsent(true);
  } finally {
    form.removeAttribute("aria-busy");
  }
});

// ---- the window that opened this one ----

/** The origin of the opener, once it has proven that it knows the payment. Until then no reference is sent to it. */
let openerOrigin = "";

/** Asks the opener which payment it opened, and reports the status of that payment whenever it changes. */
function greetOpener() {
  if (!window.opener || !reference) return;
  window.addEventListener("message", ({ source, origin, data }) => {
    if (source !== window.opener || origin === "null" || data?.source !== "collect" || data.reference !== reference)
      return;
    openerOrigin = origin;
    notifyOpener();
  });
  window.opener.postMessage({ source: "collect", ready: true }, "*");
}

function notifyOpener() {
  const { status } = card().dataset;
  if (openerOrigin && status) window.opener?.postMessage({ source: "collect", reference, status }, openerOrigin);
}

enhance();
greetOpener();
const mistake = card().querySelector("[aria-invalid]");
if (mistake instanceof HTMLElement) mistake.focus();
if (isFollowed()) {
  openStream();
  timer = setTimeout(follow, waitMs);
  const now = () => document.visibilityState === "visible" && void follow();
  document.addEventListener("visibilitychange", now);
  window.addEventListener("online", now);
  window.addEventListener("pageshow", (event) => event.persisted && now());
}
