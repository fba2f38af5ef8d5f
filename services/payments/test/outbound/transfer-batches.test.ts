import { TEST_BANK } from "@collect/bank";
import { browseTransferBatches } from "@collect/contracts";
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
