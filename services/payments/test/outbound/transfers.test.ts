import { TEST_BANK } from "@collect/bank";
import { listTransfers, Transfer, transferRecorded } from "@collect/contracts";
import { schemaDifference } from "@collect/database";
import { aMerchant, someId, until, type World } from "@collect/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  aFundedMerchant,
  anOrder,
  directory,
  LIVE_ACCOUNT,
  openPayments,
  type PlayedLedger,
  type PlayedWebhooks,
  playLedger,
  playWebhooks,
  type Replica,
  type Row,
  refusalOf,
  rowsOf,
  send,
  show,
  startPayments,
  testAccount,
  untilStatus,
  untilStep,
} from "./transfers-world.ts";

let world: World;
let ledger: PlayedLedger;
let webhooks: PlayedWebhooks;
let replica: Replica;

beforeAll(async () => {
  world = await openPayments();
  [ledger, webhooks] = await Promise.all([playLedger(world), playWebhooks(world)]);
  replica = await startPayments(world, { transferTimes: { followUpsMs: [0] } });
});
afterAll(async () => {
  await replica?.stop();
  await ledger?.stop();
  await world?.close();
});
beforeEach(() => {
  ledger.isDown = false;
  webhooks.isDown = false;
});

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
  ])("%i ends as %s, in the ledger and in what the merchant is told", async (digit, ends) => {
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(digit) }));
    expect(transfer).toMatchObject({ status: "pending", completed_at: null, failure_code: null });
    const last = ends.at(-1) ?? "";
    const ended = await untilStatus(world, merchant, transfer.reference, last);
    const [row] = await untilStep(world, merchant, "told");
    expect(row?.told.toSorted()).toEqual(ends.toSorted());
    expect(ledger.held.get(transfer.reference)?.ends).toEqual(ends);
    expect(ledger.settled(merchant)).toBe(last === "success" ? 99_749_927n : 100_000_000n);
    const told = webhooks.about(transfer.reference);
    expect([...new Set(told.map(({ status }) => status))]).toEqual(ends);
    // Whoever is told of an end sees the record as it then was.
    expect(told.at(-1)).toMatchObject({
      key: `${transfer.reference}:${last}`,
      amount: 250_073n,
      failureCode: ended.failure_code,
      completedAt: ended.completed_at,
    });
    expect(ended.failure_code).toBe({ failed: "declined", reversed: "returned" }[last] ?? null);
  });

  test("6 is nobody's account, and nothing is written", async () => {
    const merchant = aFundedMerchant(ledger);
    expect(await refusalOf(send(world, merchant, anOrder({ account_number: testAccount(6) })))).toBe(
      "account_unresolved",
    );
    expect(await rowsOf(world, merchant)).toEqual([]);
  });
});

describe("a transfer", () => {
  test("is answered as the contract says, and shown to its merchant and mode alone", async () => {
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

  test.each(["trf_unknown", "trf_1111111111111111111111", "rent-1", "\u0000", ""])(
    "under the reference %j is not found",
    async (reference) => expect(await refusalOf(show(world, aMerchant(), reference))).toBe("not_found"),
  );

  test("ordered a hundred times at once under one reference is one transfer, created once", async () => {
    const merchant = aFundedMerchant(ledger);
    const order = anOrder();
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(world, merchant, order)));
    expect(new Set(answers.map(({ transfer }) => transfer.reference)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    await untilStep(world, merchant, "told");
    expect(ledger.settled(merchant)).toBe(99_749_927n);
    expect([...ledger.held.keys()].filter((id) => id === answers[0]?.transfer.reference)).toHaveLength(1);
  });

  test("ordered again later is answered as it then stands", async () => {
    const merchant = aFundedMerchant(ledger);
    const order = anOrder({ account_number: testAccount(2) });
    const { transfer } = await send(world, merchant, order);
    const failed = await untilStatus(world, merchant, transfer.reference, "failed");
    expect(await send(world, merchant, order)).toEqual({ transfer: failed, created: false });
  });

  test.each([{ amount: 1 }, { account_number: testAccount(7) }, { narration: "other" }])(
    "under a known reference with other values (%j) is a conflict",
    async (change) => {
      const merchant = aFundedMerchant(ledger);
      const order = anOrder({ narration: "rent" });
      await send(world, merchant, order);
      expect(await refusalOf(send(world, merchant, { ...order, ...change }))).toBe("reference_conflict");
      expect(await rowsOf(world, merchant)).toHaveLength(1);
    },
  );

  test("of the same reference of another merchant is another transfer", async () => {
    const [one, other] = [aFundedMerchant(ledger), aFundedMerchant(ledger)];
    const order = anOrder();
    const references = await Promise.all([one, other].map((merchant) => send(world, merchant, order)));
    expect(new Set(references.map(({ transfer }) => transfer.reference)).size).toBe(2);
  });

  test.each([
    ["a wrong check digit", { account_number: `${testAccount(1).slice(0, 9)}${(Number(testAccount(1)[9]) + 1) % 10}` }],
    ["a bank that is not in the list", { bank_code: "999" }],
    ["a real bank in test mode", { bank_code: "011", account_number: "0000014579" }],
  ])("to %s is refused, and nothing is written", async (_case, change) => {
    const merchant = aFundedMerchant(ledger);
    expect(await refusalOf(send(world, merchant, anOrder(change)))).toBe("account_unresolved");
    expect(await rowsOf(world, merchant)).toEqual([]);
  });
});

describe("a transfer of more than Settled holds", () => {
  test("is refused and never shown, and succeeds under the same reference once there is enough", async () => {
    const merchant = aMerchant();
    ledger.fund(merchant, 250_072n);
    const order = anOrder();
    expect(await refusalOf(send(world, merchant, order))).toBe("insufficient_balance");
    expect(await refusalOf(send(world, merchant, order))).toBe("insufficient_balance");
    const asked = { merchant: { ...merchant, name: "Ada" }, limit: "20", offset: "0" };
    expect((await world.others.request(listTransfers, asked)).data).toEqual([]);
    expect(await rowsOf(world, merchant)).toEqual([]);

    ledger.fund(merchant, 1n);
    const { transfer, created } = await send(world, merchant, order);
    expect(created).toBe(true);
    await untilStatus(world, merchant, transfer.reference, "success");
    expect(ledger.settled(merchant)).toBe(0n);
  });

  test("is refused to everybody who orders it at once", async () => {
    const merchant = aMerchant();
    const order = anOrder();
    ledger.claims = 100_000_000n;
    const codes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(send(world, merchant, order))));
    ledger.claims = undefined;
    expect(new Set(codes)).toEqual(new Set(["insufficient_balance"]));
    for (const { reference } of await untilStep(world, merchant, "refused"))
      expect(await refusalOf(show(world, merchant, reference))).toBe("not_found");
    expect(ledger.settled(merchant)).toBe(0n);
  });

  test("is refused before the bank is asked for the name", async () => {
    const merchant = aMerchant("live");
    expect(await refusalOf(send(world, merchant, anOrder(LIVE_ACCOUNT)))).toBe("insufficient_balance");
    expect(await rowsOf(world, merchant)).toEqual([]);
  });

  test("is refused where two that fit alone do not fit together", async () => {
    const merchant = aMerchant();
    ledger.fund(merchant, 300_000n);
    const outcomes = await Promise.allSettled([send(world, merchant, anOrder()), send(world, merchant, anOrder())]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ledger.settled(merchant)).toBe(300_000n - 250_073n);
  });
});

describe("without the ledger", () => {
  test("an order is answered 503, and a repeat goes on with the same transfer", async () => {
    const merchant = aFundedMerchant(ledger);
    const order = anOrder();
    ledger.isDown = true;
    expect(await refusalOf(send(world, merchant, order))).toBe("service_unavailable");
    expect(await rowsOf(world, merchant)).toMatchObject([{ step: "created" }]);
    ledger.isDown = false;
    expect(await send(world, merchant, order)).toMatchObject({ created: true });
    expect(await untilStep(world, merchant, "told")).toHaveLength(1);
  });

  test("an order that is never repeated is gone on with by the worker, or refused by it", async () => {
    const [rich, poor] = [aFundedMerchant(ledger), aMerchant()];
    ledger.isDown = true;
    ledger.claims = 100_000_000n;
    for (const merchant of [rich, poor])
      expect(await refusalOf(send(world, merchant, anOrder()))).toBe("service_unavailable");
    await world.owner.query("update transfers set next_at = now() where merchant_id = any($1)", [[rich.id, poor.id]]);
    await until("the worker has asked in vain", async () => {
      const rows = [...(await rowsOf(world, rich)), ...(await rowsOf(world, poor))];
      return rows.every(({ step, attempts }) => step === "created" && Number(attempts) > 0);
    });
    ledger.isDown = false;
    ledger.claims = undefined;
    expect(await untilStep(world, rich, "told")).toMatchObject([{ status: "success" }]);
    expect(await untilStep(world, poor, "refused")).toHaveLength(1);
  });

  test("the end waits until it is booked, and is told only then", async () => {
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(4) }));
    ledger.isDown = true;
    await untilStep(world, merchant, "decided");
    expect(await show(world, merchant, transfer.reference)).toMatchObject({ status: "pending", failure_code: null });
    expect(webhooks.about(transfer.reference)).toEqual([]);
    ledger.isDown = false;
    expect(await untilStep(world, merchant, "told")).toMatchObject([{ status: "failed" }]);
  });
});

describe("the merchant's event", () => {
  test("is told again until it is recorded, the same each time", async () => {
    webhooks.isDown = true;
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder());
    const told = await until("told three times", () => {
      const facts = webhooks.about(transfer.reference);
      return facts.length >= 3 && facts;
    });
    for (const fact of told) expect(fact).toEqual(told[0]);
    webhooks.isDown = false;
    await untilStep(world, merchant, "told");
  });

  test("of a reversal is told only once that of its success is recorded", async () => {
    webhooks.isDown = true;
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(5) }));
    await untilStatus(world, merchant, transfer.reference, "reversed");
    const times = webhooks.about(transfer.reference).length;
    await until("told twice more", () => webhooks.about(transfer.reference).length >= times + 2);
    expect(new Set(webhooks.about(transfer.reference).map(({ status }) => status))).toEqual(new Set(["success"]));
    webhooks.isDown = false;
    await untilStep(world, merchant, "told");
    const statuses = webhooks.about(transfer.reference).map(({ status }) => status);
    expect(statuses.lastIndexOf("success")).toBeLessThan(statuses.indexOf("reversed"));
  });

  test("that is recorded twice, or of a transfer that nobody knows, changes nothing", async () => {
    const merchant = aFundedMerchant(ledger);
    const { transfer } = await send(world, merchant, anOrder());
    const [row] = await untilStep(world, merchant, "told");
    const recorded = { merchant, sequence: 1, recordedAt: "2026-11-21T09:30:02.000+00:00" };
    const keys = [`${transfer.reference}:success`, `${transfer.reference}:success`, "trf_unknown:failed"];
    await world.others.publish(
      transferRecorded,
      keys.map((key) => ({ key, ...recorded })),
    );
    const { transfer: next } = await send(world, merchant, anOrder());
    await untilStatus(world, merchant, next.reference, "success");
    await untilStep(world, merchant, "told");
    // The follow-up may have been made meanwhile.
    const { follow_ups: _, follow_up_at: __, ...same } = row as Row;
    expect((await rowsOf(world, merchant))[0]).toMatchObject(same);
  });
});

describe("the list", () => {
  test("comes newest first, page by page, and by status", async () => {
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
    const at = (...places: number[]) => places.map((place) => references[place]);
    expect(await page({ limit: "2", offset: "0" })).toEqual({
      references: at(0, 1),
      limit: 2,
      offset: 0,
      has_more: true,
      mode: "test",
    });
    expect(await page({ limit: "2", offset: "4" })).toMatchObject({ references: at(4), has_more: false });
    expect(await page({ status: "failed", limit: "20", offset: "0" })).toMatchObject({ references: at(1, 3) });
    expect(await page({ status: "success", limit: "2", offset: "1" })).toMatchObject({ references: at(2, 4) });
  });
});

test("a reference may hold whatever is printable, and is told apart by case", async () => {
  const merchant = aFundedMerchant(ledger);
  for (const reference of ["Löhne/42 ₦", "löhne/42 ₦", someId("x").padEnd(100, "é")]) {
    const { transfer, created } = await send(world, merchant, anOrder({ reference }));
    expect([transfer.merchant_reference, created]).toEqual([reference, true]);
  }
});

test("the service cannot delete a transfer", async () => {
  await expect(world.pool.query("delete from transfers")).rejects.toThrow("permission denied");
});

test("the migrations make exactly what the schema says", async () => {
  expect(await schemaDifference({ url: world.database.owner, directory })).toEqual([]);
});
