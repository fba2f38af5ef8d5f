import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { instantOf } from "@collect/contracts";
import type { System } from "./system.ts";

/** Reports a transfer as the partner bank does, into an account without an owner. Returns the answer. */
export async function reportToDoor({ bankDoor }: System, given: { id: string; amount: number }): Promise<unknown> {
  const payer = { name: "Chidi Eze", account_number: null, bank_name: null };
  const transfer = { account_number: "0000000017", currency: "NGN", payer, narration: null, ...given };
  const body = JSON.stringify({ ...transfer, paid_at: instantOf(new Date()) });
  const headers = { "content-type": "application/json", [SIGNATURE_HEADER]: signBody(body, bankDoor.secret) };
  return (await fetch(`${bankDoor.url}/bank/transfers`, { method: "POST", headers, body })).json();
}

const HOUR_MS = 3_600_000;

/** The day in Lagos, so many days ago. */
export const lagosDay = (daysAgo: number): string =>
  new Date(Date.now() + HOUR_MS - daysAgo * 24 * HOUR_MS).toISOString().slice(0, 10);

/** The statement of a day with these lines, each without its dates. */
export function mt940(number: number, day: string, [opening, closing]: [string, string], lines: string[]): string {
  const date = day.slice(2).replaceAll("-", "");
  const head = [`:20:S${number}`, ":25:1234567890", `:28C:${number}`, `:60F:C${date}NGN${opening}`];
  return [...head, ...lines.map((line) => `:61:${date}${date.slice(2)}${line}`), `:62F:C${date}NGN${closing}`].join(
    "\n",
  );
}
