import { until } from "@collect/testing";
import { call } from "../http.ts";
import { type Delivered, koboOf } from "../observations.ts";
import type { World } from "../world.ts";
import { read } from "./api.ts";
import { type Invariant, listed } from "./invariant.ts";

type AtBank = { id: string; status: string; amount: number; times_sent: number };

/** Compares the bank's list with the orders, the merchant API and the events. */
export const payouts: Invariant = async (world) => {
  const ordered = world.observations.payouts.filter(({ reference }) => reference !== undefined);
  const atBank = new Map((await payoutsAtBank(world)).map((payout) => [payout.id, payout]));
  const events = eventsByReference(world.observations.delivered);
  const wrong: string[] = [];
  for (const { reference = "", merchant, amount } of ordered) {
    const { status, completed_at } = await read(world, merchant, `/transfers/${reference}`);
    const payout = atBank.get(reference);
    atBank.delete(reference);
    const summary = `${reference} is ${status}`;
    if (status === "pending") wrong.push(`${summary}; at the bank it is ${payout?.status ?? "unknown"}`);
    else if (payout && payout.times_sent !== 1) wrong.push(`${summary} and was sent ${payout.times_sent} times`);
    else if (payout && koboOf(payout.amount) !== amount) wrong.push(`${summary} with ${payout.amount} at the bank`);
    else if ((status === "success") !== (payout?.status === "success"))
      wrong.push(`${summary}; at the bank it is ${payout?.status ?? "unknown"}`);
    const kinds = events.get(reference) ?? new Map();
    if (completed_at && (kinds.size !== 1 || !kinds.has(`transfer.${status}`)))
      wrong.push(`${summary}; its events are ${[...kinds.keys()].join(", ") || "none"}`);
  }
  // An order without a response may have been accepted; only refused ones must not be there.
  const known = new Set(await referencesInPayments(world));
  const unknown = [...atBank.keys()].filter((id) => !known.has(id));
  return [...listed("a payout", wrong), ...listed("known only to the bank", unknown), ...(await reserves(world))];
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

/** Completed payouts have no reserve left, and the ledger's payouts equal the bank's. */
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
  const reserved = rows.map(({ merchant_id, balance }) => `${merchant_id} ${balance}`);
  return [
    ...listed("reserved for completed payouts", reserved),
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
