import { nuban } from "@collect/bank";
import { expect, test } from "vitest";
import { batchesOf } from "./batches-world.ts";
import { startBank } from "./http-bank.ts";
import { startProcess } from "./payments-process.ts";
import { aFundedMerchant, rowsOf, untilStep } from "./transfers-world.ts";
import { useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();

const LINES = 20;
const file = [
  "amount,bank_code,account_number",
  ...Array.from(
    { length: LINES },
    (_, place) => `1000,011,${nuban({ bankCode: "011", serial: `0000${10_000 + place}` })}`,
  ),
].join("\n");

/** As if every lease had expired. */
async function makeAllDue(): Promise<void> {
  for (const table of ["transfers", "transfer_batches"])
    await world.owner.query(`update ${table} set next_at = now() where next_at is not null`);
}

/** The commits of a file in order; each order has commits of its own in between. */
test.each([
  ["once the file is stored", "committed:1", 0],
  ["while its lines are being ordered", "committed:7", 1],
  ["once some lines are ordered, before the file shows it", "ordered:1", 1],
])("a process that dies %s pays every line once", async (_case, failpoint, orderedFrom) => {
  const bank = await startBank();
  const merchant = aFundedMerchant(ledger, "live");
  const batches = batchesOf(world, merchant);
  const send = async () => {
    const batch = await batches.checked(file);
    await batches.confirm(batch);
  };
  const dying = await startProcess(world, bank.url, failpoint);
  // What a dying process leaves without a response is sent again by the person, below.
  const first = send().catch(() => {});
  expect(await dying.exited).toEqual([null, "SIGKILL"]);
  const before = await rowsOf(world, merchant);
  expect(before.length).toBeGreaterThanOrEqual(orderedFrom);
  expect(before.length).toBeLessThan(LINES);

  await makeAllDue();
  await startProcess(world, bank.url);
  const { batch } = await batches.upload(file);
  if (batch.state === "checking") await batches.untilState(batch.reference, "checked");
  await batches.confirm(batch);
  expect(await batches.untilState(batch.reference, "sent")).toMatchObject({ ordered: LINES, refused: 0 });
  await first;
  // The worker that died may have been about to call the bank: such a transfer has failed once the bank has not known it for long.
  const left = before.filter(({ step }) => step === "sending").map(({ reference }) => reference);
  await world.owner.query(
    "update transfers set sent_at = now() - interval '601 seconds', unknown_since = now() - interval '601 seconds' where step = 'sending' and reference = any($1)",
    [left],
  );
  await makeAllDue();
  const rows = await untilStep(world, merchant, "told");
  expect(rows).toHaveLength(LINES);
  const paid = rows.filter(({ status }) => status === "success").map(({ reference }) => reference);
  expect(bank.sent.toSorted()).toEqual(paid.toSorted());
  expect(ledger.settled(merchant)).toBe(100_000_000n - BigInt(paid.length) * 100_000n);
});
