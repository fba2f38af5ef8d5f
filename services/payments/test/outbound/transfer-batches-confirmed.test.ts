import { getPayoutState } from "@collect/contracts";
import { afterEach, describe, expect, test } from "vitest";
import { ADA, aFile, BOLA, batchesOf } from "./batches-world.ts";
import { NO_LIMITS } from "./fake-ledger.ts";
import { aFundedMerchant, anOrder, refusalOf, rowsOf, send, testAccount, untilStep } from "./transfers-world.ts";
import { useTransfers } from "./use-transfers.ts";

const { world, ledger } = await useTransfers();

afterEach(() => {
  ledger.limits = NO_LIMITS;
  ledger.decides = {};
});

const aMerchant = () => {
  const merchant = aFundedMerchant(ledger);
  return { merchant, ...batchesOf(world, merchant) };
};

describe("the confirmation", () => {
  test.each([
    ["the settled balance", {}, 60_000, "insufficient_balance"],
    ["the limit of a day", { day_max: 25_000, today: 10_000 }, 20, "payout_limit_exceeded"],
    ["the limit of one transfer", { transfer_max: 999 }, 20, "payout_limit_exceeded"],
  ])("is refused, and nothing moves, if all lines together exceed %s", async (_case, limits, amount, code) => {
    const { merchant, checked, confirm, show } = aMerchant();
    ledger.limits = { ...NO_LIMITS, ...limits };
    const batch = await checked(aFile(20, amount > 1_000 ? { amount: String(amount) } : {}));
    expect(await refusalOf(confirm(batch))).toBe(code);
    expect(await show(batch.reference)).toMatchObject({ state: "checked", confirmed_by: null });
    expect(await rowsOf(world, merchant)).toEqual([]);
  });

  test("is refused for other lines than were shown, and for a file of another merchant", async () => {
    const { checked, confirm } = aMerchant();
    const batch = await checked(aFile(2));
    expect(await refusalOf(confirm({ ...batch, total: 1_999 }))).toBe("conflict");
    expect(await refusalOf(aMerchant().confirm(batch))).toBe("not_found");
  });

  test("above the threshold waits for a second person, whose approval is that of every line", async () => {
    const { merchant, checked, confirm, approve, untilState } = aMerchant();
    ledger.limits = { ...NO_LIMITS, approval_above: 2_500 };
    ledger.decides = { approval_required: true };
    const batch = await checked(aFile(3));
    expect(await confirm(batch, ADA)).toMatchObject({ state: "awaiting_approval", confirmed_by: ADA });
    expect(await refusalOf(approve(batch.reference, ADA))).toBe("second_person_required");
    const waiting = async () => (await world.others.request(getPayoutState, { merchant })).files_awaiting_approval;
    expect(await waiting()).toBe(1);
    expect(await rowsOf(world, merchant)).toEqual([]);
    expect(await approve(batch.reference, BOLA)).toMatchObject({ approved_by: BOLA });
    expect(await waiting()).toBe(0);
    await untilState(batch.reference, "sent");
    const rows = await untilStep(world, merchant, "told");
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toMatchObject({ approval: "approved", approval_by: BOLA, ordered_by: ADA });
  });

  test("of files that are below the threshold each, and above it together, waits for a second person", async () => {
    const { checked, confirm, approve, untilState } = aMerchant();
    ledger.limits = { ...NO_LIMITS, approval_above: 5_000 };
    const [one, other] = [await checked(aFile(3)), await checked(aFile(3, { from: 300 }))];
    await confirm(one);
    await untilState(one.reference, "sent");
    expect(await confirm(other)).toMatchObject({ state: "awaiting_approval" });
    await approve(other.reference, BOLA);
    await untilState(other.reference, "sent");
  });

  test("is not approved if a line was paid in another way meanwhile: nothing is sent, and the file says which", async () => {
    const { merchant, checked, confirm, approve, lines, show } = aMerchant();
    ledger.limits = { ...NO_LIMITS, approval_above: 2_500 };
    const batch = await checked(aFile(3));
    const { confirmed_at } = await confirm(batch, ADA);
    await send(world, merchant, anOrder({ amount: 1_000, account_number: testAccount(1, 101) }));
    const refusal = await approve(batch.reference, BOLA).catch((error) => error);
    expect(refusal).toMatchObject({ code: "conflict", errors: [{ code: "paid_meanwhile" }] });
    expect(await show(batch.reference)).toMatchObject({ state: "checked", confirmed_by: null, faulty: 1 });
    expect((await lines(batch.reference, "faulty")).map(({ line, faults }) => [line, faults[0]?.code])).toEqual([
      [3, "paid_recently"],
    ]);
    expect(await refusalOf(confirm(batch))).toBe("conflict");
    expect(await refusalOf(approve(batch.reference, BOLA, { confirmed_at: confirmed_at ?? "" }))).toBe("conflict");
    expect(await rowsOf(world, merchant)).toHaveLength(1);
  });

  test("is approved as the second person saw it, and a later one needs an approval of its own", async () => {
    const { merchant, checked, confirm, approve, untilState } = aMerchant();
    ledger.limits = { ...NO_LIMITS, approval_above: 2_500 };
    const batch = await checked(aFile(3));
    const { confirmed_at } = await confirm(batch, ADA);
    await world.owner.query("update transfer_batches set next_at = now() where reference = $1", [batch.reference]);
    await untilState(batch.reference, "checked");
    await confirm(batch, ADA);
    expect(await refusalOf(approve(batch.reference, BOLA, { confirmed_at: confirmed_at ?? "" }))).toBe("conflict");
    expect(await rowsOf(world, merchant)).toEqual([]);
  });

  test("finds what was paid since the upload, however long ago that was", async () => {
    const { merchant, checked, confirm } = aMerchant();
    const batch = await checked(aFile(1));
    await world.owner.query(
      "update transfer_batches set created_at = created_at - interval '20 days' where reference = $1",
      [batch.reference],
    );
    await send(world, merchant, anOrder({ amount: 1_000, account_number: testAccount(1, 100) }));
    await untilStep(world, merchant, "told");
    await world.owner.query(
      `alter table transfers disable trigger user; update transfers set created_at = created_at - interval '10 days'
       where merchant_id = '${merchant.id}'; alter table transfers enable trigger user`,
    );
    expect(await refusalOf(confirm(batch))).toBe("conflict");
    expect(await rowsOf(world, merchant)).toHaveLength(1);
  });

  test("below the threshold needs no second person, and an approval of it is refused", async () => {
    const { checked, confirm, approve, untilState } = aMerchant();
    ledger.limits = { ...NO_LIMITS, approval_above: 3_000 };
    const batch = await checked(aFile(3));
    await confirm(batch);
    expect(await refusalOf(approve(batch.reference, BOLA))).toBe("conflict");
    await untilState(batch.reference, "sent");
  });
});

describe("refused lines", () => {
  /** Of four lines, two are refused, because another order takes the money after the balance was read. */
  async function halfSent() {
    const shop = aMerchant();
    const { merchant, checked, confirm, untilState } = shop;
    const { reference, ...batch } = await checked(aFile(4));
    ledger.claims = 100_000_000n;
    ledger.fund(merchant, -99_800_000n);
    await confirm({ reference, ...batch });
    expect(await untilState(reference, "sent")).toMatchObject({ ordered: 2, refused: 2 });
    ledger.claims = undefined;
    ledger.fund(merchant, 99_800_000n);
    return { ...shop, reference, rest: { reference, lines: 2, total: 2_000 } };
  }

  test("are confirmed again by the person who tries them again, and what was ordered is not ordered twice", async () => {
    const { merchant, reference, rest, confirm, untilState, lines, reopen } = await halfSent();
    const refused = await lines(reference, "refused");
    expect(refused.map(({ refusal }) => refusal)).toEqual(Array(2).fill(expect.stringContaining("too low")));
    expect(await reopen(reference)).toMatchObject({ state: "checked", confirmed_by: null, ordered: 2, refused: 0 });
    expect(await refusalOf(confirm({ ...rest, lines: 4, total: 4_000 }))).toBe("conflict");
    expect(await confirm(rest, BOLA)).toMatchObject({ confirmed_by: BOLA });
    expect(await untilState(reference, "sent")).toMatchObject({ ordered: 4, refused: 0 });
    expect((await rowsOf(world, merchant)).slice(-2).map(({ ordered_by }) => ordered_by)).toEqual([BOLA, BOLA]);
    expect(ledger.settled(merchant)).toBe(100_000_000n - 400_000n);
  });

  test("need an approval of their own, by another than the person who tries them again", async () => {
    const { reference, rest, confirm, approve, untilState, reopen } = await halfSent();
    ledger.limits = { ...NO_LIMITS, approval_above: 1_000 };
    await reopen(reference, BOLA);
    expect(await confirm(rest, BOLA)).toMatchObject({ state: "awaiting_approval" });
    expect(await refusalOf(approve(reference, BOLA))).toBe("second_person_required");
    await approve(reference, ADA);
    expect(await untilState(reference, "sent")).toMatchObject({ ordered: 4, approved_by: ADA });
  });

  test("stay refused if they were paid in another way since", async () => {
    const { merchant, reference, lines, confirm, untilState, reopen } = await halfSent();
    const [paid] = await lines(reference, "refused");
    await send(world, merchant, anOrder({ amount: 1_000, account_number: paid?.account_number ?? "" }));
    expect(await reopen(reference)).toMatchObject({ ordered: 2, refused: 1, faulty: 0 });
    await confirm({ reference, lines: 1, total: 1_000 });
    expect(await untilState(reference, "sent")).toMatchObject({ ordered: 3, refused: 1 });
    expect((await rowsOf(world, merchant)).filter(({ step }) => step !== "refused")).toHaveLength(4);
    expect(ledger.settled(merchant)).toBe(100_000_000n - 400_000n);
    expect(await refusalOf(reopen(reference))).toBe("conflict");
  });

  test("cannot be tried again once an approval would have lapsed", async () => {
    const { reference, reopen, show } = await halfSent();
    await world.owner.query(
      "update transfer_batches set confirmed_at = confirmed_at - interval '73 hours' where reference = $1",
      [reference],
    );
    expect(await refusalOf(reopen(reference))).toBe("conflict");
    expect(await show(reference)).toMatchObject({ state: "sent", refused: 2 });
  });
});
