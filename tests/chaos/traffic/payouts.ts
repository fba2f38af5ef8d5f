import { nuban } from "@collect/bank";
import { runSettlement } from "@collect/contracts";
import type { Response } from "../http.ts";
import { nairaOf, type Observations, type OrderedPayout } from "../observations.ts";
import { authorization, type Context } from "./context.ts";

const AMOUNTS = [1_000, 50_000] as const;

/** Settles a merchant's collected money, as an operator can at any time. */
export async function settle({ world, random }: Context): Promise<void> {
  const { id } = random.pick(world.merchants);
  await world.stack.bus.request(runSettlement, { merchant: { id, mode: "live" } }).catch(() => undefined);
}

/** The bank lists at most the last thousand. */
const PAYOUTS_MAX = 900;

/** A merchant orders a transfer, and repeats the order under its own reference until the response is final. */
export async function orderPayout({ world, random, merchantApi }: Context): Promise<void> {
  if (world.observations.payouts.length >= PAYOUTS_MAX) return;
  const payout: OrderedPayout = {
    merchant: random.int(0, world.merchants.length - 1),
    merchantReference: `payout-${world.observations.payouts.length}`,
    amount: random.int(...AMOUNTS),
    reference: undefined,
    refused: false,
  };
  world.observations.payouts.push(payout);
  const serial = String(10_000_000 + world.observations.payouts.length).padStart(9, "0");
  const body = JSON.stringify({
    amount: nairaOf(payout.amount),
    bank_code: "058",
    account_number: nuban({ bankCode: "058", serial }),
    reference: payout.merchantReference,
  });
  const headers = authorization(world.merchants[payout.merchant]?.keys.sk_live ?? "");
  const order = () =>
    merchantApi(
      { method: "POST", path: "/v1/transfers", headers, body },
      ({ status }) => status < 500 && status !== 429,
    );
  const first = await order();
  if (!first) return;
  take(first, payout, world.observations);
  if (!random.chance(0.1)) return;
  const repeated = await order();
  if (!repeated) return;
  if (payout.refused) take(repeated, payout, world.observations);
  else if (repeated.body.reference !== payout.reference)
    world.observations.anomalies.push(
      `${payout.merchantReference} was ${payout.reference}, and ${repeated.body.reference} when repeated`,
    );
}

/** What is refused is not kept, so that the same order can be accepted once the money is there. */
function take({ status, body }: Response, payout: OrderedPayout, { anomalies }: Observations): void {
  payout.refused = status >= 400;
  if (payout.refused && body.code !== "insufficient_balance")
    anomalies.push(`an order was answered with ${status}: ${JSON.stringify(body)}`);
  if (!payout.refused) payout.reference = String(body.reference);
}
