import { getCustomerAccount, replayEvent } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { redrive } from "../faults/proof.ts";
import { proveAudit } from "../faults/restore.ts";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { sharedStack } from "../stack/shared.ts";
import { aShop, untilErased } from "./erasure-world.ts";

const stack = await sharedStack();

const NOWHERE = { name: [], account: [] };
const EVERYWHERE = {
  name: [
    ...["checkout.dead_letters", "payments.dead_letters", "webhooks.dead_letters"],
    ...["accounts.customer_accounts", "accounts.inbound_transfers", "checkout.session_views", "ledger.dead_letters"],
    ...["payments.account_copies", "payments.collections", "payments.payers", "payments.sessions"],
    ...["webhooks.attempts", "webhooks.events"],
  ],
  account: ["accounts.inbound_transfers", "payments.payers", "webhooks.attempts", "webhooks.events"],
};

/** The merchant's server repeats what it was sent. */
const echo = () => stack.receiver.behave((response, { raw }) => response.end(raw));

/** What a service could not handle once, and handled later. */
const aDeadLetter = (service: "ledger" | "payments" | "webhooks" | "checkout", key: string, fact: string) =>
  stack
    .database(service)
    .query("insert into dead_letters (consumer, natural_key, subject, fact, error) values ('c', $1, 's', $2, 'e')", [
      key,
      fact,
    ]);

test("after a customer and a payer were erased, their names are in no table of any database, and every sum is the same", async () => {
  echo();
  const shop = await aShop(stack, { name: "Qwuzam", senderAccount: "6655443301" });
  const before = await shop.books();
  for (const service of ["ledger", "payments", "webhooks"] as const)
    await aDeadLetter(service, before.transfers[0].intake_id, "Ngozi Qwuzam");
  await aDeadLetter("checkout", shop.anonymous, "Ngozi Qwuzam");
  const { name, account } = await shop.places();
  expect({ name: name.toSorted(), account }).toEqual({ ...EVERYWHERE, name: EVERYWHERE.name.toSorted() });

  await shop.retire();
  const customer = await shop.eraseCustomer();
  expect(customer.found).toMatchObject({ accounts: 1, transfers: 2, sessions: 1, events: 2, responses: 2 });
  await untilErased(stack, customer.id);
  const payer = await shop.erasePayer(shop.anonymous);
  expect(payer.found).toMatchObject({ accounts: 0, transfers: 1, sessions: 1, events: 1, responses: 1 });
  await untilErased(stack, payer.id);

  expect(await shop.places()).toEqual(NOWHERE);
  expect(await shop.books()).toEqual(before);
  await proveAudit(stack);
});

test("the bank's repeated reports and a redrive of every transfer bring no name back", async () => {
  echo();
  const shop = await aShop(stack, { name: "Hulvant", senderAccount: "6655443307" });
  const before = await shop.books();
  await shop.retire();
  await untilErased(stack, (await shop.eraseCustomer()).id);
  await untilErased(stack, (await shop.erasePayer(shop.anonymous)).id);
  for (const { status } of await shop.repeatReports()) expect(status).toBe(200);
  await redrive(stack, shop);
  // A merchant's messages keep their order: once this one has arrived, all of the redriven ones have been processed.
  const last = aBankTransfer({ account_number: String(shop.account.account_number), amount: 10 });
  await reportTransfer(stack.bankDoor, last);
  await shop.merchant.untilReceived("live", 4);
  expect(await shop.places()).toEqual(NOWHERE);
  const { entries, collections, events } = await shop.books();
  expect(entries).toEqual(expect.arrayContaining(before.entries));
  expect(collections).toEqual(expect.arrayContaining(before.collections));
  expect(events).toEqual([...before.events, expect.objectContaining({ sequence: 4n })]);
});

test("an account that still receives money, an open payment and a pending event are refused, and nothing is erased", async () => {
  const shop = await aShop(stack, { name: "Zubwex", senderAccount: "6655443302" });
  const before = await shop.places();
  await expect(shop.eraseCustomer()).rejects.toMatchObject({ code: "account_active" });
  const { body: open } = await shop.api.post("/payments", { amount: 50, customer_reference: "cust_17" });
  await shop.retire();
  await expect(shop.eraseCustomer()).rejects.toMatchObject({
    code: "still_in_progress",
    detail: expect.stringContaining("1 payments that are still open"),
  });
  stack.receiver.behave((response) => response.writeHead(500).end());
  await shop.pay(open.account_number, open.amount);
  await until("it is paid", async () => (await shop.api.get(`/payments/${open.reference}`)).body.status === "paid");
  await shop.merchant.untilReceived("live", 4);
  await expect(shop.eraseCustomer()).rejects.toMatchObject({
    code: "still_in_progress",
    detail: expect.stringContaining("1 events that are still being delivered"),
  });
  for (const unknown of ["pay_unknown", "col_unknown"])
    await expect(shop.erasePayer(unknown)).rejects.toMatchObject({ code: "not_found" });
  expect(await shop.places()).toEqual(before);
  echo();
});

/** The first pass of `committed` is the order's admission. */
test.each([
  { point: "committed:2", when: "before any other service has begun", name: "Pilqor", senderAccount: "6655443303" },
  { point: "posted:1", when: "between an event and its hash", name: "Tranvek", senderAccount: "6655443306" },
])("accounts killed $when finishes the erasure, with every sum the same", async ({ point, ...person }) => {
  echo();
  const shop = await aShop(stack, person);
  const before = await shop.books();
  await shop.retire();
  const accounts = stack.service("accounts");
  await accounts.restart({ env: { FAILPOINT: point } });
  const { id } = await until("the order is accepted", () => shop.eraseCustomer().catch(() => undefined));
  await accounts.exited();
  const halfway = await stack.database("accounts").query("select 1 from erased_transfers where under_way");
  expect(halfway.rows).toHaveLength(2);
  await accounts.restart();
  await stack.database("accounts").query("update erasures set lease_until = '-infinity' where finished_at is null");
  await untilErased(stack, id);
  await untilErased(stack, (await shop.erasePayer(shop.anonymous)).id);
  expect(await shop.places()).toEqual(NOWHERE);
  expect(await shop.books()).toEqual(before);
  await proveAudit(stack);
});

test("the same erasure ordered many times at once is one, and money that comes afterwards is credited and can be erased too", async () => {
  echo();
  const shop = await aShop(stack, { name: "Vexdol", senderAccount: "6655443304" });
  await shop.retire();
  const orders = await Promise.all(Array.from({ length: 5 }, () => shop.eraseCustomer()));
  expect(new Set(orders.map(({ id }) => id)).size).toBe(1);
  const [{ id } = { id: "" }] = orders;
  await untilErased(stack, id);
  await untilErased(stack, (await shop.erasePayer(shop.anonymous)).id);
  expect(await shop.places()).toEqual(NOWHERE);

  const koboCollected = async () => Math.round(Number((await shop.api.get("/balance")).body.collected) * 100);
  const collected = await koboCollected();
  await shop.pay(shop.account.account_number, 1000);
  const [, , , late] = await shop.merchant.untilReceived("live", 4);
  expect(late?.body.data).toMatchObject({
    customer_reference: "cust_17",
    customer_name: "Erased",
    payer_name: "NGOZI VEXDOL",
  });
  expect(await koboCollected()).toBe(collected + 99_000);
  const again = await until("the delivery is over", () => shop.eraseCustomer().catch(() => undefined));
  expect(again.id).toBe(id);
  await untilErased(stack, id);
  expect(await shop.places()).toEqual(NOWHERE);
});

test("an erased event is sent again without the name, signed, under its numbers", async () => {
  echo();
  const shop = await aShop(stack, { name: "Morwick", senderAccount: "6655443305" });
  await shop.retire();
  await untilErased(stack, (await shop.eraseCustomer()).id);
  const [first] = shop.merchant.received("live");
  await stack.bus.request(replayEvent, { merchant: shop.scope, sequence: 1 });
  const received = await shop.merchant.untilReceived("live", 4);
  const resent = received.at(-1);
  const data = Object(first?.body.data);
  expect(resent?.body).toEqual({
    ...first?.body,
    data: {
      ...{ ...data, customer_name: "Erased", payer_name: "Erased", metadata: {} },
      payer: { name: "Erased", account_number: null, bank_name: null },
    },
  });
  expect(resent?.headers["x-service-sequence"]).toBe(first?.headers["x-service-sequence"]);
  expect(
    await stack.bus.request(getCustomerAccount, {
      merchant: { ...shop.scope, name: shop.merchant.name },
      customer_reference: "cust_17",
    }),
  ).toMatchObject({
    ...{ customer_name: "Erased", account_name: "Erased", status: "retired" },
    account_number: shop.account.account_number,
  });
});
