/** What the buttons of the checkout page do that need a script: copying, sharing, printing and closing. */

const announcement = document.getElementById("announcement");

/** Each button is shown only where it works; those that copy take their place in the row from the start. */
document.addEventListener("card", () => {
  for (const button of document.querySelectorAll("button[data-copy], #print")) button.removeAttribute("hidden");
  // Where there is no sheet to be touched, the code and the copy do.
  if ("share" in navigator && matchMedia("(pointer: coarse)").matches)
    document.getElementById("share")?.removeAttribute("hidden");
  if (window.opener) document.getElementById("close")?.removeAttribute("hidden");
});

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button?.dataset.copy !== undefined) void copy(button, button.dataset.copy);
  else if (button?.id === "share") void share(button.dataset.title);
  else if (button?.id === "print") window.print();
  else if (button?.id === "close") window.close();
});

/** @param {string} text */
function announce(text) {
  if (announcement) announcement.textContent = text;
}

/** What "Copy all details" copies, and the page. @param {string | undefined} title */
async function share(title) {
  const text = document.getElementById("copy-all")?.dataset.copy;
  // A payer who closes the sheet has changed their mind.
  await navigator.share({ title, text, url: location.href }).catch(() => {});
}

/** @param {HTMLButtonElement} button @param {string} text */
async function copy(button, text) {
  const isCopied = await writeClipboard(button, text);
  const { copied: done = "", failed = "" } = announcement?.dataset ?? {};
  const word = button.firstElementChild;
  // Cleared first: otherwise the same text twice would be announced only once.
  announce("");
  announce(isCopied ? (button.dataset.copied ?? "") : failed);
  // Gives way to the text that it covers, which can then be selected.
  if (!isCopied) button.hidden = true;
  if (!isCopied || !word || word.textContent === done) return;
  const before = word.textContent;
  word.textContent = done;
  setTimeout(() => {
    word.textContent = before;
  }, 2_000);
}

/** Without a secure context only execCommand can copy. @param {HTMLElement} beside @param {string} text */
async function writeClipboard(beside, text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "unseen";
    beside.after(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    beside.focus();
    return isCopied;
  }
}
