const WAIT_MS = 3_000;
const WAIT_MS_MAX = 60_000;

/**
 * Follows the server's stream of changes, but only while the page is visible: a browser opens six connections to a host, and the
 * seventh page in the background would wait forever. `onMissed` is called when changes may have been missed between two streams.
 * Returns a function that ends it.
 */
export function followStream(
  url: string,
  on: { onChanged: (what: string[]) => void; onMissed: () => void },
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let mayHaveMissed = document.hidden;

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  function open(): void {
    close();
    if (document.hidden) return;
    const opened = new EventSource(url);
    source = opened;
    opened.addEventListener("open", () => {
      failures = 0;
      if (mayHaveMissed) on.onMissed();
      mayHaveMissed = true;
    });
    opened.addEventListener("changed", (event) => {
      const { what }: { what: string[] } = JSON.parse(event.data);
      on.onChanged(what);
    });
    // The browser reconnects after a lost connection, but not after a refusal.
    opened.addEventListener("error", () => {
      if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
      mayHaveMissed = true;
      timer = setTimeout(open, waitAfter(failures++));
    });
  }

  /** A page that becomes visible again reconnects, and refetches because changes may have been missed. */
  function followVisibility(): void {
    mayHaveMissed = true;
    if (document.hidden) close();
    else open();
  }

  document.addEventListener("visibilitychange", followVisibility);
  open();
  return () => {
    document.removeEventListener("visibilitychange", followVisibility);
    close();
  };
}

/** Exponential backoff up to a minute, with jitter so that clients do not reconnect all at once. */
function waitAfter(failures: number): number {
  return Math.min(WAIT_MS * 2 ** failures, WAIT_MS_MAX) * (0.5 + Math.random() / 2);
}
