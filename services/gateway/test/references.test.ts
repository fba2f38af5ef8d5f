import { beforeEach, expect, test } from "vitest";
import { aShop, call, useGateway } from "./gateway.ts";
import { useOthers } from "./others.ts";
import { head, speak } from "./socket.ts";

const { world, gateway } = await useGateway();
const others = await useOthers(world);
const shop = await aShop(world);

beforeEach(() => {
  others.asked.length = 0;
});

const PAYOUT = { amount: 100, bank_code: "000", account_number: "0000000017" };
const CUSTOMER = { amount: 100, customer_name: "Ada" };

test.each([
  ["/customer_accounts", "customer_reference", { customer_name: "Ada" }, shop.sk_test],
  ["/payments", "reference", { amount: 100 }, shop.sk_test],
  ["/payments", "customer_reference", CUSTOMER, shop.sk_test],
  ["/transfers", "reference", PAYOUT, shop.sk_test],
  ["/checkout", "reference", { amount: 100 }, shop.pk_test],
])(
  "POST %s refuses . and .. as a %s, which no URL can contain, and nothing like them",
  async (path, field, body, key) => {
    for (const reference of [".", ".."]) {
      const refused = await call(gateway, "POST", path, { key, body: { ...body, [field]: reference } });
      expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
      expect(refused.body.errors).toMatchObject([
        { param: field, message: expect.stringMatching(/and not \. or \.\., which a URL cannot contain$/) },
      ]);
    }
    // An account that an older release issued under it is looked up.
    const [made] = Object.keys(body);
    expect(others.asked.filter((asked) => Object.hasOwn(asked, made ?? ""))).toEqual([]);
    for (const reference of ["...", "a..", "..a", ".a", ":.."]) {
      const { status, text } = await call(gateway, "POST", path, { key, body: { ...body, [field]: reference } });
      expect(status, text).toBe(201);
    }
  },
);

test("what an older release created under such a reference can still be asked for by a client that leaves the path alone", async () => {
  const authorization = `Authorization: Bearer ${shop.sk_test}`;
  const { status } = await speak(gateway, head("GET /v1/customer_accounts/%2E%2E", authorization));
  expect([status, others.asked]).toMatchObject([404, [{ customer_reference: ".." }]]);
  others.asked.length = 0;
  await call(gateway, "GET", "/payments?merchant_reference=..&customer_reference=..", { key: shop.sk_test });
  expect(others.asked).toMatchObject([{ merchant_reference: "..", customer_reference: ".." }]);
});
