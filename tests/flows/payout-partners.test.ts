import { choosePayoutPartner, findPayout } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { openShop, payoutsAt } from "../faults/shop.ts";
import { client } from "../stack/client.ts";
import { partnersOf, SIMULATED_PARTNERS } from "../stack/partners.ts";
import { startStack } from "../stack.ts";

const stack = await startStack({ env: { "bank-simulator": SIMULATED_PARTNERS } });
afterAll(() => stack.stop());

const { payments: PAYMENTS } = partnersOf(stack);
await stack.service("payments").restart({ env: PAYMENTS });

type Shop = Awaited<ReturnType<typeof openShop>>;
const statusOf = async ({ api }: Shop, reference: string) => (await api.get(`/transfers/${reference}`)).body.status;

test("merchants pay out by several partners at once in one system, each by its own", async () => {
  const shops: [Shop, string][] = [];
  for (const partner of ["729", "providus", "monnify"]) {
    const shop = await openShop(stack);
    const choice = partner === "729" ? null : partner;
    const act = { merchant_id: shop.merchant.id, partner: choice, reason: "Its contract is with this bank" };
    expect(await stack.bus.request(choosePayoutPartner, act)).toEqual({ merchant_id: shop.merchant.id, partner });
    shops.push([shop, partner]);
  }
  const sent = await Promise.all(shops.map(async ([shop, partner]) => ({ shop, partner, id: await shop.send(0) })));
  for (const { shop, partner, id } of sent) {
    await until(`${partner} has paid`, async () => (await statusOf(shop, id)) === "success");
    expect((await stack.bus.request(findPayout, { reference: id })).payout).toMatchObject({ partner });
  }
  const [byOwn, byProvidus, byMonnify] = sent.map(({ id }) => id);
  expect((await payoutsAt(stack)).map(({ id }) => id)).toEqual([byOwn]);
  const books = JSON.stringify((await client(`${stack.bankSimulatorUrl}/providus/control`).get("/payouts")).body);
  expect([byOwn, byProvidus, byMonnify].map((id) => books.includes(`"${id}"`))).toEqual([false, true, false]);
});
