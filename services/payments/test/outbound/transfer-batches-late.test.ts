import type { Actor } from "@collect/contracts";
import { until } from "@collect/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { findBatch } from "../../src/outbound/store/transfer-batches.ts";
import { checkRound } from "../../src/outbound/use-cases/check-batch.ts";
import { ADA, BOLA, batchesOf, liveAccount } from "./batches-world.ts";
import { NO_LIMITS } from "./fake-ledger.ts";
import { type HttpBank, startBank } from "./http-bank.ts";
import { aFundedMerchant, partnerAt, rowsOf, startPayments } from "./transfers-world.ts";
import { useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();
const CHIDI: Actor = { kind: "member", user_id: "usr_chidi", email: "chidi@example.com" };
let bank: HttpBank;

beforeEach(async () => {
  ledger.limits = NO_LIMITS;
  bank = await startBank();
  const replica = await startPayments(world, { partner: partnerAt(bank.url, 5_000) });
  onTestFinished(() => replica.stop());
});

/** A checked file of which every line has a reference of its own. The bank hangs about the second line until `release`. */
async function aFileHalfway() {
  const merchant = aFundedMerchant(ledger, "live");
  const batches = batchesOf(world, merchant);
  const lines = [0, 1].map((place) => `1000,011,${liveAccount(40_000 + place)},nov-${place}`);
  const batch = await batches.checked(["amount,bank_code,account_number,reference", ...lines].join("\n"));
  const { promise, resolve: release } = Promise.withResolvers<void>();
  bank.onNameEnquiry(async (response, account) => {
    if (account.account_number === liveAccount(40_001)) await promise;
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...account, account_name: "NGOZI EZE" }));
  });
  const rows = () => rowsOf(world, merchant);
  const halfway = () => until("the first line is a transfer", async () => (await rows()).length === 1);
  const allSent = async () => {
    release();
    expect(await batches.untilState(batch.reference, "sent")).toMatchObject({ ordered: 2, refused: 0, faulty: 0 });
    expect(await rows()).toHaveLength(2);
  };
  return { merchant, batch, ...batches, halfway, allSent };
}

/** Begins this call, and holds it where it has read the file and changed nothing yet. */
async function held<T>(call: () => Promise<T>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isThere = false;
  ledger.beforeLimits = () => {
    isThere = true;
    return promise;
  };
  const late = call();
  await until("the call has read the file", () => isThere);
  ledger.beforeLimits = undefined;
  return () => {
    resolve();
    return late;
  };
}

test("a confirmation that arrives late finds the file being sent, and every line is ordered", async () => {
  const { batch, confirm, halfway, allSent } = await aFileHalfway();
  const goOn = await held(() => confirm(batch, BOLA));
  await confirm(batch, ADA);
  await halfway();
  expect(await goOn()).toMatchObject({ state: "sending", confirmed_by: ADA, faulty: 0 });
  await allSent();
});

test("an approval that arrives late finds the file being sent, and every line is ordered", async () => {
  ledger.limits = { ...NO_LIMITS, approval_above: 500 };
  const { batch, confirm, approve, halfway, allSent } = await aFileHalfway();
  await confirm(batch, ADA);
  const goOn = await held(() => approve(batch.reference, CHIDI));
  await approve(batch.reference, BOLA);
  await halfway();
  expect(await goOn()).toMatchObject({ state: "sending", approved_by: BOLA, faulty: 0 });
  await allSent();
});

test("of two people who approve at once one has approved, both get the same response, and every line is ordered", async () => {
  ledger.limits = { ...NO_LIMITS, approval_above: 500 };
  const { batch, confirm, approve, allSent } = await aFileHalfway();
  await confirm(batch, ADA);
  const [one, other] = await Promise.all([approve(batch.reference, BOLA), approve(batch.reference, CHIDI)]);
  expect(one.approved_by).toEqual(other.approved_by);
  await allSent();
});

test("the end of a check that arrives late finds the file being sent, and every line is ordered", async () => {
  const { merchant, batch, confirm, show, halfway, allSent } = await aFileHalfway();
  const checking = {
    ...(await findBatch(world.pool, merchant, batch.reference)),
    state: "checking",
    confirmedAt: null,
  };
  await confirm(batch);
  await halfway();
  const args = [{ pool: world.pool }, checking] as unknown as Parameters<typeof checkRound>;
  expect(await checkRound(...args)).toBe("over");
  expect(await show(batch.reference)).toMatchObject({ state: "sending", faulty: 0 });
  await allSent();
});
