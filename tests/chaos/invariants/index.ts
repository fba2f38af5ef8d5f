import { balances } from "./balances.ts";
import { booked } from "./booked.ts";
import { deliveries } from "./deliveries.ts";
import { type Invariant, listed } from "./invariant.ts";
import { memory } from "./memory.ts";
import { payouts } from "./payouts.ts";
import { sessions } from "./sessions.ts";

/** By the property they check. */
export const INVARIANTS: Record<string, Invariant> = {
  "deliveries: each event once, the same bytes and numbers every time, no gap": async ({ observations }) =>
    deliveries(observations),
  "books: acknowledged = recorded = posted = notified, sums and chains, no dead letters": booked,
  "sessions: paid only by received transfers, with the amount received": sessions,
  "payouts: each sent to the bank once, with the bank's status": payouts,
  "balances: the API's balance is what was received less what was sent": balances,
  "memory: no process ever exceeded its limit": memory,
  "traffic: retries explain every response": async ({ observations }) => listed("anomaly", observations.anomalies),
};
