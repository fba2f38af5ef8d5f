import { answer, serveRequests } from "@collect/bus";
import {
  claimLine,
  getLineOffer,
  getStatementLine,
  instantOf,
  Problem,
  releaseLine,
  reportMissedTransfer,
  type WireInput,
} from "@collect/contracts";
import { startComponents } from "@collect/testing";
import { afterAll, onTestFinished } from "vitest";
import { useIntakeWorld, world } from "./intake-world.ts";
import { type AccountsWorld, type aReport, PAID_AT } from "./world.ts";

/** Accounts with a statements service that is played: an operator offers its lines. */
export async function useOffers(): Promise<void> {
  await useIntakeWorld();
  await serveOffers(world);
}

/** The same in a world that a test file has already. */
export async function serveOffers(given: AccountsWorld): Promise<void> {
  offeredIn = given;
  const served = serveRequests(given.others, { service: "statements", log: given.log, requests });
  afterAll(await startComponents([served]));
}
let offeredIn: AccountsWorld;

/** The lines that statements has, each given away under the first id that is offered. */
export const line = {
  bank: "729",
  amount: 250_073n,
  session_id: null as string | null,
  narration: "NIP FROM CHIDI EZE",
};
type Made = { id: string; offered_at: string; account_number?: string; amount?: bigint };
type Line = typeof line & { offer?: Made | undefined };
export const lines = new Map<string, Line>();
let last = 0;
let meanwhile = async (_line: Line) => {};
/** What is done while a line is claimed, until the test ends. */
export function whileClaimed(work: typeof meanwhile): void {
  meanwhile = work;
  onTestFinished(() => {
    meanwhile = async () => {};
  });
}
let beforeRelease = async () => {};
/** What is done before a line is released, until the test ends. */
export function whileReleased(work: typeof beforeRelease): void {
  beforeRelease = work;
  onTestFinished(() => {
    beforeRelease = async () => {};
  });
}
export const aLine = (given: Partial<typeof line> = {}) => {
  lines.set(String(++last), { ...line, ...given });
  return String(last);
};
const claim = answer(claimLine, async (given) => {
  const known = lines.get(given.line);
  if (!known) throw new Problem("not_found", "There is no such line.");
  await meanwhile(known);
  const { bank_transfer_id, account_number, amount } = given;
  const made = { id: bank_transfer_id, account_number, amount };
  known.offer ??= { ...made, offered_at: instantOf(new Date(Date.now() + ++last)) };
  const { id, offered_at } = known.offer;
  if (id !== given.bank_transfer_id) throw new Problem("conflict", "The line was offered already.");
  return { ...line, ...known, paid_at: null, offered_at };
});
const find = answer(getLineOffer, async (given) => {
  const known = lines.get(given.line);
  if (known?.offer?.id !== given.bank_transfer_id) throw new Problem("not_found", "The line is not offered.");
  return { ...known, offered_at: known.offer.offered_at };
});
const release = answer(releaseLine, async (given) => {
  await beforeRelease();
  const known = lines.get(given.line);
  if (known?.offer?.offered_at === given.offered_at) known.offer = undefined;
  return {};
});
const show = answer(getStatementLine, async (given) => {
  const known = lines.get(given.line);
  if (!known) throw new Problem("not_found", "There is no such line.");
  const { bank, amount, session_id, narration } = known;
  const { id: bank_transfer_id = "", account_number = "0".repeat(10), amount: sent = amount } = known.offer ?? {};
  const offer = known.offer && { bank_transfer_id, account_number, amount: sent, offered_at: known.offer.offered_at };
  return {
    ...{ account: "1234567890", bank, booked_on: PAID_AT.slice(0, 10), amount, session_id, narration, references: [] },
    ...{ is_matched: false, paid_at: null },
    offer: offer ?? null,
  };
});
const requests = [show, claim, find, release];

const offered = ({ id, account_number }: ReturnType<typeof aReport>): WireInput<typeof reportMissedTransfer> => ({
  ...{ line: aLine(), bank_transfer_id: id, account_number, amount: "250073", payer_name: "CHIDI EZE" },
  paid_at: PAID_AT,
});
export const offer = (given: Parameters<typeof offered>[0], other: object = {}) =>
  offeredIn.others.request(reportMissedTransfer, { ...offered(given), ...other });
