import { nuban, TEST_BANK } from "@collect/bank";
import { browseTransferBatches, startPayouts, stopPayouts } from "@collect/contracts";
import { until } from "@collect/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { ADA, aFile, BOLA, batchesOf } from "./batches-world.ts";
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
  const enquiryLimits = { enquiries: 60, namedOrders: 2, failedOrders: 60 };
  replica = await startPayments(world, { partner: partnerAt(bank.url), enquiryLimits });
  onTestFinished(replica.stop);
});

/** Each line pays another account at a bank that has check digits. */
const liveFile = (lines: number) =>
  [
    "amount,bank_code,account_number",
    ...Array.from(
      { length: lines },
      (_, place) => `1000,011,${nuban({ bankCode: "011", serial: `0000${20_000 + place}` })}`,
    ),
  ].join("\n");

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
  expect(await refusalOf(approve(batch.reference, BOLA, new Date().toISOString()))).toBe("approver_too_new");
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

test("a bank that does not answer delays the check, and decides nothing about a line", async () => {
  const { upload, untilState, show } = aLiveMerchant();
  const [, , account_number = ""] = liveFile(1).split("\n")[1]?.split(",") ?? [];
  const account = { bank_code: "011", account_number };
  let isDown = true;
  bank.onNameEnquiry((response) => {
    if (isDown) response.writeHead(503).end();
    else
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ ...account, account_name: "NGOZI EZE" }));
  });
  const { batch } = await upload(liveFile(1));
  await until("the bank was asked twice", () => bank.nameEnquiries.length > 1);
  expect(await show(batch.reference)).toMatchObject({ state: "checking", checked: 0, faulty: 0 });
  isDown = false;
  expect(await untilState(batch.reference, "checked")).toMatchObject({ checked: 1, faulty: 0 });
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
