import { browseAuditLog } from "@collect/contracts";
import { expect, onTestFinished, test } from "vitest";
import { aRestrictedKey, aShop, call, useGateway } from "./gateway.ts";
import { KNOWN_REFERENCE, useOthers } from "./others.ts";

const { world, gateway } = await useGateway();
const others = await useOthers(world);

const pay = (key: string, fields: object = {}) =>
  call(gateway, "POST", "/payments", { key, body: { amount: 100, customer_name: "Ada Obi", ...fields } });
const issued = async (id: string) => {
  const { data } = await world.others.request(browseAuditLog, { merchant: { id, mode: "live" }, limit: 100 });
  return data.filter(({ action }) => action === "customer.issued");
};

test("an account that a payment issues is in the audit log with the key, which needs the scope payments alone", async () => {
  const { id } = await aShop(world);
  const key = await aRestrictedKey(world, id, { mode: "live", name: "till", scopes: ["payments"] });
  expect((await pay(key, { reference: "order-1", customer_reference: "cust_1" })).status).toBe(201);
  expect(await issued(id)).toMatchObject([
    {
      actor: { kind: "key", label: expect.stringContaining(`rk_live_…${key.slice(-4)}`) },
      detail: { customer_reference: "cust_1", reference: "order-1" },
      mode: "live",
      outcome: "done",
    },
  ]);
});

test("a payment that is refused, and so issues no account, is recorded as refused", async () => {
  const { id, sk_live } = await aShop(world);
  others.refuseWith("amount_over_limit");
  onTestFinished(() => others.refuseWith(undefined));
  expect((await pay(sk_live, { customer_reference: "cust_1" })).status).toBe(422);
  expect(await issued(id)).toMatchObject([{ outcome: "refused" }]);
});

test("a payment that issues no account is not recorded", async () => {
  const { id, sk_live, sk_test } = await aShop(world);
  const body = { customer_reference: "cust_1", customer_name: "Ada Obi" };
  await call(gateway, "POST", "/customer_accounts", { key: sk_live, body });
  const before = await issued(id);
  expect(before).toHaveLength(1);
  await pay(sk_live, { customer_reference: "cust_1" });
  await pay(sk_live);
  await pay(sk_live, { customer_reference: "cust_2", reference: KNOWN_REFERENCE });
  await pay(sk_test, { customer_reference: "cust_3" });
  expect(await issued(id)).toEqual(before);
});
