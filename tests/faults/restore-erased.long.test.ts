import { eraseAgain, listErasures } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aShop, untilErased, untilIdle } from "../flows/erasure-world.ts";
import { startStack } from "../stack.ts";
import { backUp, proveAudit, untilCaughtUp } from "./restore.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const NOWHERE = { name: [], account: [] };

const untilAllErased = () =>
  until("every erasure is finished", async () => {
    const { erasures } = await stack.bus.request(listErasures, {});
    return erasures.length > 0 && erasures.every(({ finished_at }) => finished_at !== null);
  });

test.each([
  ["accounts", "Brontel", "7755443301"],
  ["payments", "Kelvuda", "7755443302"],
  ["webhooks", "Jastrim", "7755443303"],
] as const)(
  "what was erased stays erased although the database of %s was restored from an earlier backup",
  async (service, name, senderAccount) => {
    const shop = await aShop(stack, { name, senderAccount });
    const restore = await backUp(stack, service);
    // Lost by the restore, and recovered from what the others have after the erasure.
    await shop.pay(shop.account.account_number, 400);
    await shop.merchant.untilReceived("live", 4);
    await untilIdle(stack, shop.merchant.id);
    await shop.retire();
    await untilErased(stack, (await shop.eraseCustomer()).id);
    await untilErased(stack, (await shop.erasePayer(shop.anonymous)).id);
    expect(await shop.places()).toEqual(NOWHERE);
    const books = await shop.books();

    await restore();
    expect((await shop.places()).name).not.toEqual([]);
    await stack.service(service).restart();
    await untilCaughtUp(stack, service);
    await untilAllErased();
    await untilIdle(stack, shop.merchant.id);
    expect(await shop.places()).toEqual(NOWHERE);
    expect(await shop.books()).toEqual(books);
    await proveAudit(stack);
  },
  240_000,
);

test("copies of the checkout that came back with a backup are erased again by the operator's command", async () => {
  const shop = await aShop(stack, { name: "Drevask", senderAccount: "7755443304" });
  const restore = await stack.backUp("checkout");
  await shop.retire();
  await untilErased(stack, (await shop.eraseCustomer()).id);
  await untilErased(stack, (await shop.erasePayer(shop.anonymous)).id);
  await stack.service("checkout").kill9();
  await restore();
  await stack.service("checkout").restart();
  expect((await shop.places()).name).toEqual(["checkout.session_views"]);
  expect(await stack.bus.request(eraseAgain, {})).toMatchObject({ repeated: expect.any(Number) });
  await untilAllErased();
  expect(await shop.places()).toEqual(NOWHERE);
});
