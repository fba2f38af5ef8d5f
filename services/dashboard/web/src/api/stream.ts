const WAIT_MS = 3_000;
const WAIT_MS_MAX = 60_000;

/**
 * Follows the server's stream of changes, but only while the page is seen: a browser opens six connections to a host, and the
 * seventh page in the background would wait for ever. Whatever may have been missed between two streams is told by `onMissed`.
 * Returns how to end it.
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
    // The browser connects again by itself when a connection breaks, but gives up for good when it is refused.
    opened.addEventListener("error", () => {
      if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
      mayHaveMissed = true;
      timer = setTimeout(open, waitAfter(failures++));
    });
  }

  /** What is seen again is caught up with: `open` is told, and by then something may have been missed. */
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

/** Longer each time, up to a minute, and never for everybody at once. */
function waitAfter(failures: number): number {
  return Math.min(WAIT_MS * 2 ** failures, WAIT_MS_MAX) * (0.5 + Math.random() / 2);
}
