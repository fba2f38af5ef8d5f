import { randomInt } from "node:crypto";
import type { Epochs, Standings } from "@collect/bus";
import { Problem, type RequestContext } from "@collect/contracts";
import { isUniqueViolation, type Pool, transaction } from "@collect/database";
import type { Config } from "../../config.ts";
import type { Announce } from "../adapters/announcements.ts";
import { clientShare, shareSpent } from "../domain/client-share.ts";
import { isOpen, isPaid, type PaymentSession } from "../domain/session.ts";
import { lockShare } from "../store/client-share.ts";
import { type LockedSession, lockSessions, readSessionsOf, storeSessions } from "../store/sessions.ts";
import { type SlotRequest, takeSlot } from "../store/slots.ts";
import type { FreeSlots } from "./free-slots.ts";

type Deps = {
  config: Pick<Config, "SESSION_EXPIRY_S" | "WATCH_PUBLIC_S" | "SLOT_PAUSE_S" | "PUBLIC_COLLECTION_ACCOUNTS_MAX">;
  pool: Pool;
  epochs: Pick<Epochs, "assertCurrent">;
  standings: Pick<Standings, "assertMayCreate">;
  announce: Announce;
  freeSlots: FreeSlots;
};

type Details = { payerName: string; payerEmail: string; client: string | null };
export type GiveDetails = (reference: string, details: Details, context: RequestContext) => Promise<PaymentSession>;

/** `unchanged`: these details were given before. `full`: no slot is free, and nothing was stored. `share_spent`: none for this client. */
type Attempt =
  | { outcome: "stored" | "unchanged"; session: PaymentSession }
  | { outcome: "full"; session: PaymentSession; accounts: string[] }
  | { outcome: "share_spent" | "raced" };

/** Each attempt fails only when another session took the slot, or when an account is full. */
const ATTEMPTS_MAX = 50;

/**
 * Stores the payer's details once, while the session is open; the same details again change nothing, then and later. A session of a public key gets its account
 * and its exact amount with them, in the same transaction: two payers can never be given one slot, nor one session two.
 */
export function createGiveDetails(deps: Deps): GiveDetails {
  const { announce, freeSlots } = deps;
  return async (reference, details, context) => {
    await assertMayTakeSlot(deps, reference);
    let isFull = false;
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
      const attempt = await tryToStore(deps, reference, details);
      switch (attempt.outcome) {
        case "stored":
          announce([attempt.session]);
          return attempt.session;
        case "unchanged":
          return attempt.session;
        case "share_spent":
          throw shareSpent();
        case "raced":
          isFull = false;
          break;
        case "full": {
          // A slot may have been released between two attempts: a request is refused only if both find none.
          if (isFull) throw new Problem("amount_slots_exhausted", WHY_FULL);
          const { merchantId: id, mode, merchantName: name, amountRequested: amount, openedBy } = attempt.session;
          const { accounts } = attempt;
          const full = { merchant: { id, mode, name }, amount, openedBy, isCustomerAccount: false, accounts };
          isFull = !(await freeSlots(full, context));
        }
      }
    }
    throw new Problem("service_unavailable", "Too many payments of this amount are being created. Try again.");
  };
}

/** A session that has no account yet gets one only while its merchant may have new ones. */
async function assertMayTakeSlot({ pool, standings }: Deps, reference: string): Promise<void> {
  const [session] = await readSessionsOf(pool, [reference]);
  if (!session || session.accountNumber !== null) return;
  await standings.assertMayCreate({ id: session.merchantId, mode: session.mode });
}

const WHY_FULL = "Too many payments of this amount are open. Nothing was stored; try again in a few minutes.";

function tryToStore(deps: Deps, reference: string, details: Details): Promise<Attempt> {
  return transaction(deps.pool, async (tx): Promise<Attempt> => {
    const [session] = await lockSessions(tx, [reference]);
    if (session && !session.detailsRequired) return unchanged(session, details);
    // It may be lost and not restored yet, or paid, or have other details; and a slot that looks free may be that of a lost session.
    deps.epochs.assertCurrent();
    if (!session) throw new Problem("not_found", "There is no such payment.");
    if (session.accountNumber === null) {
      assertOpen(session);
      const { merchantId: id, mode } = session;
      if (details.client !== null) await lockShare(tx, { id, mode }, details.client);
      const taken = await takeSlot(tx, session, slotRequest(deps, details));
      if (taken === "share_spent") return { outcome: taken };
      if ("session" in taken) return { outcome: "stored", session: taken.session };
      return { outcome: "full", session, accounts: taken.fullAccounts };
    }
    assertOpen(session);
    const { payerName, payerEmail } = details;
    const [stored] = await storeSessions(tx, [{ ...session, payerName, payerEmail, detailsRequired: false }]);
    return { outcome: "stored", session: stored ?? session };
  }).catch((error): Attempt => {
    if (isUniqueViolation(error)) return { outcome: "raced" };
    throw error;
  });
}

const slotRequest = ({ config }: Deps, details: Details): SlotRequest => ({
  ...details,
  expiryS: config.SESSION_EXPIRY_S,
  watchS: config.WATCH_PUBLIC_S,
  slotPauseS: config.SLOT_PAUSE_S,
  start: randomInt(99),
  shareMax: clientShare(config.PUBLIC_COLLECTION_ACCOUNTS_MAX),
});

/** A session that requires no details already has its own, or needs none. */
function unchanged(session: PaymentSession, details: Details): Attempt {
  const isSame = session.payerName === details.payerName && session.payerEmail === details.payerEmail;
  if (isSame) return { outcome: "unchanged", session };
  throw new Problem("details_already_given", "This payment already has different details, or needs none.");
}

function assertOpen(session: LockedSession): void {
  if (isOpen(session, session.lockedAt)) return;
  throw new Problem(
    "session_closed",
    isPaid(session)
      ? "This payment has been paid already."
      : "The time for this payment is up. Start again where you came from.",
  );
}
