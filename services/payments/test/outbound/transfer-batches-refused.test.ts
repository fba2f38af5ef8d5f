import { TEST_BANK } from "@collect/bank";
import { browseTransferBatches, startPayouts, stopPayouts } from "@collect/contracts";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { ENQUIRY_LIMITS } from "../../src/outbound/domain/enquiry-limits.ts";
import { ADA, aFile, BOLA, batchesOf, liveFile } from "./batches-world.ts";
import { NO_LIMITS } from "./fake-ledger.ts";
import { type HttpBank, startBank } from "./http-bank.ts";
import {
  aFundedMerchant,
  partnerAt,
  type Replica,
  refusalOf,
  rowsOf,
  startPayments,
  testAccount,
} from "./transfers-world.ts";
import { useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();
let bank: HttpBank;
let replica: Replica;

beforeEach(async () => {
  bank = await startBank();
  const enquiryLimits = { ...ENQUIRY_LIMITS, namedOrders: 2, fileLines: 10, files: 25 };
  replica = await startPayments(world, { partner: partnerAt(bank.url), enquiryLimits });
  onTestFinished(replica.stop);
});

function aLiveMerchant() {
  const merchant = aFundedMerchant(ledger, "live");
  return { merchant, ...batchesOf(world, merchant) };
}

test("beyond the names that an hour of orders shows, the others are initials, and the file goes on", async () => {
  const { checked, lines } = aLiveMerchant();
  const batch = await checked(liveFile(5));
  expect(batch).toMatchObject({ checked: 5, faulty: 0 });
  const names = (await lines(batch.reference)).map(({ account_name }) => account_name);
  expect(names.filter((name) => name === "NGOZI EZE")).toHaveLength(2);
  expect(names.filter((name) => name === "N*** E***")).toHaveLength(3);
});

test("a suspended business uploads and confirms none, and while payouts are stopped none is confirmed", async () => {
  const { merchant, upload, checked, confirm } = aLiveMerchant();
  const batch = await checked(liveFile(2));
  await world.others.request(stopPayouts, { reason: "The bank asked for it" });
  expect(await refusalOf(confirm(batch))).toBe("payouts_stopped");
  await world.others.request(startPayouts, { reason: "It is over" });
  world.merchants.stand(merchant.id, "suspended");
  expect(await refusalOf(upload(liveFile(3)))).toBe("merchant_suspended");
  expect(await refusalOf(confirm(batch))).toBe("merchant_suspended");
  expect(await rowsOf(world, merchant)).toEqual([]);
  world.merchants.stand(merchant.id, "verified");
  expect((await confirm(batch)).state).not.toBe("checked");
});

test("a live file is approved by no newcomer, and has to be confirmed again when nobody approved it in time", async () => {
  const { merchant, checked, confirm, approve, untilState } = aLiveMerchant();
  ledger.limits = { ...NO_LIMITS, approval_above: 1_000 };
  const batch = await checked(liveFile(2));
  await confirm(batch, ADA);
  ledger.limits = NO_LIMITS;
  expect(await refusalOf(approve(batch.reference, BOLA, { approving_since: new Date().toISOString() }))).toBe(
    "approver_too_new",
  );
  await world.owner.query("update transfer_batches set next_at = now() where reference = $1", [batch.reference]);
  expect(await untilState(batch.reference, "checked")).toMatchObject({ confirmed_at: null, confirmed_by: null });
  expect(await refusalOf(approve(batch.reference, BOLA))).toBe("conflict");
  expect(await rowsOf(world, merchant)).toEqual([]);
});

test("at most 20 files of a merchant and mode are unfinished at once", async () => {
  const merchant = aFundedMerchant(ledger);
  const { upload, discard } = batchesOf(world, merchant);
  const references: string[] = [];
  for (let place = 0; place < 20; place++) references.push((await upload(aFile(1, { from: place }))).batch.reference);
  expect(await refusalOf(upload(aFile(1, { from: 20 })))).toBe("conflict");
  await discard(references[0] ?? "");
  expect(await upload(aFile(1, { from: 20 }))).toMatchObject({ created: true });
  const { data, next } = await world.others.request(browseTransferBatches, { merchant, limit: 15 });
  expect([data.length, next === null]).toEqual([15, false]);
});

test("a live file above the settled balance is refused before a name is asked for, and an earlier upload is found all the same", async () => {
  const { merchant, upload, checked } = aLiveMerchant();
  const { reference } = await checked(liveFile(2));
  const asked = bank.nameEnquiries.length;
  ledger.fund(merchant, -99_900_000n);
  expect(await refusalOf(upload(liveFile(3)))).toBe("insufficient_balance");
  expect(bank.nameEnquiries).toHaveLength(asked);
  expect(await upload(liveFile(2))).toMatchObject({ created: false, batch: { reference } });
});

test("an hour has a budget of lines that are checked, which a discarded file does not give back", async () => {
  const { checked, discard, upload } = aLiveMerchant();
  const { reference } = await checked(liveFile(6));
  await discard(reference);
  expect(await refusalOf(upload(liveFile(6)))).toBe("rate_limited");
  expect((await upload(liveFile(4))).created).toBe(true);
  expect(await refusalOf(upload(liveFile(1)))).toBe("rate_limited");
});

test("an hour has a budget of uploads for each merchant and mode, which no fault, repeat or discarded file gives back", async () => {
  const merchant = aFundedMerchant(ledger);
  const { upload, discard } = batchesOf(world, merchant);
  const { batch } = await upload(aFile(1));
  for (let repeat = 0; repeat < 9; repeat++) await upload(aFile(1));
  await discard(batch.reference);
  for (let faulty = 0; faulty < 10; faulty++) expect(await refusalOf(upload("amount"))).toBe("validation_failed");
  const atOnce = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => upload(aFile(1, { from: n }))));
  expect(atOnce.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  for (const refused of [aFile(1), aFile(1, { from: 50 }), "amount"])
    await expect(upload(refused)).rejects.toMatchObject({ code: "rate_limited", retryAfterS: expect.any(Number) });

  const others = [aFundedMerchant(ledger), { ...merchant, mode: "live" as const }];
  for (const other of others)
    expect(await refusalOf(batchesOf(world, other).upload("amount"))).toBe("validation_failed");
  await world.owner.query(
    "update transfer_batch_uploads set uploaded_at = uploaded_at - interval '60 minutes' where merchant_id = $1",
    [merchant.id],
  );
  expect((await upload(aFile(1, { from: 50 }))).created).toBe(true);
  const { rows } = await world.owner.query(
    "select from transfer_batch_uploads where merchant_id = $1 and mode = 'test'",
    [merchant.id],
  );
  expect(rows).toHaveLength(1);
});

test("the service cannot change what a line pays, to whom or under which reference, nor a derived reference", async () => {
  const { checked } = batchesOf(world, aFundedMerchant(ledger));
  const { reference } = await checked(`amount,bank_code,account_number\n500,${TEST_BANK.code},${testAccount(1, 77)}`);
  for (const change of ["amount = 1", "account_number = '0000000011'", "bank_code = '058'", "reference = 'x'"])
    await expect(
      replica.pool.query(`update transfer_batch_lines set ${change} where batch = $1`, [reference]),
    ).rejects.toThrow("permission denied");
  await expect(
    world.owner.query("update transfer_batch_lines set reference = 'x' where batch = $1", [reference]),
  ).rejects.toThrow("derived_reference");
});
