import { listExceptions } from "@collect/contracts";
import { randomId, until } from "@collect/testing";
import { expect, test } from "vitest";
import { restoreTransfers } from "../src/store/recovery.ts";
import { restoreReversals } from "../src/store/reversal-recovery.ts";
import { measureUnfinished, readUnfinished } from "../src/store/unfinished.ts";
import { aLiveAccount, factsOf, rowOf, world } from "./intake-world.ts";
import {
  AT,
  aCredit,
  aReversal,
  complete,
  drive,
  NO_ACCOUNT,
  publishedOf,
  quarantineOf,
  receivedAgo,
  reversalOf,
  statusOf,
  untilPublished,
  useReversals,
} from "./reversing.ts";
import { aReport } from "./world.ts";

await useReversals();

test("a reversal before its credit waits, visibly, and is published once the credit is at the end of its path", async () => {
  const { merchant, accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  const back = aReversal(transfer);
  expect(await statusOf(back)).toBe("accepted");
  expect(await statusOf(back)).toBe("duplicate");
  const { reversal_id } = await reversalOf(back);
  await until("looked at", async () => (await reversalOf(back)).drives > 0);
  await receivedAgo(back, "2 minutes");
  const { reversals } = await world.others.request(listExceptions, {});
  expect(reversals).toContainEqual(expect.objectContaining({ intake_id: reversal_id, waits_for_transfer: true }));
  const [unfinished] = await readUnfinished(world.pools.workers, 60);
  expect(unfinished).toMatchObject({ mode: "live", overdue: 1 });
  const ofLive = expect.objectContaining({ mode: "live", count: expect.any(Number) });
  expect(await measureUnfinished(world.pools.workers)).toContainEqual(ofLive);
  expect(await statusOf(transfer)).toBe("accepted");
  await drive();
  await until("looked at again", async () => (await reversalOf(back)).drives > 1);
  expect(publishedOf(reversal_id)).toEqual([]);
  await complete(transfer, merchant);
  await drive();
  await untilPublished(reversal_id);
  expect(await reversalOf(back)).toMatchObject({ reversed_before: 0n, merchant_id: merchant.id });
});

test("a reversal before a smaller credit is quarantined when that comes, and the credit stays whole", async () => {
  const { merchant, accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber, { amount: 100 });
  const back = aReversal(transfer, { amount: 100.01 });
  expect(await statusOf(back)).toBe("accepted");
  await statusOf(transfer);
  await complete(transfer, merchant);
  await drive();
  await until("refused", async () => (await reversalOf(back)).refused !== null);
  expect(await quarantineOf(back)).toBe("a reversal of more than is left of its transfer");
  expect(await statusOf(back)).toBe("quarantined");
  expect((await rowOf(transfer.id)).reversed).toBe(0n);
});

test("a reversal whose credit does not come is quarantined after an hour, once, and is still taken back if the credit comes", async () => {
  const { merchant, accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  const back = aReversal(transfer);
  expect(await statusOf(back)).toBe("accepted");
  await receivedAgo(back, "59 minutes");
  await until("looked at", async () => (await reversalOf(back)).drives > 1);
  expect(await quarantineOf(back)).toBeUndefined();
  const overdue = async () => (await readUnfinished(world.pools.workers, 1_800)).map((mode) => mode.overdue);
  expect(await overdue()).toEqual([1]);
  await receivedAgo(back, "61 minutes");
  await until("quarantined", async () => (await reversalOf(back)).missed_at !== null);
  expect(await overdue()).not.toContain(1);
  const { drives } = await reversalOf(back);
  await drive();
  await until("looked at again", async () => (await reversalOf(back)).drives > drives);
  const { rows } = await world.owner.query(
    "select reason, times, merchant_id from quarantined_transfers where bank_transfer_id = $1",
    [back.id],
  );
  const reason = "a reversal of a transfer that the bank has not reported";
  expect(rows).toEqual([{ reason, times: 1, merchant_id: merchant.id }]);
  expect(await statusOf(back)).toBe("duplicate");
  await statusOf(transfer);
  await complete(transfer, merchant);
  await drive();
  await untilPublished((await reversalOf(back)).reversal_id);
  expect((await rowOf(transfer.id)).reversed).toBe(250_073n);
  expect(await quarantineOf(back)).toBe(`${reason}; its transfer was reported since, and it is taken back`);
});

test("a reversal that names only its credit is of the credit's account, whichever comes first", async () => {
  const { transfer } = await aCredit();
  const back = aReversal(transfer, { account_number: NO_ACCOUNT, amount: 1_000 });
  expect(await statusOf(back)).toBe("accepted");
  expect(await statusOf({ ...back, account_number: transfer.account_number })).toBe("duplicate");
  const source = { accountNumber: transfer.account_number };
  expect(await untilPublished((await reversalOf(back)).reversal_id)).toMatchObject({ source });
  const tooMuch = aReversal(transfer, { account_number: NO_ACCOUNT });
  expect(await statusOf(tooMuch)).toBe("quarantined");
  const { rows } = await world.owner.query(
    "select account_number from quarantined_transfers where bank_transfer_id = $1",
    [tooMuch.id],
  );
  expect(rows).toEqual([{ account_number: transfer.account_number }]);

  const { merchant, accountNumber } = await aLiveAccount();
  const later = aReport(accountNumber);
  const early = aReversal(later, { account_number: NO_ACCOUNT });
  expect(await statusOf(early)).toBe("accepted");
  expect(await statusOf(early)).toBe("duplicate");
  expect((await reversalOf(early)).account_number).toBe("");
  await statusOf(later);
  await complete(later, merchant);
  await drive();
  const fact = await untilPublished((await reversalOf(early)).reversal_id);
  expect(fact).toMatchObject({ source: { accountNumber } });
  expect(await reversalOf(early)).toMatchObject({ account_number: accountNumber });
  await expect(
    world.owner.query("update inbound_reversals set account_number = '1' where bank_transfer_id = $1", [early.id]),
  ).rejects.toThrow("what the bank said");
});

test("payments' copy of a reversal that waits without an account brings the account", async () => {
  const { merchant, transfer, intakeId } = await aCredit();
  const back = { id: randomId("rev") };
  await world.owner.query(
    `insert into inbound_reversals (reversal_id, credit_id, bank, mode, bank_transfer_id, account_number, amount, bank_fee, bank_vat,
      reversed_at, received_at, drive_at) values ($1, $2, '729', 'live', $3, '', 100, 0, 0, $4, $4, 'infinity')`,
    [randomId("int"), intakeId, back.id, AT],
  );
  const source = { bank: "729", bankTransferId: back.id, accountNumber: transfer.account_number, allocated: false };
  const { reversal_id } = await reversalOf(back);
  const copy = {
    ...{
      intakeId: reversal_id,
      creditId: intakeId,
      merchant: { id: merchant.id, mode: "live" as const },
      amount: 100n,
    },
    ...{ reversedBefore: 0n, reversedAt: AT, receivedAt: AT, fundedBy: "bank" as const, source },
  };
  for (let times = 0; times < 2; times++) await restoreReversals(world.pool, [copy]);
  expect(await reversalOf(back)).toMatchObject({ account_number: transfer.account_number, merchant_id: merchant.id });
});

test("a credit that is restored after its reversal has as much taken back as was", async () => {
  const { merchant, transfer, intakeId } = await aCredit({ amount: 1_000 });
  const [fact] = factsOf(intakeId);
  if (!fact?.source) throw new Error("the credit was not published");
  const [creditId, bankTransferId] = [randomId("int"), randomId("again")];
  const copy = {
    ...{ intakeId: randomId("int"), creditId, merchant: { id: merchant.id, mode: "live" as const }, amount: 60_000n },
    ...{ reversedBefore: 0n, reversedAt: AT, receivedAt: AT, fundedBy: "bank" as const },
    source: { bank: "729", bankTransferId: randomId("rev"), accountNumber: transfer.account_number, allocated: false },
  };
  await restoreReversals(world.pool, [copy]);
  const posted = { feeBasisPoints: 100, fee: 1_000n, net: 99_000n, transactionId: "1", postedAt: AT };
  const credit = { ...fact, ...posted, intakeId: creditId, source: { ...fact.source, bankTransferId } };
  for (let times = 0; times < 2; times++) await restoreTransfers(world.pool, [credit]);
  expect(await rowOf(bankTransferId)).toMatchObject({ amount: 100_000n, reversed: 60_000n });
});
