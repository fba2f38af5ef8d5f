import { browsePayers, collectionPosted, collectionSucceeded, type WireInput } from "@collect/contracts";
import { aTransfer, recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { readAllPages } from "../paging.ts";
import { aShop, type Posted, type Shop, useSessions } from "./sessions-world.ts";

const world = await useSessions();
const succeeded = await recordFacts(world.others, collectionSucceeded);

type PaidBy = { name: string; accountNumber?: string | null; paidAt?: string };

async function paid({ id, mode }: Shop, ...payers: PaidBy[]): Promise<void> {
  const posted = payers.map(({ name, accountNumber = "0123456789", paidAt }): Posted => {
    const { fundedBy: _, ...transfer } = aTransfer({ merchant: { id, mode } });
    return {
      ...transfer,
      payer: { name, accountNumber, bankName: "First Bank" },
      paidAt: paidAt ?? transfer.paidAt,
      feeBasisPoints: 100,
      fee: 10_000n,
      net: 990_000n,
      transactionId: "1",
      postedAt: "2026-11-21T09:30:02.000+00:00",
    };
  });
  for (const one of posted) {
    await world.others.publish(collectionPosted, [one]);
    await until("published", () => succeeded.all.some(({ intakeId }) => intakeId === one.intakeId));
  }
}

const browse = ({ id, mode }: Shop, given: Partial<Omit<WireInput<typeof browsePayers>, "merchant">> = {}) =>
  world.others.request(browsePayers, { merchant: { id, mode }, ...given });
const names = async (...request: Parameters<typeof browse>) => (await browse(...request)).data.map(({ name }) => name);

test("a payer is listed once, with its first and last payment by the bank's time", async () => {
  const merchant = aShop();
  await paid(
    merchant,
    { name: "Chidi Eze", paidAt: "2026-11-20T10:00:00.000+00:00" },
    { name: "Bola Ade", accountNumber: null },
    { name: "Chidi Eze", paidAt: "2026-11-19T10:00:00.000+00:00" },
    { name: "Chidi Eze", paidAt: "2026-11-21T10:00:00.000+00:00" },
  );
  const { data, next } = await browse(merchant);
  expect(next).toBeNull();
  expect(data).toMatchObject([
    { name: "Bola Ade", account_number: null, bank_name: "First Bank" },
    {
      name: "Chidi Eze",
      account_number: "0123456789",
      first_paid_at: "2026-11-19T10:00:00.000+00:00",
      last_paid_at: "2026-11-21T10:00:00.000+00:00",
    },
  ]);
});

test("payers are found by account number or by how a word of the name begins, newest first", async () => {
  const merchant = aShop();
  await paid(
    merchant,
    { name: "ADA OBI" },
    { name: "Ada Eze", accountNumber: "0000000017" },
    { name: "Ọlá Ade", accountNumber: "0000000017" },
    { name: "Adaeze" },
  );
  expect(await names(merchant, { search: "aDA" })).toEqual(["Adaeze", "Ada Eze", "ADA OBI"]);
  expect(await names(merchant, { search: "ada o" })).toEqual(["ADA OBI"]);
  expect(await names(merchant, { search: "ọLÁ" })).toEqual(["Ọlá Ade"]);
  expect(await names(merchant, { search: "0000000017" })).toEqual(["Ọlá Ade", "Ada Eze"]);
  expect(await names(merchant, { search: "ade" })).toEqual(["Ọlá Ade"]);
  const [adaeze, , eze] = (await browse(merchant)).data;
  expect(await names(merchant, { references: `${eze?.id},${adaeze?.id},x` })).toEqual(["Adaeze", "Ada Eze"]);
  for (const search of ["da", "000000001", "%"]) expect(await names(merchant, { search })).toEqual([]);
});

test("paging returns each payer once, even while others pay", async () => {
  const merchant = aShop();
  await paid(merchant, ...["Ada A", "ada b", "Ada C", "Bola D", "Ada E"].map((name) => ({ name })));
  let more = 0;
  const join = () => paid(merchant, { name: `Ada 0${++more}` });
  const all = await readAllPages((after) => browse(merchant, { limit: 2, after }), join);
  expect(all.map(({ name }) => name)).toEqual(["Ada E", "Bola D", "Ada C", "ada b", "Ada A"]);
  const found = await readAllPages((after) => browse(merchant, { limit: 2, after, search: "ADA" }), join);
  const known = found.map(({ name }) => name).filter((name) => !name.startsWith("Ada 0"));
  expect(known).toEqual(["Ada E", "Ada C", "ada b", "Ada A"]);
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
});

test("a payer without a collection is not listed, and does not end paging early", async () => {
  const merchant = aShop();
  await paid(merchant, { name: "Ada Obi" });
  await world.owner.query(
    "insert into payers (merchant_id, mode, bank_name, account_number, name) values ($1, 'test', '', '', 'Ada Later')",
    [merchant.id],
  );
  for (const search of [undefined, "ada"]) {
    const all = await readAllPages((after) => browse(merchant, { limit: 1, after, search }));
    expect(all.map(({ name }) => name)).toEqual(["Ada Obi"]);
  }
});

test("payers are scoped by merchant and mode", async () => {
  const merchant = aShop();
  await paid(merchant, { name: "Ada Obi" });
  for (const other of [aShop(), { ...merchant, mode: "live" as const }])
    for (const search of [undefined, "ada", "0123456789"])
      expect(await browse(other, { search })).toMatchObject({ data: [], next: null });
});
