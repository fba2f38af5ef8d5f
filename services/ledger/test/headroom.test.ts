import { getLedgerProof, transferReceived } from "@collect/contracts";
import { transaction } from "@collect/database";
import { aTransfer, randomId, startComponents, until } from "@collect/testing";
import { expect, test } from "vitest";
import { credit, debit } from "../src/domain/transaction.ts";
import { postBatch } from "../src/store/post-batch.ts";
import { createHeadroomWorker } from "../src/workers/headroom.ts";
import { balancesOf, faultsOf, useLedger } from "./ledger.ts";

const ledger = await useLedger();

const HALF = 2n ** 62n;
/** Credits a merchant's Collected from a bank account that no other test posts to. */
const owe = (merchantId: string, amount: bigint, shard = 999) =>
  transaction(ledger.pool, (tx) =>
    postBatch(tx, [
      {
        ...{ key: randomId("int"), kind: "collection", mode: "test", merchantId, amount, fee: 0n, feeBasisPoints: 0 },
        bankCharge: 0n,
        ...{ occurredAt: "2026-11-21T09:30:00Z", receivedAt: null, countedAt: null },
        legs: [debit(`test:bank:${shard}`, amount), credit(`test:collected:${merchantId}`, amount)],
      },
    ]),
  );

test("a ledger account that is over half full raises the alarm and is listed in the audit, ours and a merchant's", async () => {
  const merchant = randomId("mer");
  await owe(merchant, HALF);
  expect((await ledger.others.request(getLedgerProof, {})).differences).toEqual([]);
  await owe(merchant, 1n);
  const { holds, differences } = await ledger.others.request(getLedgerProof, {});
  expect(holds).toBe(false);
  expect(differences.map(({ where }) => where)).toEqual([
    "ledger account test:bank:999",
    `ledger account test:collected:${merchant}`,
  ]);
  expect(differences[0]?.what).toContain("more than half");

  const alarms: object[] = [];
  const log = { ...ledger.log, error: (fields: object) => void alarms.push(fields) };
  const stop = await startComponents([createHeadroomWorker({ pool: ledger.pool, log })]);
  await until("the alarms are raised", () => alarms.length === 2).finally(stop);
  expect(alarms[1]).toMatchObject({ alarm: "headroom", ledger_account: `test:collected:${merchant}` });
});

test("a posting that overflows one account is refused alone: the rest of its batch is posted", async () => {
  const full = randomId("mer");
  // Each half comes from a different bank account, so that only the merchant's is full.
  await owe(full, HALF - 1n, 998);
  await owe(full, HALF, 997);
  const others = Array.from({ length: 20 }, () => randomId("mer"));
  const received = [...others.slice(0, 10), full, ...others.slice(10)].map((id) =>
    aTransfer({ merchant: { id, mode: "test" }, amount: 1_000n }),
  );
  await ledger.others.publish(transferReceived, received);
  const accounts = others.map((id) => `test:collected:${id}`);
  await until("the others are posted", async () =>
    (await balancesOf(ledger.owner, ...accounts)).every((balance) => balance === -990n),
  );
  const dead = await until("one dead letter", async () => {
    const { rows } = await ledger.owner.query("select natural_key from dead_letters");
    return rows.length > 0 && rows;
  });
  expect(dead).toEqual([{ natural_key: received[10]?.intakeId }]);
  expect(await faultsOf(ledger.owner)).toEqual([]);
});
