/**
 * Opens a checkout from a merchant's page: `Collect.checkout({ key, amount, … })`, or a button with data-collect-… attributes.
 * In its own window or by redirect, never in a frame: payers can check in the address bar which site they are on.
 * What it reports is only for the page. Before you deliver anything, read the payment from your server, or wait for the webhook.
 */
(() => {
  /**
   * @typedef {{ reference: string, status: string }} Payment
   * @typedef {{ code: string, message: string }} Failure
   * @typedef {{
   *   key: string, amount: number | string, reference?: string, description?: string, redirectUrl?: string,
   *   mode?: "window" | "redirect",
   *   onStatus?(payment: Payment): void, onClose?(payment: Payment): void, onError?(failure: Failure): void,
   * }} Options
   */
  const script = document.currentScript;
  const origin = new URL(script instanceof HTMLScriptElement ? script.src : location.href).origin;
  const CLOSED_EVERY_MS = 500;
  const PROOFS_MAX = 3;
  let isCreating = false;

  /** Call it in a click handler, so that the window is not blocked; if it is blocked, the page itself navigates to the checkout. @param {Options} options */
  function checkout(options) {
    if (isCreating) return;
    isCreating = true;
    const popup = options.mode === "redirect" ? null : openWindow();
    createSession(options)
      .then(
        ({ url, payment }) => {
          const isClosed = popup?.closed;
          if (!popup) location.assign(url);
          else if (!isClosed) {
            follow(popup, url, payment, options);
            popup.location.replace(url);
          }
          // Last, so that an error thrown by the page's own callbacks does not close the payer's window.
          options.onStatus?.(payment);
          if (isClosed) options.onClose?.(payment);
        },
        (failure) => {
          popup?.close();
          const { code = "network_error", message } = failure;
          options.onError?.({ code, message });
        },
      )
      .finally(() => {
        isCreating = false;
      });
  }

  function openWindow() {
    const [width, height] = [480, 780];
    const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2);
    const top = Math.max(0, window.screenY + (window.outerHeight - height) / 2);
    const popup = window.open("", "_blank", `popup,width=${width},height=${height},left=${left},top=${top}`);
    try {
      if (popup) popup.document.title = "Opening the payment page…";
    } catch {
      // The window has already navigated to another origin.
    }
    return popup;
  }

  /** @param {Options} options */
  async function createSession({ key, amount, reference, description, redirectUrl }) {
    const order = { amount: Number(amount), reference, description, redirect_url: redirectUrl };
    const fields = { ...order, client_nonce: nonceFor([key, reference]) };
    let { response, body } = await post(key, fields);
    // Under load a call costs a moment of computing, which nobody sees.
    for (let times = 0; body.code === "proof_required" && times < PROOFS_MAX; times++) {
      const { solve } = await import(`${origin}/assets/proof.js`);
      ({ response, body } = await post(key, { ...fields, proof: await solve(body.proof) }));
    }
    if (!response.ok) throw Object.assign(new Error(body.detail), { code: body.code });
    // biome-ignore lint/suspicious/noConsole: for the developer of this page, whose redirect URL or text was left out
    for (const { param, message } of body.warnings) console.warn(`Collect.checkout: ${param} ${message}`);
    return {
      url: String(body.checkout_url),
      payment: { reference: String(body.reference), status: String(body.status) },
    };
  }

  /** @param {string} key @param {object} fields */
  async function post(key, fields) {
    const response = await fetch(`${origin}/checkout`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(fields),
    }).catch(() => {
      throw Object.assign(new Error("The checkout cannot be reached. Try again soon."), { code: "network_error" });
    });
    return { response, body: await response.json() };
  }

  /**
   * Makes a repeat for the same order, after a reload too, the same payment; and only from this tab, because nobody else knows it.
   * @param {(string | undefined)[]} order
   */
  function nonceFor([key, reference]) {
    const name = `collect ${key} ${reference}`;
    const drawn = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, "0"),
    ).join("");
    if (reference === undefined) return drawn;
    try {
      const known = sessionStorage.getItem(name) ?? drawn;
      sessionStorage.setItem(name, known);
      return known;
    } catch {
      // Without storage only a reload creates another payment.
      return drawn;
    }
  }

  /**
   * Accepts messages only from the window that was opened, only while it shows the checkout, and only about this payment. The window
   * asks for the reference first, and reports only to a page that knows it.
   * @param {Window} popup @param {string} url @param {Payment} payment @param {Options} options
   */
  function follow(popup, url, payment, { onStatus, onClose }) {
    const from = new URL(url).origin;
    let latest = payment;
    /** @param {MessageEvent} event */
    const listen = ({ origin, source, data }) => {
      if (origin !== from || source !== popup || data?.source !== "collect") return;
      if (data.ready) return popup.postMessage({ source: "collect", reference: payment.reference }, from);
      if (data.reference !== payment.reference || data.status === latest.status) return;
      latest = { reference: payment.reference, status: String(data.status) };
      onStatus?.(latest);
    };
    window.addEventListener("message", listen);
    const timer = setInterval(() => {
      if (!popup.closed) return;
      clearInterval(timer);
      window.removeEventListener("message", listen);
      onClose?.(latest);
    }, CLOSED_EVERY_MS);
  }

  /** The same without any script of the merchant: the button emits the events collect:status, collect:close and collect:error. */
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-collect-key]") : null;
    if (!(button instanceof HTMLElement)) return;
    event.preventDefault();
    const { collectKey = "", collectAmount = "", collectReference, collectDescription } = button.dataset;
    /** @param {string} name @returns {(detail: unknown) => void} */
    const emit = (name) => (detail) =>
      void button.dispatchEvent(new CustomEvent(`collect:${name}`, { bubbles: true, detail }));
    checkout({
      key: collectKey,
      amount: collectAmount,
      reference: collectReference,
      description: collectDescription,
      redirectUrl: button.dataset.collectRedirectUrl,
      mode: button.dataset.collectMode === "redirect" ? "redirect" : "window",
      onStatus: emit("status"),
      onClose: emit("close"),
      onError: emit("error"),
    });
  });

  Object.assign(window, { Collect: Object.freeze({ checkout }) });
})();
