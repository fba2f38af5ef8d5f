import {
  bookBankCharges,
  bookOwnFunds,
  getBankBalances,
  getLedgerProof,
  getOwnBalances,
  listBankCharges,
  listOwnFunds,
} from "@collect/contracts";
import { transaction } from "@collect/database";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { totalTransaction } from "../src/domain/day-totals.ts";
import { postBatch } from "../src/store/post-batch.ts";
import { balancesOf, faultsOf, useLedger } from "./ledger.ts";

const ledger = await useLedger({ auditing: { everyMs: 50 } });
const { others, owner, pool } = ledger;

let serial = 1_000_000_000;
const anAccount = () => String(++serial);
const DAY = "2026-10-01";
const FUTURE = "2099-01-01T00:00:00.000+00:00";

/** `sign`: by what of the total the bank has more. */
const CHARGES = {
  ...{ of: "charges" as const, requests: { list: listBankCharges, book: bookBankCharges }, sign: -1n },
  ...{ account: "live:bank_charges:0", more: "bank_charge", less: "bank_charge_refund" },
  ...{ ours: "transactions_bank_charges_are_ours", fault: "it does not lead to the charges of its day" },
};
const OWN_FUNDS = {
  ...{ of: "own_funds" as const, requests: { list: listOwnFunds, book: bookOwnFunds }, sign: 1n },
  ...{ account: "live:own_funds:0", more: "own_funds_in", less: "own_funds_out" },
  ...{ ours: "transactions_own_funds_are_ours", fault: "it does not lead to the own funds of its day" },
};

describe.each([CHARGES, OWN_FUNDS])("the $of of a day", ({ of, requests, sign, account: counter, ...named }) => {
  const book = (account: string, total: string, replaces: number, day = DAY) =>
    others.request(requests.book, { account, day, total, replaces });
  const list = async (account: string) => {
    const { rows } = await others.request(requests.list, { from: DAY, to: "2026-10-31" });
    return rows.filter((row) => row.account === account).map(({ day, total, version }) => [day, total, version]);
  };
  /** What the bank has more by this, in the direction of the total; the other account has as much less. */
  async function change(act: () => Promise<unknown>): Promise<bigint> {
    const read = () => balancesOf(owner, "live:bank:0", counter);
    const [bank = 0n, other = 0n] = await read();
    await act();
    const [bankAfter = 0n, otherAfter = 0n] = await read();
    expect(otherAfter - other).toBe(bank - bankAfter);
    return sign * (bankAfter - bank);
  }

  test("are booked on the bank, and then only by what they are more or less", async () => {
    const account = anAccount();
    expect(await change(() => book(account, "5250", 0))).toBe(5_250n);
    expect(await change(() => book(account, "6000", 1))).toBe(750n);
    // Closed again with less, and with more the other way.
    expect(await change(() => book(account, "1000", 2))).toBe(-5_000n);
    expect(await change(() => book(account, "-300", 3))).toBe(-1_300n);
    expect(await list(account)).toEqual([[DAY, "-300", 4]]);
    const { rows } = await owner.query(
      "select kind, mode, merchant_id, amount from transactions where key like $1 order by id",
      [`day_${of}:${account}:%`],
    );
    expect(rows.map(({ kind, amount }) => [kind, Number(amount)])).toEqual([
      [named.more, 5_250],
      [named.more, 750],
      [named.less, 5_000],
      [named.less, 1_300],
    ]);
    expect(rows.every(({ mode, merchant_id }) => mode === "live" && merchant_id === null)).toBe(true);
    expect(await faultsOf(owner)).toEqual([]);
  });

  test("twenty times at once are booked once, and each caller gets what is booked", async () => {
    const account = anAccount();
    const booked: unknown[] = [];
    const moved = await change(async () => {
      booked.push(...(await Promise.all(Array.from({ length: 20 }, () => book(account, "70", 0)))));
    });
    expect(moved).toBe(70n);
    expect(booked).toEqual(Array.from({ length: 20 }, () => ({ total: "70", version: 1 })));
  });

  test("of two totals that replace the same version one is booked, and one behind a newer one is not", async () => {
    const account = anAccount();
    const both = await Promise.all([book(account, "70", 0), book(account, "90", 0)]);
    expect(new Set(both.map(({ total, version }) => `${total} ${version}`)).size).toBe(1);
    const [first] = both;
    await book(account, "100", 1);
    expect(await change(() => book(account, "70", 0))).toBe(0n);
    expect(await change(() => book(account, "80", 1))).toBe(0n);
    expect([first?.version, await list(account)]).toEqual([1, [[DAY, "100", 2]]]);
    // A version that a restore has lost.
    expect(await book(anAccount(), "80", 2)).toEqual({ total: "0", version: 0 });
  });

  test("of other accounts and days are apart, and none are no transaction", async () => {
    const account = anAccount();
    await book(account, "10", 0);
    await book(account, "20", 0, "2026-10-02");
    expect(await book(account, "0", 0, "2026-10-03")).toEqual({ total: "0", version: 0 });
    expect(await list(account)).toEqual([
      [DAY, "10", 1],
      ["2026-10-02", "20", 1],
    ]);
    await expect(others.request(requests.list, { from: "2025-01-01", to: "2026-10-01" })).rejects.toMatchObject({
      code: "validation_failed",
    });
  });

  test("are left out of what statements compares a day with, whenever they were booked, and our own balances have them", async () => {
    const read = async () => {
      const { balances, ...booked } = await others.request(getBankBalances, { mode: "live", before: [FUTURE] });
      return [balances[0], booked[of]?.[0]].map(Number);
    };
    const ours = async () => {
      const { modes } = await others.request(getOwnBalances, {});
      const { bank = 0, bank_charges = 0, own_funds = 0 } = modes.find(({ mode }) => mode === "live") ?? {};
      return [bank, of === "charges" ? bank_charges : own_funds].map((naira) => Math.round(naira * 100));
    };
    const [[balance = 0, total = 0], [bank = 0, other = 0]] = [await read(), await ours()];
    await book(anAccount(), "4200", 0);
    expect(await read()).toEqual([balance, total + 4_200]);
    expect(await ours()).toEqual([bank + 4_200 * Number(sign), other + 4_200]);
  });

  test("of a merchant, in test mode, or without their day are refused by the tables, or found by the audit", async () => {
    const given = { account: anAccount(), day: DAY, version: 1, before: 0n, total: 500n, shard: 0 };
    const wrong = totalTransaction(of, given);
    const post = (other: object) => transaction(pool, (tx) => postBatch(tx, [{ ...wrong, ...other }]));
    await expect(post({ merchantId: "mer_1" })).rejects.toThrow(named.ours);
    await expect(post({ mode: "test" })).rejects.toThrow(named.ours);
    for (const sql of [`update day_${of} set total = 0`, `delete from day_${of}`])
      await expect(owner.query(sql)).rejects.toThrow("refused");
    const proof = () => others.request(getLedgerProof, {});
    // Of those before, of the other kind, this one is already found.
    const foundBefore = of === CHARGES.of ? [] : [CHARGES.fault];
    const found = async () => (await proof()).parts.flatMap(({ differences }) => differences.map(({ what }) => what));
    await until("the rest holds", async () => (await found()).every((what) => foundBefore.includes(what)));
    await post({});
    const expected = { what: named.fault, where: `transaction ${wrong.key}` };
    await until("the audit finds it", async () =>
      (await proof()).parts.some(({ differences }) => differences.some(({ where }) => where === expected.where)),
    );
    expect((await proof()).parts.flatMap(({ differences }) => differences)).toContainEqual(expected);
  });
});

test("what is booked as another kind than its day's total is found by the audit", async () => {
  const given = { account: anAccount(), day: DAY, version: 1, before: 0n, total: 900n, shard: 0 };
  const wrong = totalTransaction("own_funds", given);
  const posted = await transaction(pool, (tx) => postBatch(tx, [{ ...wrong, kind: "own_funds_out" as const }]));
  const insert = "insert into day_own_funds (day, account, version, total, transaction_id) values ($1, $2, 1, 900, $3)";
  await owner.query(insert, [DAY, given.account, posted[0]?.id]);
  await until("the audit finds it", async () =>
    (await others.request(getLedgerProof, {})).parts.some(({ differences }) =>
      differences.some(
        ({ what, where }) =>
          what === "the entries do not match the transaction" && where === `transaction ${wrong.key}`,
      ),
    ),
  );
});
