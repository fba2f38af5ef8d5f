import { readFile } from "node:fs/promises";
import { answer, serveRequests } from "@collect/bus";
import {
  browseSettlementTotals,
  completeTransfer,
  getBalance,
  getRecovery,
  getSettlementSchedule,
  listPosted,
  type MerchantScope,
  readCollectionFacts,
  reserveTransfer,
  transferReceived,
  transferUnallocated,
  unallocatedReversed,
} from "@collect/contracts";
import { aMerchant, aTransfer, randomId, until } from "@collect/testing";
import { expect, test } from "vitest";
import { collectionTransaction } from "../src/domain/collection.ts";
import { restoreBookings } from "../src/store/recovery.ts";
import { balancesOf, collect, useLedger } from "./ledger.ts";

const ledger = await useLedger();

const ORDER = {
  merchant_reference: "payout-1",
  bank_code: "058",
  bank_name: "A Bank",
  account_number: "0123456789",
  account_name: "Ada",
  narration: null,
  created_at: "2026-11-21T09:30:00.000+00:00",
};
const again = (merchant: MerchantScope, transferId: string, amount: bigint, outcome: "success" | "failed" | null) => {
  const context = { shard: 0, notifiedAt: new Date().toISOString() };
  return restoreBookings(ledger.pool, { transferId, merchant, amount }, { outcome, order: ORDER, context });
};
const balances = ({ id, mode }: MerchantScope) =>
  balancesOf(ledger.pool, `${mode}:collected:${id}`, `${mode}:settled:${id}`, `${mode}:payouts:${id}`);

test("a payout before a restore is booked again from Collected, once, and never beyond its balance", async () => {
  const merchant = { id: randomId("mer"), mode: "test" as const };
  await collect(ledger.pool, [{ merchant: merchant.id, amount: 10_000n }]);
  const [held, paid] = [randomId("trf"), randomId("trf")];
  for (let times = 0; times < 2; times++) {
    expect(await again(merchant, paid, 9_000n, "success")).toBe(true);
    expect(await again(merchant, held, 900n, null)).toBe(true);
    expect(await balances(merchant)).toEqual([0n, 0n, -900n]);
  }
  expect(await again(merchant, randomId("trf"), 1n, "success")).toBe(false);
  expect(await again(merchant, held, 900n, "failed")).toBe(true);
  expect(await balances(merchant)).toEqual([0n, -900n, 0n]);
});

test("a fee that payments has stored is kept, whatever the schedule is now", () => {
  const transfer = { ...aTransfer({ amount: 10_000n }) };
  const posted = collectionTransaction({ transfer, feeBasisPoints: 100, fee: 250n, shard: 0 });
  expect([posted.fee, posted.feeBasisPoints]).toEqual([250n, 250]);
  expect(collectionTransaction({ transfer, feeBasisPoints: 100, shard: 0 })).toMatchObject({ fee: 100n });
});

test("accounts learns which incoming transfers are booked, allocated, in suspense or dead letters, and with which amounts", async () => {
  const merchant = { id: randomId("mer"), mode: "live" as const };
  const [booked, dead, unknown] = [aTransfer({ merchant, amount: 700n }), randomId("int"), randomId("int")];
  await ledger.others.publish(transferReceived, [booked]);
  await ledger.owner.query(
    "insert into dead_letters (consumer, natural_key, subject, fact, error) values ('collections', $1, 's', '{}', 'e')",
    [dead],
  );
  const ids = [booked.intakeId, dead, unknown];
  const amounts = async () =>
    new Map(
      (await ledger.others.request(listPosted, { intake_ids: ids })).posted.map((row) => [row.intake_id, row.amount]),
    );
  await until("booked", async () => (await amounts()).has(booked.intakeId));
  expect(await amounts()).toEqual(
    new Map([
      [booked.intakeId, "700"],
      [dead, null],
    ]),
  );
  await ledger.owner.query("delete from dead_letters where natural_key = $1", [dead]);
});

test("a restored ledger reserves no money and shows no balance until it has caught up; incoming money is still posted", async () => {
  const facts = [answer(readCollectionFacts, async () => ({ collections: [] }))];
  await serveRequests(ledger.others, { service: "payments", log: ledger.log, requests: facts }).start();
  const merchant = aMerchant();
  const transfer = { transfer_id: randomId("trf"), merchant, amount: "1" };
  expect(await ledger.others.request(reserveTransfer, transfer)).toEqual({
    reserved: false,
    refusal: "balance",
    settled: "0",
  });

  await until("the epoch has advanced", async () => {
    const { rows } = await ledger.owner.query("select epoch from epochs where service = 'ledger'");
    return rows[0].epoch > 2n;
  });
  await ledger.owner.query("update epochs set epoch = 1 where service = 'ledger'");
  const recovery = await until("the ledger detects it", async () => {
    const answered = await ledger.others.request(getRecovery.ledger, {});
    return !answered.is_current && answered.recovery;
  });
  expect(recovery).toMatchObject({ finished_at: null });
  const refused = { code: "service_unavailable" };
  const other = { ...transfer, transfer_id: randomId("trf") };
  await expect(ledger.others.request(reserveTransfer, other)).rejects.toMatchObject(refused);
  await expect(ledger.others.request(completeTransfer, { ...transfer, outcome: "success" })).rejects.toMatchObject(
    refused,
  );
  await expect(ledger.others.request(getBalance, { merchant })).rejects.toMatchObject(refused);
  await expect(ledger.others.request(browseSettlementTotals, { merchant })).rejects.toMatchObject(refused);
  await ledger.others.publish(transferReceived, [aTransfer({ merchant, amount: 10_000n })]);
  await until("the money is posted", async () => (await balances(merchant))[0] === -9_900n);
  // What the bank takes back waits until transfers are booked: accounts drives it again.
  const held = aTransfer({ merchant, amount: 10_000n });
  const { intakeId: creditId, amount, paidAt, receivedAt } = held;
  const { others } = ledger;
  await others.publish(transferUnallocated, [{ intakeId: creditId, mode: "test", amount, paidAt, receivedAt }]);
  const booked = async () => (await ledger.owner.query("select key from transactions where key ~ $1", [creditId])).rows;
  await until("it is in suspense", async () => (await booked()).length === 1);
  const taken = { intakeId: randomId("int"), creditId, mode: "test" as const, amount, reversedAt: paidAt, receivedAt };
  await others.publish(unallocatedReversed, [taken]);
  await until("it is read", async () => (await others.backlog([unallocatedReversed], "test")) === 0);
  expect(await booked()).toEqual([{ key: creditId }]);
});

test("the runbook's statements set a fee and a schedule that the ledger goes by", async () => {
  const runbook = await readFile(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const [, statements = ""] =
    /psql -X -v ON_ERROR_STOP=1 collect_ledger <<'SQL'\n([\s\S]*?)\nSQL\n/.exec(runbook) ?? [];
  const merchant = { id: randomId("mer"), mode: "live" as const };
  for (let times = 0; times < 2; times++) await ledger.owner.query(statements.replaceAll("mer_…", merchant.id));
  const { others } = ledger;
  expect(await others.request(getSettlementSchedule, { merchant })).toMatchObject({ delay_days: 2, at: "08:00" });
  await others.publish(transferReceived, [aTransfer({ merchant, amount: 10_000n })]);
  await until("the money is posted", async () => (await balances(merchant))[0] === -9_850n);
});
