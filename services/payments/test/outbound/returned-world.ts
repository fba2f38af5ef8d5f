import { answer, serveRequests } from "@collect/bus";
import {
  claimReturn,
  type MerchantScope,
  Problem,
  releaseReturn,
  returnPayout,
  takeBackReturn,
} from "@collect/contracts";
import { startComponents, until, type World } from "@collect/testing";
import { afterAll, beforeEach, expect } from "vitest";
import { startProcess } from "./payments-process.ts";
import { aFundedMerchant, anOrder, LIVE_ACCOUNT, rowsOf, send, untilStatus, untilStep } from "./transfers-world.ts";
import { reason, useUnanswered } from "./unanswered-world.ts";

const WHOLE = 100_000_000n;
const LESS = 99_749_927n;

export const aLine = () => String(1_764_000_000_000_000 + Math.floor(Math.random() * 1e12));
export type Payout = { merchant: MerchantScope; reference: string };

/** Payouts that the bank paid, and returns without saying so; and statements, which keeps lines for them. */
export async function useReturned() {
  const unanswered = await useUnanswered();
  const { world, ledger, webhooks, start, bank } = unanswered;
  const { others } = world;
  const statements = await playStatements(world);

  /** Paid, as the bank says; it is followed up no more unless a test makes that due. */
  async function aPaid(): Promise<Payout> {
    const merchant = aFundedMerchant(ledger, "live");
    const { reference } = (await send(world, merchant, anOrder(LIVE_ACCOUNT))).transfer;
    await untilStatus(world, merchant, reference, "success");
    await until("it was followed up", async () => (await rowsOf(world, merchant))[0]?.follow_ups === 2);
    expect(ledger.settled(merchant)).toBe(LESS);
    return { merchant, reference };
  }

  const giveBack = ({ merchant, reference }: Payout, line: string, why = reason) =>
    others.request(returnPayout, { merchant_id: merchant.id, reference, line, reason: why });
  const takeBack = ({ merchant, reference }: Payout, line: string) =>
    others.request(takeBackReturn, { merchant_id: merchant.id, reference, line, reason });

  /** A process that dies at the failpoint carries this out, alone. */
  async function dieAt(failpoint: string, act: () => Promise<unknown>): Promise<void> {
    const dying = await startProcess(world, bank().url, failpoint);
    void act().catch(() => {});
    expect(await dying.exited).toEqual([null, "SIGKILL"]);
  }

  /** A payout whose return died. */
  async function aDead(failpoint = "claimed"): Promise<{ payout: Payout; line: string }> {
    const stop = await start();
    const [payout, line] = [await aPaid(), aLine()];
    await stop();
    await dieAt(failpoint, () => giveBack(payout, line));
    expect(statements.claims.get(line)).toBe(failpoint === "fenced" ? undefined : payout.reference);
    return { payout, line };
  }

  /** The transfer, the ledger's money and the merchant's events say so, and the merchant has it once. */
  async function expectReturned({ merchant, reference }: Payout): Promise<void> {
    await untilStatus(world, merchant, reference, "reversed");
    await untilStep(world, merchant, "told");
    expect(ledger.held.get(reference)).toMatchObject({ ends: ["success", "reversed"], suspense: [] });
    expect(ledger.settled(merchant)).toBe(WHOLE);
    expect([...new Set(webhooks.about(reference).map(({ status }) => status))]).toEqual(["success", "reversed"]);
  }

  async function expectPaid({ merchant, reference }: Payout): Promise<void> {
    expect(await rowsOf(world, merchant)).toMatchObject([{ status: "success", verdict: "success", returned: null }]);
    expect(ledger.held.get(reference)).toMatchObject({ ends: ["success"] });
    expect(ledger.settled(merchant)).toBe(LESS);
  }

  const acts = { aPaid, giveBack, takeBack, dieAt, aDead, expectReturned, expectPaid };
  return { ...unanswered, statements, ...acts };
}

/** The lines that statements keeps, for which payout; what it refuses; and what happens before it answers. */
async function playStatements({ others, log }: World) {
  const statements = { claims: new Map<string, string>(), refuses: false, onClaim: async () => {} };
  const claim = answer(claimReturn, async ({ line, reference, account_number, amount, ordered_at }) => {
    await statements.onClaim();
    expect([account_number, amount]).toEqual([LIVE_ACCOUNT.account_number, 250_073n]);
    expect(Math.abs(Date.now() - Date.parse(ordered_at ?? ""))).toBeLessThan(600_000);
    const ofPayout = [...statements.claims].find(([, claimed]) => claimed === reference)?.[0] ?? line;
    if (statements.refuses || ofPayout !== line || (statements.claims.get(line) ?? reference) !== reference)
      throw new Problem("conflict", "The line is taken.");
    statements.claims.set(line, reference);
    return {};
  });
  const release = answer(releaseReturn, async ({ line, reference }) => {
    if (statements.claims.get(line) === reference) statements.claims.delete(line);
    return {};
  });
  const served = serveRequests(others, { service: "statements", log, requests: [claim, release] });
  afterAll(await startComponents([served]));
  beforeEach(() => {
    statements.refuses = false;
    statements.onClaim = async () => {};
  });
  return statements;
}
