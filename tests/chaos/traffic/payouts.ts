import { nuban } from "@collect/bank";
import { runSettlement } from "@collect/contracts";
import { nairaOf, type OrderedPayout } from "../books.ts";
import { authorization, type Context } from "./context.ts";

const AMOUNTS = [1_000, 50_000] as const;

/** What was collected becomes the merchant's, as the operator can have it at any time. */
export async function settle({ world, random }: Context): Promise<void> {
  const { id } = random.pick(world.merchants);
  await world.stack.bus.request(runSettlement, { merchant: { id, mode: "live" } }).catch(() => undefined);
}

/** The bank lists no more than the last thousand. */
const PAYOUTS_MAX = 900;

/** A merchant sends money out, and repeats the order under its own reference until it is answered for good. */
export async function orderPayout({ world, random, merchantApi }: Context): Promise<void> {
  if (world.books.payouts.length >= PAYOUTS_MAX) return;
  const payout: OrderedPayout = {
    merchant: random.int(0, world.merchants.length - 1),
    merchantReference: `payout-${world.books.payouts.length}`,
    amount: random.int(...AMOUNTS),
    reference: undefined,
    refused: false,
  };
  world.books.payouts.push(payout);
  const serial = String(10_000_000 + world.books.payouts.length).padStart(9, "0");
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
  const answer = await order();
  if (!answer) return;
  payout.refused = answer.status >= 400;
  if (payout.refused && answer.body.code !== "insufficient_balance")
    world.books.oddities.push(`an order was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  if (!payout.refused) payout.reference = String(answer.body.reference);
  if (!random.chance(0.1)) return;
  const again = await order();
  if (again && again.status < 300 && again.body.reference !== payout.reference)
    world.books.oddities.push(
      `${payout.merchantReference} was ${payout.reference}, and ${again.body.reference} when repeated`,
    );
}
