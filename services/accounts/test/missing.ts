import { answer, serveRequests } from "@collect/bus";
import {
  claimLine,
  claimReversal,
  creditLateTransfer,
  findPayoutOfLine,
  getStatementLine,
  holdMissingCredit,
  missingIdOf,
  Problem,
  reverseMissingCredit,
} from "@collect/contracts";
import { startComponents } from "@collect/testing";
import { afterAll, onTestFinished } from "vitest";
import { world } from "./intake-world.ts";
import { AT, reversalOf, useReversals } from "./reversing.ts";
import { PAID_AT } from "./world.ts";

/** Accounts when operators say that a bank never had what it reported; statements is played. */
export async function useMissingCredits(): Promise<void> {
  await useReversals();
  afterAll(
    await startComponents([
      serveRequests(world.others, { service: "statements", log: world.log, requests: played }),
      serveRequests(world.others, { service: "payments", log: world.log, requests: [noPayout] }),
    ]),
  );
}

/** By the intake id: what was said of lines. */
export const held = new Map<string, string[]>();
let meanwhile = async () => {};
/** What statements does before it holds a credit; it may refuse. Until the test ends. */
export function whileHeld(work: typeof meanwhile): void {
  meanwhile = work;
  onTestFinished(() => {
    meanwhile = async () => {};
  });
}

const DAY = new Date(Date.parse(PAID_AT) + 86_400_000).toISOString().slice(0, 10);
type Line = { bank: string; amount: bigint; session_id: string | null; booked_on: string };
const lines = new Map<string, Line>();
/** Which line has which id. */
export const offered = new Map<string, string>();
export function aLateLine(amount: bigint, given: Partial<Line> = {}): string {
  const line = String(1_764_000_000_000_000 + lines.size);
  lines.set(line, { bank: "729", amount, session_id: null, booked_on: DAY, ...given });
  return line;
}

const noPayout = answer(findPayoutOfLine, async () => ({ payout: null }));
const played = [
  answer(claimReversal, async () => ({})),
  answer(holdMissingCredit, async ({ intake_id, despite_lines }) => {
    await meanwhile();
    held.set(intake_id, despite_lines);
    return {};
  }),
  answer(getStatementLine, async ({ line }) => {
    const known = lineOf(line);
    const described = { references: [], narration: "LATE", is_matched: false, paid_at: null, offer: null };
    return { account: "1234567890", ...known, ...described };
  }),
  answer(claimLine, async ({ line, bank_transfer_id }) => {
    const { bank, amount, session_id } = lineOf(line);
    if ((offered.get(bank_transfer_id) ?? line) !== line) throw new Problem("conflict", "Another line was offered.");
    offered.set(bank_transfer_id, line);
    return { bank, amount, session_id, narration: "LATE", paid_at: null, offered_at: AT };
  }),
];

function lineOf(line: string): Line {
  const known = lines.get(line);
  if (!known) throw new Problem("not_found", "There is no such line.");
  return known;
}

const outcomeOf = (act: Promise<{ status: string }>) =>
  act.then(
    ({ status }) => status,
    (refusal: Problem) => refusal.errors?.[0]?.code ?? refusal.code,
  );
export const neverCame = (intake_id: string, amount = 250_073n, ...despite_lines: string[]) =>
  outcomeOf(
    world.others.request(reverseMissingCredit, {
      ...{ intake_id, amount: amount.toString(), despite_lines, reason: "the bank says so" },
    }),
  );
export const cameLate = (line: string, intake_id: string, amount = 250_073n) =>
  outcomeOf(
    world.others.request(creditLateTransfer, { line, intake_id, amount: amount.toString(), reason: "it came" }),
  );
export const rowOfMissing = (intakeId: string) => reversalOf({ id: missingIdOf(intakeId) });
