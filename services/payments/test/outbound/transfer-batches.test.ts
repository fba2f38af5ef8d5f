import { TEST_BANK } from "@collect/bank";
import { browseTransferBatches, getPayoutState } from "@collect/contracts";
import { randomId } from "@collect/testing";
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

describe("a file of transfers", () => {
  test("is checked, shown with the holders' names, and moves nothing before it is confirmed", async () => {
    const { merchant, checked, lines, confirm, untilState } = aMerchant();
    const batch = await checked(aFile(20));
    expect(batch).toMatchObject({ state: "checked", lines: 20, total: 20_000, checked: 20, faulty: 0, ordered: 0 });
    const [first] = await lines(batch.reference);
    expect(first).toMatchObject({ line: 2, amount: 1000, bank_name: TEST_BANK.name, faults: [], outcome: null });
    expect(first?.account_name).not.toBeNull();
    expect(await rowsOf(world, merchant)).toEqual([]);

    await confirm(batch);
    expect(await untilState(batch.reference, "sent")).toMatchObject({ ordered: 20, ordered_total: 20_000, refused: 0 });
    const rows = await untilStep(world, merchant, "told");
    expect(rows).toHaveLength(20);
    expect(new Set(rows.map(({ merchant_reference }) => merchant_reference))).toEqual(
      new Set((await lines(batch.reference)).map(({ line }) => `${batch.reference}-${line}`)),
    );
    expect(ledger.settled(merchant)).toBe(100_000_000n - 2_000_000n);
  });

  test("moves its money once, however often and by however many it is uploaded and confirmed at once", async () => {
    const { merchant, upload, untilState, confirm } = aMerchant();
    const uploads = await Promise.all([ADA, BOLA, ADA, BOLA].map((actor) => upload(aFile(10), actor)));
    expect(uploads.filter(({ created }) => created)).toHaveLength(1);
    const [{ batch }] = uploads as [(typeof uploads)[0]];
    expect(new Set(uploads.map(({ batch: { reference } }) => reference))).toEqual(new Set([batch.reference]));
    await untilState(batch.reference, "checked");
    await Promise.all([ADA, BOLA, ADA].map((actor) => confirm(batch, actor)));
    await untilState(batch.reference, "sent");

    // The same lines in a file with another name, a byte order mark and other line ends.
    const again = await upload(`\uFEFF${aFile(10).replaceAll("\n", "\r\n")}\r\n`, BOLA, "copy.csv");
    expect(again).toMatchObject({ created: false, batch: { reference: batch.reference, state: "sent" } });
    await confirm(batch, BOLA);
    expect(await rowsOf(world, merchant)).toHaveLength(10);
    expect(ledger.settled(merchant)).toBe(100_000_000n - 1_000_000n);
  });

  test("with one line changed pays none of the others again", async () => {
    const { merchant, checked, confirm, untilState, lines } = aMerchant();
    const batch = await checked(aFile(3));
    await confirm(batch);
    await untilState(batch.reference, "sent");
    const edited = await checked(`${aFile(3)}\n500,${TEST_BANK.code},${testAccount(1, 900)},November`);
    expect(edited).toMatchObject({ lines: 4, faulty: 3 });
    expect((await lines(edited.reference, "faulty")).map(({ faults }) => faults.map(({ code }) => code))).toEqual(
      Array(3).fill(["paid_recently"]),
    );
    expect(await refusalOf(confirm(edited))).toBe("conflict");
    expect(await rowsOf(world, merchant)).toHaveLength(3);
  });

  test("pays the same again under references of its own, and each of these once", async () => {
    const { merchant, checked, confirm, untilState, lines } = aMerchant();
    const account = `${TEST_BANK.code},${testAccount(1)}`;
    const [first, second] = [randomId("pay"), randomId("pay")];
    const file = `reference,amount,bank_code,account_number\n${first},750,${account}\n${second},750,${account}`;
    const batch = await checked(file);
    await confirm(batch);
    await untilState(batch.reference, "sent");
    expect((await rowsOf(world, merchant)).map(({ merchant_reference }) => merchant_reference).sort()).toEqual(
      [first, second].sort(),
    );
    const again = await checked(`${file}\n${randomId("pay")},750,${account}`);
    expect(
      (await lines(again.reference, "faulty")).map(({ reference, faults }) => [reference, faults[0]?.code]),
    ).toEqual([
      [first, "used"],
      [second, "used"],
    ]);
  });

  test("and another that has a line of it: only the one that is confirmed first pays it", async () => {
    const { merchant, checked, confirm, untilState } = aMerchant();
    const one = await checked(aFile(2));
    const other = await checked(`${aFile(2)}\n500,${TEST_BANK.code},${testAccount(1, 901)},November`);
    expect([one.faulty, other.faulty]).toEqual([0, 0]);
    const results = await Promise.allSettled([confirm(one), confirm(other)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [winner] = results[0]?.status === "fulfilled" ? [one] : [other];
    await untilState(winner.reference, "sent");
    expect(await rowsOf(world, merchant)).toHaveLength(winner.lines);
  });

  test("is shown with every fault of every line", async () => {
    const { upload, untilState, lines, confirm } = aMerchant();
    const [good, unresolved] = [testAccount(1), testAccount(6)];
    const { batch } = await upload(
      [
        "Amount,Bank code,Account number,Narration",
        `100,${TEST_BANK.code},${good},ok`,
        `"1,000.00",44,123456789,no`,
        `0,${TEST_BANK.code},${good.slice(0, 9)}${(Number(good[9]) + 1) % 10},`,
        `250,${TEST_BANK.code},${unresolved},`,
        `100,${TEST_BANK.code},${good},again`,
        `100,${TEST_BANK.code}`,
      ].join("\n"),
    );
    const shown = await untilState(batch.reference, "checked");
    expect(shown).toMatchObject({ lines: 6, checked: 6, faulty: 6 });
    expect((await lines(batch.reference)).map(({ line, faults }) => [line, faults.map(({ code }) => code)])).toEqual([
      [2, ["repeated"]],
      [3, ["invalid", "unknown", "invalid"]],
      [4, ["invalid", "check_digit"]],
      [5, ["account_unresolved"]],
      [6, ["repeated"]],
      [7, ["columns"]],
    ]);
    expect(await refusalOf(confirm(shown))).toBe("conflict");
  });

  test.each([
    ["has no lines", "amount,bank_code,account_number"],
    ["lacks a column", "amount,account_number\n1,2"],
    ["has a column that is not known", "amount,bank_code,account_number,refrence\n1,2,3,4"],
    ["has more than 1,000 lines", aFile(1_001)],
    ["is not CSV", 'amount,bank_code,account_number\n"1,2,3'],
  ])("that %s is refused as a whole", async (_case, content) => {
    const { merchant, upload } = aMerchant();
    expect(await refusalOf(upload(content))).toBe("validation_failed");
    const { data } = await world.others.request(browseTransferBatches, { merchant });
    expect(data).toEqual([]);
  });

  test("with 1,000 lines is taken", async () => {
    const { upload } = aMerchant();
    expect((await upload(aFile(1_000))).batch).toMatchObject({ lines: 1_000, total: 1_000_000 });
  });
});

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

test("a file is discarded before it is sent, and not after", async () => {
  const { merchant, checked, discard, confirm, untilState, show, upload } = aMerchant();
  const batch = await checked(aFile(2));
  await discard(batch.reference);
  expect(await refusalOf(show(batch.reference))).toBe("not_found");
  expect(await upload(aFile(2))).toMatchObject({ created: true });
  await untilState(batch.reference, "checked");
  await confirm(batch);
  expect(await refusalOf(discard(batch.reference))).toBe("conflict");
  await untilState(batch.reference, "sent");
  expect(await rowsOf(world, merchant)).toHaveLength(2);
});

test("a single order with a line's reference stands, and the line does not pay beside it", async () => {
  const { merchant, checked, confirm, untilState, lines } = aMerchant();
  const reference = randomId("pay");
  const batch = await checked(
    `reference,amount,bank_code,account_number\n${reference},750,${TEST_BANK.code},${testAccount(1)}`,
  );
  await send(world, merchant, anOrder({ reference, amount: 20 }));
  expect(await refusalOf(confirm(batch))).toBe("conflict");
  expect((await lines(batch.reference))[0]?.faults).toMatchObject([{ code: "used" }]);
  expect((await untilState(batch.reference, "checked")).confirmed_at).toBeNull();
  expect(await rowsOf(world, merchant)).toHaveLength(1);
});
