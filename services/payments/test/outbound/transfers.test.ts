import { nuban, TEST_BANK } from "@collect/bank";
import { listOutboundTransfers, listTransfers, Transfer } from "@collect/contracts";
import { schemaDifference } from "@collect/database";
import { aMerchant, randomId } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { restoreTransfers } from "../../src/outbound/store/transfer-recovery.ts";
import { directory } from "../inbound/sessions-world.ts";
import {
  aFundedMerchant,
  anOrder,
  refusalOf,
  rowsOf,
  send,
  show,
  testAccount,
  untilStatus,
  untilStep,
} from "./transfers-world.ts";
import { useTransfers } from "./use-transfers.ts";

const { world, ledger, webhooks } = await useTransfers();

describe("the test bank decides by the last serial digit:", () => {
  test.each([
    [0, ["success"]],
    [1, ["success"]],
    [2, ["failed"]],
    [3, ["success"]],
    [4, ["failed"]],
    [5, ["success", "reversed"]],
    [7, ["success"]],
    [8, ["success"]],
    [9, ["success"]],
  ])("%i ends as %s, in the ledger and in the merchant's events", async (digit, ends) => {
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(digit) }));
    expect(transfer).toMatchObject({ status: "pending", completed_at: null, failure_code: null });
    const last = ends.at(-1) ?? "";
    const ended = await untilStatus(world, merchant, transfer.reference, last);
    const [row] = await untilStep(world, merchant, "told");
    expect(row?.told.toSorted()).toEqual(ends.toSorted());
    expect(ledger.held.get(transfer.reference)?.ends).toEqual(ends);
    expect(ledger.settled(merchant)).toBe(last === "success" ? 99_749_927n : 100_000_000n);
    const events = webhooks.about(transfer.reference);
    expect([...new Set(events.map(({ status }) => status))]).toEqual(ends);
    // An event contains the transfer as it was at that end.
    expect(events.at(-1)).toMatchObject({
      key: `${transfer.reference}:${last}`,
      amount: 250_073n,
      failureCode: ended.failure_code,
      completedAt: ended.completed_at,
    });
    expect(ended.failure_code).toBe({ failed: "declined", reversed: "returned" }[last] ?? null);
  });

  test("6 is an unknown account, and nothing is written", async () => {
    const merchant = aFundedMerchant(ledger);
    expect(await refusalOf(send(world, merchant, anOrder({ account_number: testAccount(6) })))).toBe(
      "account_unresolved",
    );
    expect(await rowsOf(world, merchant)).toEqual([]);
  });
});

describe("a transfer", () => {
  test("matches the contract, and is visible only to its merchant in its mode", async () => {
    const merchant = aFundedMerchant(ledger);
    const { transfer, created } = await send(world, merchant, anOrder({ reference: "rent-1", narration: "rent" }));
    expect(created).toBe(true);
    expect(Transfer.safeParse(transfer).success).toBe(true);
    expect(transfer).toMatchObject({
      reference: expect.stringMatching(/^trf_[1-9A-HJ-NP-Za-km-z]{22}$/),
      merchant_reference: "rent-1",
      amount: 2500.73,
      fee: 0,
      currency: "NGN",
      bank_code: TEST_BANK.code,
      bank_name: TEST_BANK.name,
      narration: "rent",
      mode: "test",
    });
    await untilStatus(world, merchant, transfer.reference, "success");
    for (const other of [aMerchant(), { ...merchant, mode: "live" as const }])
      expect(await refusalOf(show(world, other, transfer.reference))).toBe("not_found");
  });

  test("returns its metadata wherever it is read, and in its events", async () => {
    const merchant = aFundedMerchant(ledger);
    const metadata = { order: "17", 7: "seven" };
    const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(5), metadata }));
    expect(transfer.metadata).toEqual(metadata);
    const reversed = await untilStatus(world, merchant, transfer.reference, "reversed");
    await untilStep(world, merchant, "told");
    expect(reversed.metadata).toEqual(metadata);
    expect((await world.others.request(listTransfers, { merchant: { ...merchant, name: "Ada Stores" } })).data).toEqual(
      [reversed],
    );
    for (const fact of webhooks.about(transfer.reference)) expect(fact.metadata).toEqual(metadata);
    expect((await send(world, merchant, anOrder())).transfer.metadata).toEqual({});
  });

  test("is restored from the order that the ledger keeps with its metadata, and without any as an earlier release took it", async () => {
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder({ metadata: { order: "17" } }));
    await untilStep(world, merchant, "told");
    const { rows } = await world.others.request(listOutboundTransfers, { since: transfer.created_at, after: null });
    const [row] = rows.filter(({ transfer_id }) => transfer_id === transfer.reference);
    if (!row) throw new Error("the transfer is not listed");
    expect([row.outcome, row.completed_at]).toEqual(["success", expect.any(String)]);
    for (const metadata of [{ order: "17" }, undefined]) {
      await world.owner.query("delete from transfers where reference = $1", [transfer.reference]);
      const order = { ...row.order, metadata };
      await restoreTransfers(world.pool, [{ ...row, order, reserved: true }]);
      expect(await rowsOf(world, merchant)).toMatchObject([{ metadata: metadata ?? null }]);
      await untilStep(world, merchant, "told");
    }
    expect((await show(world, merchant, transfer.reference)).metadata).toEqual({});
    expect(webhooks.about(transfer.reference).at(-1)).not.toHaveProperty("metadata");
  });

  test.each(["trf_unknown", "trf_1111111111111111111111", "rent-1", "\u0000", ""])(
    "under the reference %j is not found",
    async (reference) => expect(await refusalOf(show(world, aMerchant(), reference))).toBe("not_found"),
  );

  test("ordered a hundred times concurrently under one reference is created once", async () => {
    const merchant = aFundedMerchant(ledger);
    const order = anOrder();
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(world, merchant, order)));
    expect(new Set(answers.map(({ transfer }) => transfer.reference)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    await untilStep(world, merchant, "told");
    expect(ledger.settled(merchant)).toBe(99_749_927n);
    expect([...ledger.held.keys()].filter((id) => id === answers[0]?.transfer.reference)).toHaveLength(1);
  });

  test("ordered again later is returned with its current status", async () => {
    const merchant = aFundedMerchant(ledger);
    const order = anOrder({ account_number: testAccount(2) });
    const { transfer } = await send(world, merchant, order);
    const failed = await untilStatus(world, merchant, transfer.reference, "failed");
    expect(await send(world, merchant, order)).toEqual({ transfer: failed, created: false });
  });

  test.each<NonNullable<Parameters<typeof anOrder>[0]>>([
    { amount: 1 },
    { account_number: testAccount(7) },
    { narration: "other" },
    { metadata: { order: "18" } },
    { metadata: {} },
  ])("under a known reference with other values (%j) is a conflict", async (change) => {
    const merchant = aFundedMerchant(ledger);
    const order = anOrder({ narration: "rent", metadata: { order: "17" } });
    await send(world, merchant, order);
    expect(await refusalOf(send(world, merchant, { ...order, ...change }))).toBe("reference_conflict");
    expect(await rowsOf(world, merchant)).toHaveLength(1);
  });

  test("with the same reference of another merchant is another transfer", async () => {
    const [one, other] = [aFundedMerchant(ledger), aFundedMerchant(ledger)];
    const order = anOrder();
    const references = await Promise.all([one, other].map((merchant) => send(world, merchant, order)));
    expect(new Set(references.map(({ transfer }) => transfer.reference)).size).toBe(2);
  });

  test.each([
    ["a wrong check digit", { account_number: `${testAccount(1).slice(0, 9)}${(Number(testAccount(1)[9]) + 1) % 10}` }],
    ["an unlisted bank", { bank_code: "999" }],
    ["a wrong check digit of a real bank", { bank_code: "011", account_number: "0000014578" }],
  ])("to %s is refused, and nothing is written", async (_case, change) => {
    const merchant = aFundedMerchant(ledger);
    expect(await refusalOf(send(world, merchant, anOrder(change)))).toBe("account_unresolved");
    expect(await rowsOf(world, merchant)).toEqual([]);
  });
});

test.each([
  [1, "success"],
  [2, "failed"],
] as const)(
  "in test mode an account of a real bank whose ninth digit is %i ends as %s, like one of the test bank",
  async (digit, status) => {
    const merchant = aFundedMerchant(ledger);
    const account = { bank_code: "058", account_number: nuban({ bankCode: "058", serial: `00000070${digit}` }) };
    const { transfer } = await send(world, merchant, anOrder(account));
    expect(await untilStatus(world, merchant, transfer.reference, status)).toMatchObject({
      ...account,
      bank_name: "Guaranty Trust Bank",
    });
  },
);

describe("the transfer list", () => {
  test("is ordered newest first, paginated, and filtered by status", async () => {
    const merchant = aFundedMerchant(ledger);
    const references: string[] = [];
    for (const digit of [1, 2, 1, 2, 1]) {
      const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(digit) }));
      references.unshift(transfer.reference);
    }
    await untilStep(world, merchant, "told");
    const page = async (given: { status?: "success" | "failed"; limit: string; offset: string }) => {
      const { data, ...rest } = await world.others.request(listTransfers, {
        merchant: { ...merchant, name: "Ada" },
        ...given,
      });
      return { references: data.map(({ reference }) => reference), ...rest };
    };
    const at = (...indexes: number[]) => indexes.map((index) => references[index]);
    expect(await page({ limit: "2", offset: "0" })).toEqual({
      references: at(0, 1),
      limit: 2,
      offset: 0,
      has_more: true,
      next: expect.any(String),
      mode: "test",
    });
    expect(await page({ limit: "2", offset: "4" })).toMatchObject({ references: at(4), has_more: false });
    expect(await page({ status: "failed", limit: "20", offset: "0" })).toMatchObject({ references: at(1, 3) });
    expect(await page({ status: "success", limit: "2", offset: "1" })).toMatchObject({ references: at(2, 4) });
  });
});

test("a reference may contain any printable character, and is case-sensitive", async () => {
  const merchant = aFundedMerchant(ledger);
  for (const reference of ["Löhne/42 ₦", "löhne/42 ₦", randomId("x").padEnd(100, "é")]) {
    const { transfer, created } = await send(world, merchant, anOrder({ reference }));
    expect([transfer.merchant_reference, created]).toEqual([reference, true]);
  }
});

test("the service cannot delete a transfer", async () => {
  await expect(world.pool.query("delete from transfers")).rejects.toThrow("permission denied");
});

test("the migrations create exactly the schema", async () => {
  expect(await schemaDifference({ url: world.database.owner, directory })).toEqual([]);
});
