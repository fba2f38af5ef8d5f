import { balances } from "./balances.ts";
import { booked } from "./booked.ts";
import { deliveries } from "./deliveries.ts";
import { type Invariant, listed } from "./invariant.ts";
import { memory } from "./memory.ts";
import { payouts } from "./payouts.ts";
import { sessions } from "./sessions.ts";

/** By what they hold together. */
export const INVARIANTS: Record<string, Invariant> = {
  "deliveries: each event once, the same bytes and numbers every time, no gap": async ({ books }) => deliveries(books),
  "books: answered = taken in = posted = recorded, sums and chains, no dead letters": booked,
  "sessions: paid only with money, and by as much as was received": sessions,
  "payouts: each sent to the bank once, and ended as the bank says": payouts,
  "balances: what the API shows is what came in, less what went out": balances,
  "memory: no process ever held more than its share": memory,
  "traffic: nothing was answered that no retry can explain": async ({ books }) => listed("oddity", books.oddities),
};
