import { sendTestEvent } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, test } from "vitest";
import { deliverNow } from "../stack/deliveries.ts";
import { startStack } from "../stack.ts";
import { openMovedEndpoint } from "./moved-endpoint.ts";
import { proveNumbers } from "./numbers.ts";
import { proveNothingLost } from "./proof.ts";
import { proveAudit, restoreUnderLoad } from "./restore.ts";
import { openShop, proveCompleted } from "./shop.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

test("webhooks restored under load reuses no number, recreates every lost event with the same bytes, and sends none to a former URL", async () => {
  const [traffic, shop, moved] = [await openTraffic(stack), await openShop(stack), await openMovedEndpoint(stack)];
  const merchant = { id: shop.merchant.id, mode: "live" as const };
  // A backup closes the connections to the database: a refused request is repeated, as by a merchant.
  const sendTest = () =>
    until("a test event is accepted", () =>
      stack.bus.request(sendTestEvent, { merchant }).then(
        () => true,
        () => false,
      ),
    );
  await sendTest();
  const references = await restoreUnderLoad(stack, "webhooks", {
    traffic,
    shop,
    meanwhile: async () => {
      await moved.move();
      for (let n = 0; n < 3; n++) await sendTest();
    },
  });
  await sendTest();
  await proveNothingLost(stack, traffic);
  await moved.prove();
  await proveCompleted(stack, shop, references);
  await until("all of the shop's events are sent", async () => {
    await deliverNow(stack);
    const { rows } = await stack
      .database("webhooks")
      .query("select from deliveries where merchant_id = $1 and status <> 'delivered'", [merchant.id]);
    return rows.length === 0;
  });
  proveNumbers(shop.merchant);
  for (const customer of traffic.customers) proveNumbers(customer.merchant);
  await proveAudit(stack);
}, 240_000);
