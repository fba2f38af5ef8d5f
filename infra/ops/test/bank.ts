import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { instantOf } from "@collect/contracts";
import type { System } from "./system.ts";

/** Reports a transfer as the partner bank does, into an account without an owner. Returns the answer. */
export async function reportToDoor(
  { bankDoor }: System,
  { paidAt = new Date(), ...given }: { id: string; amount: number; paidAt?: Date },
): Promise<unknown> {
  const payer = { name: "Chidi Eze", account_number: null, bank_name: null };
  const transfer = { account_number: "0000000017", currency: "NGN", payer, narration: null, ...given };
  const body = JSON.stringify({ ...transfer, paid_at: instantOf(paidAt) });
  const headers = { "content-type": "application/json", [SIGNATURE_HEADER]: signBody(body, bankDoor.secret) };
  return (await fetch(`${bankDoor.url}/bank/transfers`, { method: "POST", headers, body })).json();
}

const HOUR_MS = 3_600_000;

/** The day in Lagos, so many days ago. */
export const lagosDay = (daysAgo: number): string =>
  new Date(Date.now() + HOUR_MS - daysAgo * 24 * HOUR_MS).toISOString().slice(0, 10);
