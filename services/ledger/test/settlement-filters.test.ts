import { browseSettlements, sumSettlements, type WireInput } from "@collect/contracts";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { useLedger } from "./ledger.ts";

const ledger = await useLedger();

type Merchant = { id: string; mode: "test" | "live" };
const aMerchant = (): Merchant => ({ id: randomId("mer"), mode: "test" });
type Query = Partial<Omit<WireInput<typeof browseSettlements>, "merchant">>;
const browse = async (merchant: Merchant, query: Query = {}) =>
  (await ledger.others.request(browseSettlements, { merchant, ...query })).data;

/** The n-th settlement of a merchant, of n kobo, on the n-th of November. */
const aSettlement = ({ id }: Merchant, n: number) =>
  ledger.owner.query(
    `insert into settlements (reference, merchant_id, mode, cut_off, from_version, to_version, entry_version, amount, transaction_id, created_at)
     values ($1, $2, 'test', $3, $4::bigint - 1, $4, $4::bigint + 1, $4, $4, $3)`,
    [randomId("stl"), id, `2026-11-0${n}T00:00:00Z`, n],
  );

test("settlements are filtered by amount, by how the reference begins and by selection, and summed alike", async () => {
  const merchant = aMerchant();
  for (const n of [1, 2, 3]) await aSettlement(merchant, n);
  const [third, second, first] = (await browse(merchant)).map(({ reference }) => reference);
  const listed = async (query: Query, of = merchant) =>
    (await browse(of, query)).map(({ amount }) => Math.round(amount * 100));
  expect(await listed({ amount_from: "0.02" })).toEqual([3, 2]);
  expect(await listed({ amount_to: "0.02" })).toEqual([2, 1]);
  expect(await listed({ search: second })).toEqual([2]);
  expect(await listed({ search: second?.slice(0, 4), amount_to: "0.01" })).toEqual([1]);
  for (const search of [second?.slice(1), "%", "STL_"]) expect(await listed({ search })).toEqual([]);
  expect(await listed({ references: `${first},${third},stl_other` })).toEqual([3, 1]);
  const sum = async (query: object, { id, mode } = merchant) =>
    (await ledger.others.request(sumSettlements, { merchant: { id, mode }, ...query })).totals;
  expect(await sum({})).toEqual({ count: 3, amount: 0.06 });
  expect(await sum({ amount_from: "0.02", before: "2026-11-03T00:00:00Z" })).toEqual({ count: 1, amount: 0.02 });
  for (const other of [aMerchant(), { ...merchant, mode: "live" as const }]) {
    expect(await listed({ references: `${first}` }, other)).toEqual([]);
    expect(await sum({}, other)).toEqual({ count: 0, amount: 0 });
  }
  for (const wrong of [{ amount_from: "ten" }, { references: "a,,b" }, { from: "yesterday" }])
    await expect(browse(merchant, wrong)).rejects.toMatchObject({ code: "validation_failed" });
});
