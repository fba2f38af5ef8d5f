import { afterAll, expect, test } from "vitest";
import { startStack } from "../stack.ts";
import { proveNothingLost } from "./proof.ts";
import { proveNumbers, restoreUnderLoad } from "./restore.ts";
import { AMOUNT, beneficiary, openShop, payoutsAt, proveEnded } from "./shop.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

test("payments restored under load sends no transfer twice, knows every one again, and renames no collection", async () => {
  const [traffic, shop] = [await openTraffic(stack), await openShop(stack)];
  const references = await restoreUnderLoad(stack, "payments", { traffic, shop });
  expect(new Set(references).size).toBe(references.length);
  // A server that repeats an order gets the transfer that it is.
  for (const [n, reference] of references.entries()) {
    const order = { amount: AMOUNT, bank_code: "058", account_number: beneficiary(n), reference: `payout-${n}` };
    const repeated = await shop.api.post("/transfers", order);
    expect([n, repeated.status, repeated.body.reference]).toEqual([n, 200, reference]);
  }
  await proveNothingLost(stack, traffic);
  await proveEnded(stack, shop, references);
  const atBank = (await payoutsAt(stack)).map(({ id }) => id);
  expect(atBank.toSorted()).toEqual(references.toSorted());
  proveNumbers(shop.merchant);
}, 240_000);
