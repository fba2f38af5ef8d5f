import { explainDifference, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { closeDay as close } from "../src/use-cases/days.ts";
import { aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** Banks that say only afterwards what they settled in one sum, and net of their fees. */

const world = await useStatements();
const { known, others, pool, bus, refresh } = world;
const [FIRST, SECOND, THIRD] = ["2026-10-01", "2026-10-02", "2026-10-03"] as const;
const SETTLEMENT = "LB8HG1PNZT4ATJGZXQBY";
const at = (day: string, hour = 9) => `${day}T${String(hour).padStart(2, "0")}:00:00.000+00:00`;

/** ₦1,000 of which the bank keeps ₦15. */
const report = (id: string, day: string, given: object = {}) => {
  const row = {
    ...{ intake_id: `int_${id}`, bank_transfer_id: `MNFY|${id}`, session_id: id.padStart(30, "0") },
    ...{ bank: BANK, amount: "100000", bank_fee: "1500", paid_at: at(day), received_at: at(day) },
    ...given,
  };
  known.incoming.push({ ...row, listed_at: row.received_at });
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + 98_500n);
};
/** What accounts lists again once the bank has said it. */
const settle = (ids: string[], listed_at: string, settlement_id = SETTLEMENT) =>
  known.incoming.push(
    ...known.incoming
      .filter(({ intake_id }) => ids.includes(intake_id.slice(4)))
      .map((row) => ({ ...row, settlement_id, listed_at })),
  );
const importDay = (...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)])));
const items = async (day: string) =>
  (await others.request(showDay, { day })).items.map((item) => `${item.class} ${item.amount}`).toSorted();
const movements = async (where = "true") =>
  (
    await world.owner.query(
      `select key, booked_on::text as on, settlement_id, evidence from movements left join matches on id = match_id where ${where} order by key`,
    )
  ).rows.map(({ key, on, settlement_id, evidence }) => [key, on, settlement_id, evidence]);
beforeAll(async () => {
  await world.declareAccount();
  report("a", FIRST);
  report("b", FIRST);
  await importDay(FIRST, 0n, []);
  // It came over NIP, and names its settlement among other words.
  await importDay(SECOND, 0n, [
    {
      amount: 197_000n,
      sessionId: "9".repeat(30),
      narration: `NIP/${"9".repeat(30)}/MONNIFY SETTLEMENT ${SETTLEMENT}`,
    },
  ]);
  known.ledger.set(SECOND, 197_000n);
});

test("without its notice a settlement is money that we do not know, and its payments are missing at the bank", async () => {
  expect(await items(FIRST)).toEqual(["books_only -98500", "books_only -98500"]);
  expect(await items(SECOND)).toEqual(["bank_only 197000"]);
});

test("the notice that comes later matches the line with all of its payments, net, and moves no day", async () => {
  settle(["a", "b"], at(SECOND, 3));
  await refresh();
  expect(await movements()).toEqual([
    ["int_a", FIRST, SETTLEMENT, "settlement"],
    ["int_b", FIRST, SETTLEMENT, "settlement"],
  ]);
  expect([await items(FIRST), await items(SECOND)]).toEqual([["timing -197000"], ["timing 197000"]]);
  const { rows } = await world.owner.query("select at from positions where source = 'accounts'");
  expect(new Date(rows[0].at)).toEqual(new Date(at(SECOND, 3)));
});

test("it is filled in once: another notice and a repeat change nothing", async () => {
  const before = await movements();
  settle(["a"], at(SECOND, 4), "ANOTHERSETTLEMENT000");
  await refresh();
  await refresh();
  expect(await movements()).toEqual(before);
});

test("a payment that is known with its settlement from the beginning is the same, and one that had another line's amount gives it up", async () => {
  report("c", SECOND, { settlement_id: "SETTLEMENTOFTHETHIRD" });
  report("d", SECOND);
  report("w", THIRD, { session_id: null, amount: "51500" });
  await importDay(THIRD, 197_000n, [
    { amount: 98_500n, references: ["SETTLEMENTOFTHETHIRD"] },
    { amount: 50_000n, narration: "CASH" },
    { amount: 50_000n, references: ["SETTLEMENTOFONE00000"] },
  ]);
  await refresh();
  expect(await movements("key in ('int_c', 'int_w')")).toEqual([
    ["int_c", SECOND, "SETTLEMENTOFTHETHIRD", "settlement"],
    ["int_w", THIRD, null, "amount"],
  ]);
  settle(["w"], at(THIRD, 11), "SETTLEMENTOFONE00000");
  await refresh();
  expect(await movements("key = 'int_w'")).toEqual([["int_w", THIRD, "SETTLEMENTOFONE00000", "settlement"]]);
});

test("a notice of a payment of a closed day stops nothing, and changes nothing of that day", async () => {
  await close({ pool, bus, refresh }, FIRST, "tunde");
  const left = (await others.request(showDay, { day: SECOND })).items.filter(({ class: of }) => of === "books_only");
  for (const { key: item, amount } of left)
    await others.request(explainDifference, { day: SECOND, item, amount, reason: "Asked the bank" });
  await close({ pool, bus, refresh }, SECOND, "tunde");
  const before = await movements("key = 'int_d'");
  expect(before).toEqual([["int_d", SECOND, null, null]]);
  settle(["d"], at(THIRD, 12), "LATESETTLEMENT000000");
  report("e", THIRD, { paid_at: at(THIRD, 13), received_at: at(THIRD, 13) });
  await refresh();
  expect(await movements("key = 'int_d'")).toEqual(before);
  expect(await movements("key = 'int_e'")).toEqual([["int_e", THIRD, null, null]]);
});

test("a payment that is reported and settled between two readings comes twice at once, and is one", async () => {
  report("f", THIRD, { paid_at: at(THIRD, 14), received_at: at(THIRD, 14) });
  settle(["f"], at(THIRD, 15), "SETTLEMENTOFTHEOTHER");
  await refresh();
  expect(await movements("key = 'int_f'")).toEqual([["int_f", THIRD, "SETTLEMENTOFTHEOTHER", null]]);
});

test("a payment that is known after its settlement was matched belongs to its line, and a repeat changes nothing", async () => {
  const FOURTH = "2026-10-04";
  const late = "SETTLEMENTOFTHREE000";
  for (const id of ["g", "h"]) report(id, FOURTH, { settlement_id: late });
  await importDay(FOURTH, 395_500n, [{ amount: 295_500n, references: [late] }]);
  await refresh();
  const known = () => movements("key in ('int_g', 'int_h', 'int_i')");
  expect(await known()).toEqual(["int_g", "int_h"].map((key) => [key, FOURTH, late, "settlement"]));
  expect(await items(FOURTH)).toContain("different_amount 98500");
  report("i", FOURTH, { settlement_id: late, received_at: at(FOURTH, 20) });
  for (let twice = 0; twice < 2; twice++) {
    await refresh();
    expect(await known()).toEqual(["int_g", "int_h", "int_i"].map((key) => [key, FOURTH, late, "settlement"]));
  }
  expect(await items(FOURTH)).not.toContain("different_amount 98500");
});
