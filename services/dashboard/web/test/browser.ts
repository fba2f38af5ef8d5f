import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { queryClient } from "../src/api/query-client.ts";

/** What a browser has and jsdom does not. Nothing here answers for the server. */

// The machine may be busy. Whether a role is hidden is not asked: without stylesheets nothing is, and asking takes long.
configure({ asyncUtilTimeout: 10_000, defaultHidden: true });

class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** It never opens: what becomes of a stream is shown in src/api/stream.test.ts, with a real one. */
class Stream extends EventTarget {
  close(): void {}
}

Object.assign(globalThis, { ResizeObserver: Observer, EventSource: Stream });
Object.assign(document, { fonts: new EventTarget() });
Object.assign(window, {
  matchMedia: (media: string) => ({
    media,
    matches: false,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
    dispatchEvent: () => false,
    onchange: null,
  }),
  scrollTo() {},
});
Element.prototype.scrollIntoView = () => {};

afterEach(() => {
  cleanup();
  queryClient.clear();
  sessionStorage.clear();
});
