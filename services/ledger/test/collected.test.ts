import { browseCollected, runSettlement } from "@collect/contracts";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { collect, useLedger } from "./ledger.ts";

const ledger = await useLedger();

type Merchant = { id: string; mode: "test" | "live" };
const aMerchant = (): Merchant => ({ id: randomId("mer"), mode: "test" });

/** One on a page. */
async function idsOf(merchant: Merchant, settled: "yes" | "no"): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const { data, next } = await ledger.others.request(browseCollected, { merchant, settled, limit: "1", after });
    ids.push(...data.map(({ intake_id }) => intake_id));
    if (next === null) return ids;
    after = next;
  }
}

test("what is settled and what is not yet are told apart, the last recorded first, and for this merchant and mode alone", async () => {
  const merchant = aMerchant();
  const ids = ["1", "2", "3", "4", "5"].map(() => randomId("int"));
  const collectEach = async (some: string[]) => {
    for (const intakeId of some) await collect(ledger.pool, [{ merchant: merchant.id, intakeId, amount: 1_000n }]);
  };
  await collectEach(ids.slice(0, 3));
  await ledger.others.request(runSettlement, { merchant });
  await collectEach(ids.slice(3));
  expect(await idsOf(merchant, "yes")).toEqual(ids.slice(0, 3).reverse());
  expect(await idsOf(merchant, "no")).toEqual(ids.slice(3).reverse());
  for (const other of [aMerchant(), { ...merchant, mode: "live" as const }])
    expect([await idsOf(other, "yes"), await idsOf(other, "no")]).toEqual([[], []]);
});

test("the cursor of another list is refused", async () => {
  const after = Buffer.from(JSON.stringify(["2026-11-21T00:00:00Z"])).toString("base64url");
  const refused = ledger.others.request(browseCollected, { merchant: aMerchant(), settled: "yes", after });
  await expect(refused).rejects.toMatchObject({ code: "validation_failed", errors: [{ param: "after" }] });
});
