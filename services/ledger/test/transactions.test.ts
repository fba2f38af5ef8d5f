import { completeTransfer, getTransaction, reserveTransfer, runSettlement } from "@collect/contracts";
import { transaction } from "@collect/database";
import { aTransfer, randomId } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { collectionTransaction, suspenseTransaction } from "../src/domain/collection.ts";
import { postBatch } from "../src/store/post-batch.ts";
import { collect, fund, useLedger } from "./ledger.ts";

const ledger = await useLedger();

type Merchant = { id: string; mode: "test" | "live" };
const aMerchant = (): Merchant => ({ id: randomId("mer"), mode: "test" });
const read = (merchant: Merchant, key: string) => ledger.others.request(getTransaction, { merchant, key });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => error.code,
  );
const ours = (account: string, amount: number) => ({ account, amount, balance_after: null, version: null });

describe("the transaction under a key", () => {
  test("is a collection with its fee, and the balance of the merchant's own account alone", async () => {
    const merchant = aMerchant();
    const key = randomId("int");
    await collect(ledger.pool, [{ merchant: merchant.id, amount: 100n }]);
    await collect(ledger.pool, [{ merchant: merchant.id, intakeId: key, amount: 250_073n }]);
    expect(await read(merchant, key)).toEqual({
      transaction_id: expect.any(String),
      kind: "collection",
      amount: 2500.73,
      fee: 25.01,
      fee_basis_points: 100,
      occurred_at: "2026-11-21T09:30:00.000+00:00",
      posted_at: expect.stringMatching(/\+00:00$/),
      entries: [
        ours("bank", 2500.73),
        ours("fees", -25.01),
        { account: "collected", amount: -2475.72, balance_after: 2476.71, version: 2 },
      ],
    });
  });

  test("is an allocation out of suspense, found by its intake id or by its own key", async () => {
    const merchant = aMerchant();
    const transfer = aTransfer({ merchant, amount: 10_000n, fundedBy: "suspense" });
    await transaction(ledger.pool, (tx) =>
      postBatch(tx, [suspenseTransaction({ transfer: { ...transfer, mode: merchant.mode }, shard: 0 })]),
    );
    expect(await codeOf(read(merchant, transfer.intakeId))).toBe("not_found");
    await transaction(ledger.pool, (tx) =>
      postBatch(tx, [collectionTransaction({ transfer, feeBasisPoints: 100, shard: 0 })]),
    );
    const allocation = await read(merchant, `${transfer.intakeId}:allocated`);
    expect(allocation).toMatchObject({
      kind: "allocation",
      entries: [
        ours("suspense", 100),
        ours("fees", -1),
        { account: "collected", amount: -99, balance_after: 99, version: 1 },
      ],
    });
    expect(await read(merchant, transfer.intakeId)).toEqual(allocation);
  });

  test("is a settlement, found by its reference or by its key", async () => {
    const merchant = aMerchant();
    await collect(ledger.pool, [{ merchant: merchant.id, amount: 10_000n }]);
    const { settlement } = await ledger.others.request(runSettlement, { merchant });
    const shown = await read(merchant, settlement?.reference ?? "");
    expect(shown).toMatchObject({
      transaction_id: settlement?.transaction_id,
      kind: "settlement",
      amount: 99,
      fee: 0,
      entries: [
        { account: "collected", amount: 99, balance_after: 0, version: 2 },
        { account: "settled", amount: -99, balance_after: 99, version: 1 },
      ],
    });
    const { rows } = await ledger.owner.query("select key from transactions where id = $1", [shown.transaction_id]);
    expect(await read(merchant, rows[0].key)).toEqual(shown);
  });

  test("is each booking of a transfer under its own key", async () => {
    const merchant = aMerchant();
    await fund(ledger.pool, merchant.id);
    const transfer = { transfer_id: randomId("trf"), merchant, amount: "9000" };
    await ledger.others.request(reserveTransfer, transfer);
    await ledger.others.request(completeTransfer, { ...transfer, outcome: "success" });
    expect(await read(merchant, `${transfer.transfer_id}:reserve`)).toMatchObject({
      kind: "reserve",
      amount: 90,
      entries: [
        { account: "settled", amount: 90, balance_after: 9, version: 2 },
        { account: "payouts", amount: -90, balance_after: 90, version: 1 },
      ],
    });
    expect(await read(merchant, `${transfer.transfer_id}:payout`)).toMatchObject({
      kind: "payout",
      entries: [{ account: "payouts", amount: 90, balance_after: 0, version: 2 }, ours("bank", -90)],
    });
    expect(await codeOf(read(merchant, `${transfer.transfer_id}:return`))).toBe("not_found");
  });

  test("never shows the balance or version of the bank, fees or suspense accounts", async () => {
    const merchant = aMerchant();
    await fund(ledger.pool, merchant.id);
    const transfer = { transfer_id: randomId("trf"), merchant, amount: "9000" };
    await ledger.others.request(reserveTransfer, transfer);
    for (const outcome of ["failed", "success", "reversed"] as const)
      await ledger.others.request(completeTransfer, { ...transfer, outcome });
    const { rows } = await ledger.owner.query("select key from transactions where merchant_id = $1", [merchant.id]);
    const shown = await Promise.all(rows.map(({ key }) => read(merchant, key)));
    expect(new Set(shown.map(({ kind }) => kind))).toEqual(
      new Set(["collection", "settlement", "reserve", "return", "late_payout", "late_reversal"]),
    );
    for (const { account, balance_after, version } of shown.flatMap(({ entries }) => entries)) {
      const isOwn = ["collected", "settled", "payouts"].includes(account);
      expect([account, balance_after !== null, version !== null]).toEqual([account, isOwn, isOwn]);
    }
  });
});

test("a transaction of another merchant, of the other mode, of no merchant, or under a malformed key is not found", async () => {
  const merchant = aMerchant();
  const key = randomId("int");
  await collect(ledger.pool, [{ merchant: merchant.id, intakeId: key }]);
  const { settlement } = await ledger.others.request(runSettlement, { merchant });
  const reference = settlement?.reference ?? "";
  for (const known of [key, reference]) {
    expect(await codeOf(read(merchant, known))).toBe("answered");
    expect(await codeOf(read(aMerchant(), known))).toBe("not_found");
    expect(await codeOf(read({ ...merchant, mode: "live" }, known))).toBe("not_found");
  }
  for (const malformed of [randomId("int"), `${key}\u0000`, `${key} `, "%", "''", key.toUpperCase()])
    expect(await codeOf(read(merchant, malformed))).toBe("not_found");
  expect(await codeOf(read(merchant, ""))).toBe("not_found");
  expect(await codeOf(read(merchant, "k".repeat(121)))).toBe("validation_failed");
});
