import { nuban } from "@collect/bank";
import { retireCustomerAccount } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { startStack } from "../stack.ts";
import { proveNothingLost } from "./proof.ts";
import { type Customer, openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const report = async (transfer: object) => (await reportTransfer(stack.bankDoor, transfer)).body.status;

test("the same transfer 50 times concurrently, among others, is credited once and has one event", async () => {
  const traffic = await openTraffic(stack);
  const [{ accountNumber = "" } = {}] = traffic.customers;
  const transfer = aBankTransfer({ account_number: accountNumber, amount: 77.77 });
  const reports = Promise.all(Array.from({ length: 50 }, () => report(transfer)));
  await traffic.flowUntil(reports);
  const statuses = await reports;
  expect(statuses.toSorted()).toEqual(["accepted", ...Array.from({ length: 49 }, () => "duplicate")]);
  traffic.acknowledged.set(transfer.id, transfer);
  await proveNothingLost(stack, traffic);
});

test("a known bank id with another amount does not change the first transfer and is not credited", async () => {
  const traffic = await openTraffic(stack);
  await traffic.flow(200);
  const others = [...traffic.acknowledged.values()].map((transfer) => ({ ...transfer, amount: transfer.amount + 1 }));
  const statuses = await Promise.all(others.map(report));
  expect(new Set(statuses)).toEqual(new Set(["quarantined"]));
  const { rows } = await stack
    .database("accounts")
    .query("select count(*)::int from quarantined_transfers where bank_transfer_id = any($1)", [
      [...traffic.acknowledged.keys()],
    ]);
  expect(rows).toEqual([{ count: 200 }]);
  await proveNothingLost(stack, traffic);
});

test("of two concurrent reports of one new id with different amounts, one is credited and the other is quarantined", async () => {
  const traffic = await openTraffic(stack);
  const [{ accountNumber = "" } = {}] = traffic.customers;
  for (let round = 0; round < 20; round++) {
    const one = aBankTransfer({ account_number: accountNumber, amount: 10 });
    const other = { ...one, amount: 20 };
    const statuses = await Promise.all([report(one), report(other)]);
    expect(statuses.toSorted()).toEqual(["accepted", "quarantined"]);
    traffic.acknowledged.set(one.id, statuses[0] === "accepted" ? one : other);
  }
  await proveNothingLost(stack, traffic);
});

test("transfers to unknown accounts are in suspense to the kobo, and their rows are complete", async () => {
  const traffic = await openTraffic(stack);
  const flowing = traffic.flow(100);
  const unknownAccounts = Array.from({ length: 20 }, (_, index) =>
    aBankTransfer({ account_number: nuban({ bankCode: "729", serial: String(900_000_000 + index) }), amount: 10.01 }),
  );
  for (const transfer of unknownAccounts)
    expect([await report(transfer), await report(transfer)]).toEqual(["unallocated", "duplicate"]);
  await flowing;
  await until("the unallocated rows are complete", async () => {
    const { rows } = await stack
      .database("accounts")
      .query("select 1 from inbound_transfers where merchant_id is null and completed_at is null limit 1");
    return rows.length === 0;
  });
  const { rows } = await stack
    .database("ledger")
    .query("select sum(balance)::text as held from ledger_accounts where kind = 'suspense' and mode = 'live'");
  expect(rows).toEqual([{ held: String(-20 * 1_001) }]);
  await proveNothingLost(stack, traffic);
});

test("retired accounts are still credited, and transfers received after their retirement are flagged", async () => {
  const traffic = await openTraffic(stack);
  const retire = ({ merchant }: Customer) =>
    stack.bus.request(retireCustomerAccount, {
      merchant: { id: merchant.id, mode: "live" },
      customer_reference: "cust_42",
    });
  await traffic.flow(50);
  await traffic.flowUntil(Promise.all(traffic.customers.map(retire)));
  await traffic.flow(30);
  const { rows } = await stack
    .database("accounts")
    .query(
      "select count(*)::int as flagged from inbound_transfers where account_retired and bank_transfer_id = any($1)",
      [[...traffic.acknowledged.keys()].slice(-30)],
    );
  expect(rows).toEqual([{ flagged: 30 }]);
  await proveNothingLost(stack, traffic);
});
