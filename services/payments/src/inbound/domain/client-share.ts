import { Problem } from "@collect/contracts";

const SLOTS_PER_ACCOUNT = 99;

/**
 * How many unpaid slots that overlap with a price one client may hold without a secret key: a tenth of what the pool has for
 * such callers, so that ten clients are needed to take it whole, whatever each of them computes.
 */
export const clientShare = (publicAccountsMax: number): number =>
  Math.max(3, Math.floor((publicAccountsMax * SLOTS_PER_ACCOUNT) / 10));

export const shareSpent = (): Problem =>
  new Problem(
    "amount_slots_exhausted",
    "Too many unpaid payments of this amount were started from this network. Nothing was stored; pay one of them, or try again later or from another network.",
  );
