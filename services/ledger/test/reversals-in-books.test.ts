import { browseSettlementLines, browseSettlementTotals, browseStatement, getStatementTotals } from "@collect/contracts";
import { transaction } from "@collect/database";
import { aMerchant, until } from "@collect/testing";
import { expect, test } from "vitest";
import { settle } from "../src/store/settlements.ts";
import { settlementsOf, useLedger } from "./ledger.ts";
import { aReversal, useReversing } from "./reversing.ts";

/** What a bank took back, in settlements and statements. */

const ledger = await useLedger({ auditing: { everyMs: 50 } });
const { others } = ledger;
const { aCollection, balance, proofHolds, reverse, settleAll } = await useReversing(ledger);

test("what was taken back after a cut-off is not paid out by its settlement, and the lines of each settlement sum to it", async () => {
  const merchant = aMerchant();
  const transfer = await aCollection(merchant);
  const cutOff = new Date();
  await until("the clock moved on", () => Date.now() > cutOff.getTime() + 1);
  await reverse(aReversal(transfer));
  const first = await transaction(ledger.pool, (tx) => settle(tx, { merchant, cutOff }));
  expect(first).toMatchObject({ amount: 99_000n });
  expect(await balance(merchant)).toMatchObject({ collected: 0, settled: 0 });
  expect(await balance(merchant)).not.toHaveProperty("owed");
  await aCollection(merchant, 10_000n);
  const { settlement: second } = await settleAll(merchant);
  expect(second).toMatchObject({ amount: 99 });
  const lines = await others.request(browseSettlementLines, {
    merchant,
    reference: second?.reference ?? "",
    limit: "10",
  });
  expect(
    lines.data.map(({ kind, key, gross, fee, amount }) => [kind, key === transfer.intakeId, gross, fee, amount]),
  ).toEqual([
    ["collection_reversal", true, -1_000, -10, -990],
    ["cover", false, 990, 0, 990],
    ["collection", false, 100, 1, 99],
  ]);
  const { data: totalled } = await others.request(browseSettlementTotals, { merchant, limit: "10" });
  expect(totalled.map(({ totals }) => totals)).toEqual([
    { amount: -900, fee: -9, covered: 990, net: 99 },
    { amount: 1_000, fee: 10, net: 990 },
  ]);
  expect(await settlementsOf(ledger.owner, merchant)).toHaveLength(2);
  await proofHolds();
});

test("a statement leads from its opening to its closing balances through what was taken back and covered", async () => {
  const merchant = aMerchant();
  const transfer = await aCollection(merchant);
  await settleAll(merchant);
  await aCollection(merchant, 10_000n);
  await reverse(aReversal(transfer, { amount: 50_000n }));
  const month = new Date(Date.now() + 3_600_000).toISOString().slice(0, 7);
  const totals = await others.request(getStatementTotals, { merchant, month });
  expect(totals).toMatchObject({ money_in: 600, fees: 6, closing: { collected: 0, settled: 594 } });
  const { data } = await others.request(browseStatement, { merchant, month, limit: "20" });
  expect(
    data.map((line) => [line.kind, line.money_in, line.settled, line.collected_balance, line.settled_balance]),
  ).toEqual([
    ["opening", null, null, 0, 0],
    ["collection", 1_000, null, 990, 0],
    ["settlement", null, 990, 0, 990],
    ["collection", 100, null, 99, 990],
    ["collection_reversal", -500, null, -396, 990],
    ["cover", null, -396, 0, 594],
    ["closing", null, null, 0, 594],
  ]);
});
