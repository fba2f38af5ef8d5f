import type { SessionSnapshot } from "@collect/contracts";

/** Whoever watches sessions for others. */
export type Watches = {
  /** Calls back with every newer version of the session, until the watch is ended. */
  watch(session: SessionSnapshot, onChange: (session: SessionSnapshot) => void): Watch;
};
export type Watch = { readonly latest: SessionSnapshot; end(): void };
