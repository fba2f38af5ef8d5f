import { instantOf, issueCustomerAccount, retireCustomerAccount } from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { received as receivedRows } from "../src/store/received-minutes.ts";
import {
  aCustomer,
  ago,
  aTestTransfer,
  DAY_MS,
  exceptionsOf,
  factsOf,
  failure,
  receive,
  rowsOf,
  useTestTransfers,
  world,
} from "./test-transfers-world.ts";
import { aReport, report } from "./world.ts";

await useTestTransfers();

describe("transfers of the test bank", () => {
  test("200 in one request are accepted with the bank's own times and published, in one commit", async () => {
    const merchant = await aCustomer();
    const transfers = Array.from({ length: 200 }, (_, n) =>
      aTestTransfer({ customer_reference: `cust_${1 + (n % 2)}`, paid_at: ago((n + 1) * DAY_MS) }),
    );
    expect(await receive(merchant, transfers)).toEqual({ accepted: 200, duplicates: 0, quarantined: 0 });
    const rows = await rowsOf(merchant);
    expect(new Set(rows.map(({ paid_at }) => paid_at))).toEqual(new Set(transfers.map(({ paid_at }) => paid_at)));
    expect(new Set(rows.map(({ received_at }) => received_at)).size).toBe(1);
    const facts = await until("published", () => factsOf(merchant).length === 200 && factsOf(merchant));
    expect(facts[0]).toMatchObject({
      customer: { name: "Ada Obi" },
      amount: 250_073n,
      payer: { name: "Chidi Eze", accountNumber: "0123456789", bankName: "First Bank" },
      fundedBy: "bank",
    });
  });

  test("that are repeated are duplicates, even in one call and concurrently", async () => {
    const merchant = await aCustomer();
    const transfers = [aTestTransfer(), aTestTransfer(), aTestTransfer()];
    const twice = [...transfers, ...transfers];
    const answers = await Promise.all(Array.from({ length: 6 }, () => receive(merchant, twice)));
    const sum = (of: "accepted" | "duplicates") => answers.reduce((total, answer) => total + answer[of], 0);
    expect([sum("accepted"), sum("duplicates")]).toEqual([3, 33]);
    expect(await receive(merchant, transfers.toReversed())).toEqual({ accepted: 0, duplicates: 3, quarantined: 0 });
    expect(await rowsOf(merchant)).toHaveLength(3);
  });

  test.each([
    ["amount", { amount: 1 }],
    ["customer", { customer_reference: "cust_2" }],
  ])("with a known id and another %s are held apart, and the first is untouched", async (_what, other) => {
    const merchant = await aCustomer();
    const transfer = aTestTransfer();
    await receive(merchant, [transfer]);
    const before = await rowsOf(merchant);
    const answer = await receive(merchant, [{ ...transfer, ...other }, aTestTransfer()]);
    expect(answer).toEqual({ accepted: 1, duplicates: 0, quarantined: 1 });
    expect(await rowsOf(merchant)).toEqual(expect.arrayContaining(before));
    expect((await exceptionsOf(merchant)).quarantined).toBe(1);
  });

  test("of two merchants with the same id are two transfers", async () => {
    const [one, other] = [await aCustomer(), await aCustomer()];
    const transfer = aTestTransfer();
    for (const merchant of [one, other])
      expect(await receive(merchant, [transfer])).toMatchObject({ accepted: 1, quarantined: 0 });
    const [[first], [second]] = [await rowsOf(one), await rowsOf(other)];
    expect(first.intake_id).not.toBe(second.intake_id);
  });

  test("in too many queued batches are refused as retryable, and do not delay the bank door", async () => {
    const merchant = await aCustomer();
    const known = aTestTransfer();
    await receive(merchant, [known]);
    // Each batch has a transfer to quarantine, which this lock blocks.
    const holder = await world.owner.connect();
    await holder.query("begin");
    await holder.query("lock table quarantined_transfers in exclusive mode");
    const batches = Array.from({ length: 60 }, () => [aTestTransfer(), { ...known, amount: 1 }]);
    const codes: string[] = [];
    const refusals = batches.map(async (batch) => codes.push((await failure(receive(merchant, batch))).code));
    await until("refused", () => codes.length >= 39);
    expect(new Set(codes)).toEqual(new Set(["service_unavailable"]));
    expect((await report(world, aReport("9999999999"))).body.status).toBe("unallocated");
    await holder.query("rollback");
    holder.release();
    await Promise.all(refusals);
    // A caller may have waited for less than its turn took, and is told to try again, too.
    expect((await rowsOf(merchant)).length).toBeGreaterThan(codes.filter((code) => code === "answered").length);
    for (const batch of batches) await receive(merchant, batch);
    expect(await rowsOf(merchant)).toHaveLength(61);
  });

  test("for a retired account are credited anyway, and flagged, as at the bank door", async () => {
    const merchant = await aCustomer();
    await world.others.request(retireCustomerAccount, { merchant, customer_reference: "cust_1" });
    expect(await receive(merchant, [aTestTransfer()])).toMatchObject({ accepted: 1 });
    expect(await rowsOf(merchant)).toMatchObject([{ account_retired: true }]);
  });
});

describe("a whole batch is refused", () => {
  test("with a customer that has no account, whose reference is named", async () => {
    const merchant = await aCustomer();
    const stranger = aTestTransfer({ customer_reference: "cust_9" });
    const refused = await failure(receive(merchant, [aTestTransfer(), stranger]));
    expect(refused).toMatchObject({
      code: "validation_failed",
      errors: [{ param: "transfers.1.customer_reference", code: "unknown", message: "cust_9 has no account" }],
    });
    expect(refused.detail).toContain("cust_9");
    expect(await rowsOf(merchant)).toEqual([]);
    const other = await aCustomer();
    await world.others.request(issueCustomerAccount, {
      merchant: other,
      customer_reference: "cust_9",
      customer_name: "X",
    });
    expect((await failure(receive(merchant, [stranger]))).code).toBe("validation_failed");
    expect(await receive(other, [stranger])).toMatchObject({ accepted: 1 });
  });

  test("with a time in the future or more than 400 days ago", async () => {
    const merchant = await aCustomer();
    for (const paid_at of [ago(-60_000), ago(400 * DAY_MS + 60_000)]) {
      expect(await failure(receive(merchant, [aTestTransfer(), aTestTransfer({ paid_at })]))).toMatchObject({
        code: "validation_failed",
        errors: [{ param: "transfers.1.paid_at" }],
      });
    }
    expect(await rowsOf(merchant)).toEqual([]);
    const times = [ago(0), ago(400 * DAY_MS - 60_000)];
    expect(
      await receive(
        merchant,
        times.map((paid_at) => aTestTransfer({ paid_at })),
      ),
    ).toMatchObject({ accepted: 2 });
  });

  test("of live mode", async () => {
    const merchant = await aCustomer("live");
    expect((await failure(receive(merchant, [aTestTransfer()]))).code).toBe("test_key_required");
    expect(await rowsOf(merchant)).toEqual([]);
  });

  test.each([
    { id: "" },
    { id: "a b" },
    { id: "x".repeat(61) },
    { amount: 0 },
    { amount: 0.001 },
    { customer_reference: "" },
    { paid_at: "yesterday" },
    { payer: { name: "", account_number: "0123456789", bank_name: "First Bank" } },
    { payer: { name: "A", account_number: "12", bank_name: "First Bank" } },
    { payer: { name: "A", account_number: "0123456789", bank_name: "\u0000" } },
  ])("in which one is wrong: %j", async (wrong) => {
    const merchant = await aCustomer();
    expect((await failure(receive(merchant, [aTestTransfer(), aTestTransfer(wrong)]))).code).toBe("validation_failed");
    expect(await rowsOf(merchant)).toEqual([]);
  });

  test("if it is empty or has more than 200 transfers", async () => {
    const merchant = await aCustomer();
    for (const count of [0, 201]) {
      const transfers = Array.from({ length: count }, () => aTestTransfer());
      expect((await failure(receive(merchant, transfers))).code).toBe("validation_failed");
    }
    expect(await rowsOf(merchant)).toEqual([]);
  });
});

test("a batch that was not published is published by the sweep, and counted in the minute of its receipt", async () => {
  const merchant = await aCustomer();
  await receive(merchant, [aTestTransfer({ paid_at: ago(300 * DAY_MS) })]);
  await until("published", () => factsOf(merchant).length === 1);
  const [row] = await rowsOf(merchant);
  expect(Date.parse(row.drive_at) - Date.parse(row.received_at)).toBe(30_000);
  await world.owner.query("update inbound_transfers set drive_at = now() where intake_id = $1", [row.intake_id]);
  const [first, again] = await until("redriven", () => factsOf(merchant).length === 2 && factsOf(merchant));
  expect(again).toEqual(first);
  const at = (time: string, plusMs = 0) => ({
    from: time,
    to: instantOf(new Date(Date.parse(time) + 60_000 + plusMs)),
  });
  expect(await receivedRows.minutes(world.pool, at(row.paid_at))).toEqual([]);
  expect(await receivedRows.minutes(world.pool, at(row.received_at))).not.toEqual([]);
});
