import type { SessionSnapshot } from "@collect/contracts";

/** A source of session changes. */
export type WatchSource = {
  /** Calls back with every newer version of the session, until the watch is ended. */
  watch(session: SessionSnapshot, onChange: (session: SessionSnapshot) => void): Watch;
};
export type Watch = { readonly latest: SessionSnapshot; end(): void };
