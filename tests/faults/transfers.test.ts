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

test("the same transfer 50 times at once, amid others, is credited once and told once", async () => {
  const traffic = await openTraffic(stack);
  const [{ accountNumber = "" } = {}] = traffic.customers;
  const transfer = aBankTransfer({ account_number: accountNumber, amount: 77.77 });
  const telling = Promise.all(Array.from({ length: 50 }, () => report(transfer)));
  await traffic.flowUntil(telling);
  const told = await telling;
  expect(told.toSorted()).toEqual(["accepted", ...Array.from({ length: 49 }, () => "duplicate")]);
  traffic.answered.set(transfer.id, transfer);
  await proveNothingLost(stack, traffic);
});

test("every bank id again with another amount changes nothing of the first and credits nothing", async () => {
  const traffic = await openTraffic(stack);
  await traffic.flow(200);
  const others = [...traffic.answered.values()].map((transfer) => ({ ...transfer, amount: transfer.amount + 1 }));
  const told = await Promise.all(others.map(report));
  expect(new Set(told)).toEqual(new Set(["quarantined"]));
  const { rows } = await stack
    .database("accounts")
    .query("select count(*)::int from quarantined_transfers where bank_transfer_id = any($1)", [
      [...traffic.answered.keys()],
    ]);
  expect(rows).toEqual([{ count: 200 }]);
  await proveNothingLost(stack, traffic);
});

test("two reports of one new id with different amounts at once: one is credited, the other kept apart", async () => {
  const traffic = await openTraffic(stack);
  const [{ accountNumber = "" } = {}] = traffic.customers;
  for (let round = 0; round < 20; round++) {
    const one = aBankTransfer({ account_number: accountNumber, amount: 10 });
    const other = { ...one, amount: 20 };
    const told = await Promise.all([report(one), report(other)]);
    expect(told.toSorted()).toEqual(["accepted", "quarantined"]);
    traffic.answered.set(one.id, told[0] === "accepted" ? one : other);
  }
  await proveNothingLost(stack, traffic);
});

test("money for accounts that nobody owns stands in suspense to the kobo, and its rows are complete", async () => {
  const traffic = await openTraffic(stack);
  const flowing = traffic.flow(100);
  const strays = Array.from({ length: 20 }, (_, index) =>
    aBankTransfer({ account_number: nuban({ bankCode: "729", serial: String(900_000_000 + index) }), amount: 10.01 }),
  );
  for (const stray of strays) expect([await report(stray), await report(stray)]).toEqual(["unallocated", "duplicate"]);
  await flowing;
  await until("the strays' rows are complete", async () => {
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

test("accounts retired while transfers flow are credited to the end, and what came afterwards is flagged", async () => {
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
      [[...traffic.answered.keys()].slice(-30)],
    );
  expect(rows).toEqual([{ flagged: 30 }]);
  await proveNothingLost(stack, traffic);
});
