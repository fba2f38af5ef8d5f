import { listBankAccounts, type Problem, showDay } from "@collect/contracts";
import { expect, test } from "vitest";
import { insertMatches } from "../src/store/matches.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { known, owner, others } = world;
const [PROVIDUS, LATER] = ["1700313889", "1700313890"];
const [FIRST, SECOND, THIRD, FOURTH] = ["2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04"] as const;

const sent = (n: number, day: string, partner?: string | null) => {
  const at = `${day}T10:00:00.000+00:00`;
  const payee = { bank_code: "058", bank_name: "B", account_number: "0123456789", account_name: "P" };
  return {
    ...{ transfer_id: idOf(n), merchant: { id: "mer_1", mode: "live" as const }, amount: String(n), outcome: null },
    ...{ order: { ...payee, merchant_reference: "p", narration: null, created_at: at }, completed_at: null },
    ...(partner !== undefined && { partner }),
  };
};
const paid = (...[n, day, ...partner]: Parameters<typeof sent>) => {
  const pending = sent(n, day, ...partner);
  return { ...pending, outcome: "success" as const, completed_at: pending.order.created_at };
};
const idOf = (n: number) => `trf_${String(n).padStart(16, "0")}`;
const debit = (n: number) => ({ amount: BigInt(-n), references: [idOf(n)] });
const take = (account: string, ...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)]).replaceAll(ACCOUNT, account)));
const nameProvidus = (given: object = {}) =>
  world.declareAccount({ number: PROVIDUS, bank: "providus", pays_out: false, ...given });

/** Which account has each payout, and whether it is matched with a line. */
async function accounts() {
  await world.refresh();
  const { rows } = await owner.query(
    "select key, account, match_id is not null as matched from movements order by key",
  );
  return rows.map(({ key, account, matched }) => [Number(key.slice(4, 20)), account, matched]);
}

test("a payout leaves from the account of its partner's payouts, and any other from the one that pays out", async () => {
  await world.declareAccount();
  await nameProvidus({ payouts_of: "providus" });
  await take(ACCOUNT, FIRST, 1_000n, [debit(1), debit(3), debit(4)]);
  await take(PROVIDUS, FIRST, 1_000n, [debit(2)]);
  known.payouts = [
    ...[paid(1, FIRST, "058"), paid(2, FIRST, "providus")],
    // Of the release before, and of a partner that no account is named for.
    ...[paid(3, FIRST), paid(4, FIRST, "monnify")],
  ];
  const found = [
    [1, ACCOUNT, true],
    [2, PROVIDUS, true],
    [3, ACCOUNT, true],
    [4, ACCOUNT, true],
  ];
  expect(await accounts()).toEqual(found);
  expect(await accounts()).toEqual(found);
  const { items } = await others.request(showDay, { day: FIRST });
  expect(items.filter(({ key }) => key !== "ledger" && !key.startsWith("opening:"))).toEqual([]);
});

test("what is sent to no partner yet is at no bank", async () => {
  known.payouts = [sent(5, FIRST, null), sent(6, FIRST), sent(7, FIRST, "providus")];
  expect((await accounts()).slice(4)).toEqual([
    [6, ACCOUNT, false],
    [7, PROVIDUS, false],
  ]);
  // A claim that was taken back goes out by another partner.
  known.payouts = [paid(6, FIRST, "providus"), paid(7, FIRST, "058")];
  expect((await accounts()).slice(4)).toEqual([
    [6, PROVIDUS, false],
    [7, ACCOUNT, false],
  ]);
});

test("what an account gets once it is named moves there, unless it is matched or its day is closed", async () => {
  await nameProvidus({ payouts_of: null });
  known.payouts = [
    paid(8, SECOND, "providus"),
    paid(9, THIRD, "providus"),
    paid(10, THIRD, "providus"),
    paid(11, THIRD),
  ];
  await take(ACCOUNT, SECOND, 992n, []);
  await take(ACCOUNT, THIRD, 992n, [debit(9)]);
  await take(PROVIDUS, SECOND, 998n, [debit(8)]);
  await take(PROVIDUS, THIRD, 990n, [debit(10)]);
  const before = [8, 9, 10, 11].map((n) => [n, ACCOUNT, n === 9]);
  expect((await accounts()).slice(6)).toEqual(before);
  await owner.query(`insert into closings (day, sheet, closed_by) values ($1, '{"items": []}', 'bola')`, [SECOND]);
  await Promise.all([nameProvidus({ payouts_of: "providus" }), nameProvidus({ payouts_of: "providus" })]);
  const after = [
    [8, ACCOUNT, false],
    [9, ACCOUNT, true],
    [10, PROVIDUS, true],
    // Whose partner is not known.
    [11, ACCOUNT, false],
  ];
  expect((await accounts()).slice(6)).toEqual(after);
  expect((await accounts()).slice(6)).toEqual(after);
});

test("an account that is named before its first statement gets what that can have", async () => {
  await world.declareAccount({ number: LATER, bank: "wallet", pays_out: false });
  known.payouts = [paid(12, FOURTH, "monnify")];
  expect((await accounts()).at(-1)).toEqual([12, ACCOUNT, false]);
  await world.declareAccount({ number: LATER, bank: "wallet", pays_out: false, payouts_of: "monnify" });
  known.payouts.push(paid(13, FOURTH, "monnify"));
  expect((await accounts()).at(-1)).toEqual([12, ACCOUNT, false]);
  await take(LATER, FOURTH, 100n, [debit(12), debit(13)]);
  expect((await accounts()).slice(-2)).toEqual([
    [12, LATER, true],
    [13, LATER, true],
  ]);
});

test("a match that was found before a payout moved is not made", async () => {
  const { rows } = await owner.query("select id from lines where amount = -10");
  await owner.query("update lines set match_id = null where amount = -10");
  await owner.query("update movements set match_id = null where key = $1", [idOf(10)]);
  await owner.query("delete from matches where id = $1", [rows[0].id]);
  const found = { lines: [rows[0].id], movements: [idOf(10)], by: "reference" as const };
  const make = (account: string) =>
    world.pool.connect().then(async (tx) => {
      await tx.query("begin");
      const outcome = await insertMatches(tx, [found], { account, by: null }).then(
        () => "made",
        ({ code }: Problem) => code,
      );
      await tx.query("rollback");
      tx.release();
      return outcome;
    });
  expect([await make(ACCOUNT), await make(PROVIDUS)]).toEqual(["conflict", "made"]);
  expect((await accounts()).find(([n]) => n === 10)).toEqual([10, PROVIDUS, true]);
});

test("one account has the payouts of a partner, until it is taken back, and what an earlier release leaves out stays", async () => {
  const other = { number: "7777777777", bank: "044", pays_out: false };
  await expect(world.declareAccount({ ...other, payouts_of: "providus" })).rejects.toMatchObject({ code: "conflict" });
  await nameProvidus();
  const named = async () =>
    (await others.request(listBankAccounts, {})).accounts.map(({ number, payouts_of }) => [number, payouts_of]);
  expect(await named()).toEqual([
    [ACCOUNT, null],
    [PROVIDUS, "providus"],
    [LATER, "monnify"],
  ]);
  await nameProvidus({ payouts_of: null });
  await world.declareAccount({ ...other, payouts_of: "providus" });
  expect(await named()).toEqual([
    [ACCOUNT, null],
    [PROVIDUS, null],
    [LATER, "monnify"],
    ["7777777777", "providus"],
  ]);
});
