import { answer, serveRequests } from "@collect/bus";
import {
  claimReversal,
  findPayoutOfLine,
  getStatementLine,
  Problem,
  type Result,
  reportMissedReversal,
  reversalIdOf,
} from "@collect/contracts";
import { startComponents } from "@collect/testing";
import { afterAll, onTestFinished } from "vitest";
import { rowOf, world } from "./intake-world.ts";
import { reversalOf, useReversals } from "./reversing.ts";
import { PAID_AT } from "./world.ts";

/** Accounts when operators name the line with which a bank took back what it reported; statements and payments are played. */
export async function useLineReversals(): Promise<void> {
  await useReversals();
  afterAll(
    await startComponents([
      serveRequests(world.others, { service: "statements", log: world.log, requests: played }),
      serveRequests(world.others, { service: "payments", log: world.log, requests: [ofLine] }),
    ]),
  );
}

type Line = {
  bank: string;
  amount: bigint;
  session_id: string | null;
  booked_on: string;
  references: string[];
  narration: string;
  payout: Payout;
};
type Payout = Result<typeof findPayoutOfLine>["payout"];
const lines = new Map<string, Line>();
export const claims = new Map<string, object>();
let meanwhile = async () => {};
/** What statements does before it claims a line; it may refuse. Until the test ends. */
export function whileClaimed(work: typeof meanwhile): void {
  meanwhile = work;
  onTestFinished(() => {
    meanwhile = async () => {};
  });
}
const lagosDay = (instant: number) => new Date(instant + 3_600_000).toISOString().slice(0, 10);
/** Of what is reported, and the day before. */
export const [DAY, EVE] = [lagosDay(Date.parse(PAID_AT)), lagosDay(Date.parse(PAID_AT) - 86_400_000)];
const account = "1234567890";
const played = [
  answer(getStatementLine, async ({ line }) => {
    const { payout: _, ...known } = lineOf(line);
    return { account, ...known, is_matched: false, paid_at: null, offer: null };
  }),
  answer(claimReversal, async (claim) => {
    await meanwhile();
    claims.set(claim.line, claim);
    return {};
  }),
];

const ofLine = answer(findPayoutOfLine, async ({ line }) => ({ payout: lineOf(line).payout }));

function lineOf(line: string): Line {
  const known = lines.get(BigInt(line).toString());
  if (!known) throw new Problem("not_found", "There is no such line.");
  return known;
}

export const aLine = (amount: bigint, given: Partial<Line> = {}) => {
  const line = String(1_764_000_000_000_000 + lines.size);
  lines.set(line, {
    ...{ bank: "729", amount, session_id: null, booked_on: DAY, references: [], narration: "REVERSAL", payout: null },
    ...given,
  });
  return line;
};
export const reverse = (line: string, intake_id: string, amount: bigint, ...despite_payouts: string[]) =>
  world.others
    .request(reportMissedReversal, {
      ...{ line, intake_id, amount: amount.toString(), despite_payouts, reason: "the bank says so" },
    })
    .then(
      ({ status }) => status,
      (refusal: Problem) => refusal.errors?.[0]?.code ?? refusal.code,
    );
export const rowOfLine = (line: string) => reversalOf({ id: reversalIdOf(line) });
export const reversedOf = async (transfer: { id: string }) => (await rowOf(transfer.id)).reversed;
