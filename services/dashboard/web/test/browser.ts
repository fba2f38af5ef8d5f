import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { queryClient } from "../src/api/query-client.ts";

/** Browser features that jsdom lacks. The server is not mocked here. */

// The machine may be busy. Hidden roles are not computed: without stylesheets none is hidden, and the check is slow.
configure({ asyncUtilTimeout: 10_000, defaultHidden: true });

class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** It never opens: src/api/stream.test.ts tests streams with a real one. */
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
