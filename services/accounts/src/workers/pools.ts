import { randomBytes } from "node:crypto";
import { type BankPartner, NotOpened, type PoolIssuer } from "@collect/bank";
import type { Epochs } from "@collect/bus";
import type { Pool } from "@collect/database";
import { type Component, failpoint, interval, type Logger } from "@collect/runtime";
import type { Partners } from "../domain/partners.ts";
import { isChosen } from "../store/partner-choices.ts";
import { beginOpening, failOpening, finishOpening } from "../store/pooled-accounts.ts";
import { adoptPaidAccounts, claimPoolLease, extendPoolLease, readPool } from "../store/pools.ts";

export type Pooling = {
  everyMs: number;
  /** Filled when fewer are free, up to the other number. */
  low: number;
  high: number;
  /** How long after a failure no account is opened. */
  pauseMs: number;
};
export const POOLING = { everyMs: 5_000, low: 20, high: 100, pauseMs: 60_000 } satisfies Pooling;

/** After this another replica continues for a crashed one: longer than a call to a partner. */
const LEASE_MS = 60_000;

type Deps = { pool: Pool; log: Logger; partners: Partners; epochs: Pick<Epochs, "isCurrent">; pooling: Pooling };
type PoolPartner = BankPartner & { issuer: PoolIssuer };
type Tick = { signal: AbortSignal; stepped: () => void };

/** Opens accounts ahead at the partners that have no idempotency key for it. */
export function createPoolWorker(deps: Deps): Component {
  const { pool, log, partners, epochs, pooling } = deps;
  const pooled = partners.all.filter(isPooled);
  return interval({ name: "pools", everyMs: pooling.everyMs, log }, async (signal, stepped) => {
    for (const partner of pooled) {
      if (signal.aborted || !epochs.isCurrent()) return;
      if (!(await claimPoolLease(pool, partner.id, LEASE_MS))) continue;
      let pauseMs = pooling.pauseMs;
      try {
        if (await tend(deps, partner, { signal, stepped })) pauseMs = 0;
      } finally {
        await extendPoolLease(pool, partner.id, pauseMs);
      }
    }
  });
}

/** Whether any merchant's accounts come from this partner. */
export const isPoolUsed = async (pool: Pool, { standard }: Partners, partner: string): Promise<boolean> =>
  partner === standard.id || isChosen(pool, partner);

const isPooled = (partner: BankPartner): partner is PoolPartner => partner.issuer.kind === "from_pool";

/** False after a failure. A pool that no merchant's accounts come from is not filled. */
async function tend(deps: Deps, partner: PoolPartner, { signal, stepped }: Tick): Promise<boolean> {
  const { pool, log, partners, pooling } = deps;
  for (const { id } of await adoptPaidAccounts(pool, partner.id))
    log.error({ alarm: "pooled_account_found", partner: partner.id, opening: id }, "a lost account received money");
  const { free } = await readPool(pool, partner.id);
  if (free >= pooling.low) return true;
  if (!(await isPoolUsed(pool, partners, partner.id))) return true;
  if (!(await answers(log, partner))) return false;
  for (let count = free; count < pooling.high && !signal.aborted; count++) {
    if (!(await openOne(deps, partner))) return false;
    await extendPoolLease(pool, partner.id, LEASE_MS);
    stepped();
  }
  return true;
}

/** A partner that is not there, or refuses our credentials, would cost an opening without an answer at each try. */
async function answers(log: Logger, { id, check }: PoolPartner): Promise<boolean> {
  const failed = (await check()).filter(({ isOk }) => !isOk);
  if (failed.length > 0)
    log.warn({ partner: id, failed: failed.map(({ name }) => name) }, "no accounts are opened at the partner");
  return failed.length === 0;
}

/**
 * The row is committed before the call, because the call cannot be repeated: whatever ends without an answer leaves an opening that
 * an operator sees; one that the bank refused leaves none. Its id is the account's provisional name.
 */
async function openOne({ pool, log }: Deps, { id: partner, issuer }: PoolPartner): Promise<boolean> {
  const id = await beginOpening(pool, { id: `pool-${randomBytes(8).toString("hex")}`, partner });
  if (id === undefined) {
    log.error({ alarm: "pool_blocked", partner }, "too many openings have no answer: no more accounts are opened");
    return false;
  }
  const line = { partner, opening: id };
  failpoint("committed");
  try {
    const { accountNumber, bankName } = await issuer.openAccount({ accountName: id });
    failpoint("posted");
    const state = await finishOpening(pool, { id, accountNumber, bankName });
    if (state === "free") return true;
    log.error({ ...line, alarm: "pooled_account_taken", state }, "the partner opened an account with a known number");
  } catch (error) {
    if (error instanceof NotOpened) {
      await failOpening(pool, id, error.reason);
      const message = "the partner opened no account: it may have reached the limit of accounts that it gives us";
      log.error({ ...line, alarm: "pool_refused", reason: error.reason }, message);
    } else
      log.error(
        { ...line, alarm: "pooled_account_lost", err: error },
        "an account was ordered, and its answer was lost",
      );
  }
  return false;
}
