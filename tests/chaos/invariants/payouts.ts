import { until } from "@collect/testing";
import { type Delivered, koboOf } from "../books.ts";
import { call } from "../http.ts";
import type { World } from "../world.ts";
import { read } from "./api.ts";
import { type Invariant, listed } from "./invariant.ts";

type AtBank = { id: string; status: string; amount: number; times_sent: number };

/** The bank's list beside what was ordered, what the merchant API shows and which events came. */
export const payouts: Invariant = async (world) => {
  const ordered = world.books.payouts.filter(({ reference }) => reference !== undefined);
  const atBank = new Map((await payoutsAtBank(world)).map((payout) => [payout.id, payout]));
  const events = eventsByReference(world.books.delivered);
  const wrong: string[] = [];
  for (const { reference = "", merchant, amount } of ordered) {
    const { status, completed_at } = await read(world, merchant, `/transfers/${reference}`);
    const payout = atBank.get(reference);
    atBank.delete(reference);
    const shown = `${reference} is ${status}`;
    if (status === "pending") wrong.push(`${shown}; at the bank it is ${payout?.status ?? "unknown"}`);
    else if (payout && payout.times_sent !== 1) wrong.push(`${shown} and was sent ${payout.times_sent} times`);
    else if (payout && koboOf(payout.amount) !== amount) wrong.push(`${shown} with ${payout.amount} at the bank`);
    else if ((status === "success") !== (payout?.status === "success"))
      wrong.push(`${shown}; at the bank it is ${payout?.status ?? "unknown"}`);
    const kinds = events.get(reference) ?? new Map();
    if (completed_at && (kinds.size !== 1 || !kinds.has(`transfer.${status}`)))
      wrong.push(`${shown}; its events are ${[...kinds.keys()].join(", ") || "none"}`);
  }
  // An order without an answer may have been taken; only what was refused must not be there.
  const known = new Set(await referencesInPayments(world));
  const foreign = [...atBank.keys()].filter((id) => !known.has(id));
  return [...listed("a payout", wrong), ...listed("at the bank and nowhere else", foreign), ...(await reserves(world))];
};

export async function payoutsAtBank({ stack }: World): Promise<AtBank[]> {
  const response = await until("the bank lists its payouts", () =>
    call(stack.bankSimulatorUrl, { method: "GET", path: "/control/payouts" }),
  );
  return response.body.payouts as AtBank[];
}

async function referencesInPayments({ stack }: World): Promise<string[]> {
  const { rows } = await stack.database("payments").query<{ reference: string }>("select reference from transfers");
  return rows.map(({ reference }) => reference);
}

/** Whatever has ended holds nothing back, and what the ledger booked out is what the bank paid. */
async function reserves(world: World): Promise<string[]> {
  const { rows } = await world.stack
    .database("ledger")
    .query<{ merchant_id: string; balance: bigint }>(
      "select merchant_id, balance from ledger_accounts where kind = 'payouts' and mode = 'live' and balance <> 0",
    );
  const { rows: booked } = await world.stack
    .database("ledger")
    .query<{ sum: bigint }>(
      "select coalesce(sum(amount), 0)::bigint as sum from transactions where kind = 'payout' and mode = 'live'",
    );
  const paid = (await payoutsAtBank(world))
    .filter(({ status }) => status === "success")
    .reduce((sum, { amount }) => sum + koboOf(amount), 0);
  const held = rows.map(({ merchant_id, balance }) => `${merchant_id} ${balance}`);
  return [
    ...listed("held for payouts that have ended", held),
    ...(Number(booked[0]?.sum) === paid ? [] : [`the ledger booked ${booked[0]?.sum} out, the bank paid ${paid}`]),
  ];
}

function eventsByReference(delivered: readonly Delivered[]): Map<string, Map<string, Set<number>>> {
  const events = new Map<string, Map<string, Set<number>>>();
  for (const { mode, event, data, sequence } of delivered) {
    if (mode !== "live" || !event.startsWith("transfer.")) continue;
    const kinds = events.get(data.reference) ?? new Map<string, Set<number>>();
    events.set(data.reference, kinds.set(event, (kinds.get(event) ?? new Set()).add(sequence)));
  }
  return events;
}
