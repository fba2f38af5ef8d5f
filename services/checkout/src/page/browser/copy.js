/** The copy buttons of the payment page. */

const announcement = document.getElementById("announcement");

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (button?.dataset.copy !== undefined) void copy(button, button.dataset.copy);
});

/** @param {string} text */
function announce(text) {
  if (announcement) announcement.textContent = text;
}

/** @param {HTMLButtonElement} button @param {string} text */
async function copy(button, text) {
  const isCopied = await writeClipboard(button, text);
  const what = button.dataset.what ?? "";
  const word = button.firstElementChild;
  // Cleared first: otherwise the same text twice would be announced only once.
  announce("");
  announce(
    isCopied ? `${what.charAt(0).toUpperCase()}${what.slice(1)} copied.` : `Press and hold the ${what} to copy it.`,
  );
  if (!isCopied || !word) return;
  word.textContent = "Copied";
  setTimeout(() => {
    word.textContent = "Copy";
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
