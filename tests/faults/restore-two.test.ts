import { endRecovery, getRecovery, startRecovery } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { startStack } from "../stack.ts";
import { proveNumbers } from "./numbers.ts";
import { untilCaughtUp, untilConfirmed, untilEpochIncreased } from "./restore.ts";
import { openShop, payoutsAt, proveCompleted } from "./shop.ts";

const stack = await startStack();
afterAll(() => stack.stop());

test("a ledger and payments restored to different times wait for each other until an operator names the later one, and nothing is paid twice", async () => {
  const shop = await openShop(stack);
  const references: string[] = [];
  const pay = async (count: number) => {
    for (let n = 0; n < count; n++) references.push(await shop.send(references.length));
  };
  await pay(4);
  await Promise.all((["ledger", "payments"] as const).map((name) => untilConfirmed(stack, name)));
  const restoreLedger = await stack.backUp("ledger");
  const earlier = new Date().toISOString();
  await pay(4);
  const restorePayments = await stack.backUp("payments");
  await pay(4);
  await proveCompleted(stack, shop, references);
  await Promise.all((["ledger", "payments"] as const).map((name) => untilEpochIncreased(stack, name)));

  await Promise.all([stack.service("ledger").kill9(), stack.service("payments").kill9()]);
  await Promise.all([restoreLedger(), restorePayments()]);
  await Promise.all([stack.service("ledger").restart(), stack.service("payments").restart()]);
  for (const name of ["ledger", "payments"] as const)
    await until(`${name} detects the restore`, async () => {
      const answer = await stack.bus.request(getRecovery[name], {}).catch(() => undefined);
      return answer?.recovery && !answer.recovery.finished_at;
    });
  const refused = await shop.api.post("/transfers", { ...order, reference: "while-both-wait" });
  expect(refused.status).toBe(503);

  await stack.bus.request(endRecovery.payments, {});
  await untilCaughtUp(stack, "ledger");
  await stack.bus.request(startRecovery.payments, { restored_to: earlier });
  await untilCaughtUp(stack, "payments");
  // Only the bank knows transfers ordered after both backups: the merchant repeats orders without a response.
  const again: string[] = [];
  for (let n = 0; n < references.length; n++) again.push(await shop.send(n));
  expect(again).toEqual(references);
  await proveCompleted(stack, shop, references);
  const sent = await payoutsAt(stack);
  for (const reference of references)
    expect(sent.filter(({ id }) => id === reference)).toMatchObject([{ times_sent: 1 }]);
  proveNumbers(shop.merchant);
}, 240_000);

const order = { amount: 1, bank_code: "058", account_number: "0000000017" };
