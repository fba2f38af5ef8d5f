/** The window of the limits per session. */
export const MINUTE_MS = 60_000;

/** Calls with a published key or link that are admitted without a proof of work, in one window. */
export type Budget = { client: number; shared: number; windowMs: number };

/**
 * What such a call does: it opens a session, which holds nothing yet, or takes the slot of an exact amount. `client` is for
 * one address and merchant, generous because payers share addresses; `shared` for one merchant (or link) and all clients.
 * A slot is held for an hour or more, and a price has 990: even two windows' worth leaves a third of them.
 */
export const BUDGETS = {
  open: { client: 30, shared: 600, windowMs: MINUTE_MS },
  slot: { client: 30, shared: 300, windowMs: 3_600_000 },
  link: { client: 15, shared: 50, windowMs: 3_600_000 },
} as const satisfies Record<string, Budget>;

export type Action = keyof typeof BUDGETS;
