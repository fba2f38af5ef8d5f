import { randomUUID } from "node:crypto";
import { browseCustomerAccounts, listCustomerAccounts, SEARCHED_MAX, type WireInput } from "@collect/contracts";
import { aMerchant } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { useAccounts } from "./world.ts";

const world = await useAccounts();

type Merchant = ReturnType<typeof aMerchant>;
type Query = Omit<Partial<WireInput<typeof browseCustomerAccounts>>, "merchant">;
const START = Date.parse("2026-01-01T00:00:00Z");
let serial = 0;

/** An account row, created this many minutes after the start. */
async function anAccount(
  merchant: Merchant,
  given: { minute?: number; name?: string; reference?: string; status?: "active" | "retired" | "pending" } = {},
) {
  const { minute = 0, name = "Ada Obi", reference = `cust_${++serial}`, status = "active" } = given;
  const accountNumber = status === "pending" ? null : String(++serial).padStart(10, "0");
  const time = new Date(START + minute * 60_000);
  await world.owner.query(
    `insert into customer_accounts (id, merchant_id, mode, customer_reference, customer_name, account_number, account_name,
       bank_name, issue_request_id, status, created_at, retired_at)
     values ('acc_' || $1::text, $2, $3, $4, $5, $6, $5, 'Test Bank', $1, $7::text, $8::timestamptz, case when $7::text = 'retired' then $8::timestamptz end)`,
    [randomUUID(), merchant.id, merchant.mode, reference, name, accountNumber, status, time],
  );
  return { reference, accountNumber: accountNumber ?? "" };
}

const browse = (merchant: Merchant, query: Query = {}) =>
  world.others.request(browseCustomerAccounts, { merchant, ...query });
const list = (merchant: Merchant, query: Omit<WireInput<typeof listCustomerAccounts>, "merchant">) =>
  world.others.request(listCustomerAccounts, { merchant: { ...merchant, name: "Ada Stores" }, ...query });
async function walk(merchant: Merchant, query: Query) {
  const rows = [];
  for (let after: string | undefined; ; ) {
    const { data, next } = await browse(merchant, { ...query, after });
    rows.push(...data);
    if (next === null) return rows;
    after = next;
  }
}
const referencesOf = async (merchant: Merchant, query: Query = {}) =>
  (await walk(merchant, { limit: "2", ...query })).map(({ customer_reference }) => customer_reference);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => error.code,
  );

describe("customer accounts", () => {
  test("are listed newest first, each once over all pages, with ties ordered by id", async () => {
    const merchant = aMerchant();
    const accounts = [];
    for (const minute of [1, 2, 3]) accounts.unshift((await anAccount(merchant, { minute })).reference);
    expect(await referencesOf(merchant)).toEqual(accounts);
    for (let tie = 0; tie < 5; tie++) await anAccount(merchant, { minute: 4 });
    const all = await referencesOf(merchant);
    expect(all.slice(5)).toEqual(accounts);
    expect(new Set(all).size).toBe(8);
    expect(await browse(merchant, { limit: "8" })).toMatchObject({ next: null });
  });

  test("are filtered by status, and never include those that the bank has not opened", async () => {
    const merchant = aMerchant();
    const active = await anAccount(merchant, { minute: 1 });
    const retired = await anAccount(merchant, { minute: 2, status: "retired" });
    const pending = await anAccount(merchant, { minute: 3, status: "pending" });
    expect(await referencesOf(merchant)).toEqual([retired.reference, active.reference]);
    expect(await referencesOf(merchant, { status: "active" })).toEqual([active.reference]);
    expect(await referencesOf(merchant, { status: "retired" })).toEqual([retired.reference]);
    for (const search of [pending.reference, "Ada"])
      expect(await referencesOf(merchant, { search })).not.toContain(pending.reference);
    const [first, second] = await walk(merchant, {});
    expect([first?.retired_at, second?.retired_at]).toEqual(["2026-01-01T00:02:00.000+00:00", null]);
  });

  test("of another merchant or the other mode are in no list and found by no search", async () => {
    const merchant = aMerchant();
    const { reference, accountNumber } = await anAccount(merchant, { name: "Zainab Bello" });
    for (const search of [undefined, reference, accountNumber, "Zainab"]) {
      expect(await referencesOf(merchant, { search })).toEqual([reference]);
      for (const other of [aMerchant(), { ...merchant, mode: "live" as const }])
        expect(await referencesOf(other, { search })).toEqual([]);
    }
  });
});

test("the merchant API goes on behind a page with `after`, unmoved by accounts that are issued meanwhile", async () => {
  const merchant = aMerchant();
  const accounts = [];
  for (const minute of [1, 2, 3, 4, 5]) accounts.unshift((await anAccount(merchant, { minute })).reference);
  const read = [];
  for (let after: string | undefined; ; ) {
    const { data, next, ...page } = await list(merchant, { limit: "2", offset: "0", after });
    expect(page).toEqual({ limit: 2, offset: 0, has_more: next !== null, mode: "test" });
    read.push(...data.map(({ customer_reference }) => customer_reference));
    if (next === null) break;
    after = next;
    await anAccount(merchant, { minute: 6 });
  }
  expect(read).toEqual(accounts);
});

describe("a search", () => {
  test("finds a reference or its beginning, an account number, or how a word of a name begins, in any case", async () => {
    const merchant = aMerchant();
    const { reference, accountNumber } = await anAccount(merchant, { name: "Ọlá Ṣẹ́gun" });
    await anAccount(merchant, { name: "Bola Ade" });
    const found = [reference, accountNumber, "ọlá", "ỌLÁ  ṢẸ́", "Ọlá Ṣẹ́gun".normalize("NFD"), ` ${reference} `, "Ṣẹ́gun"];
    for (const search of found) expect(await referencesOf(merchant, { search }), search).toEqual([reference]);
    expect(await referencesOf(merchant, { search: "cust_" })).toHaveLength(2);
    for (const search of [reference.toUpperCase(), accountNumber.slice(1), "lá", "%", "_", "Ọlá%", "\\"])
      expect(await referencesOf(merchant, { search }), search).toEqual([]);
  });

  test("lists the matches newest first, each once over all pages, and together with the other filters", async () => {
    const merchant = aMerchant();
    const named = async (name: string, minute: number, given: { status?: "retired"; reference?: string } = {}) =>
      (await anAccount(merchant, { name, minute, ...given })).reference;
    const retired = await named("ADA eze", 8, { status: "retired" });
    const obi = await named("ada obi", 1);
    const twice = await named("Adamu", 5, { reference: "ada-mu" });
    await named("Bola", 9);
    expect(await referencesOf(merchant, { search: "ada" })).toEqual([retired, twice, obi]);
    expect(await referencesOf(merchant, { search: "ada", status: "retired" })).toEqual([retired]);
    expect(await referencesOf(merchant, { search: "ada", from: "2026-01-01T00:05:00Z" })).toEqual([retired, twice]);
    expect(await referencesOf(merchant, { search: "ada", references: [obi, twice].join() })).toEqual([twice, obi]);
  });

  test("of more than can be listed lists some, and says so", async () => {
    const merchant = aMerchant();
    await world.owner.query(
      `insert into customer_accounts (id, merchant_id, mode, customer_reference, customer_name, account_number, account_name,
         bank_name, issue_request_id, status)
       select $1::text || n, $1, $2, 'many-' || n, 'Kemi', '8' || lpad(n::text, 9, '0'), 'Kemi', 'Test Bank', $1::text || n, 'active'
       from generate_series(1, $3::integer) n`,
      [merchant.id, merchant.mode, SEARCHED_MAX + 1],
    );
    expect(await browse(merchant, { search: "kemi" })).toMatchObject({ is_partial: true });
    expect(await referencesOf(merchant, { search: "kemi", limit: "200" })).toHaveLength(SEARCHED_MAX);
    expect(await browse(merchant, { search: "many-77" })).toMatchObject({ is_partial: false });
  });
});

test("customers are listed by when they were created, and selected ones by themselves", async () => {
  const merchant = aMerchant();
  const [first, second] = [await anAccount(merchant, { minute: 1 }), await anAccount(merchant, { minute: 2 })];
  expect(await referencesOf(merchant, { before: "2026-01-01T00:02:00Z" })).toEqual([first.reference]);
  expect(await referencesOf(merchant, { from: "2026-01-01T00:02:00Z" })).toEqual([second.reference]);
  expect(await referencesOf(merchant, { references: `${first.reference},x,\u0000` })).toEqual([first.reference]);
});

const cursor = (...place: string[]) => Buffer.from(JSON.stringify(place)).toString("base64url");

test.each(["0000-01-01T00:00:00Z", "2026-01-01T00:00:00+20:00", "9999-12-31T23:00:00-05:00"])(
  "a cursor with a time such as %s is accepted, although PostgreSQL could not parse it",
  async (at) => {
    const merchant = aMerchant();
    const { reference } = await anAccount(merchant);
    const { data } = await browse(merchant, { after: cursor(at, "acc_") });
    expect(data.map(({ customer_reference }) => customer_reference)).toEqual(at > "9" ? [reference] : []);
  },
);

describe("a request is refused", () => {
  test.each([
    { limit: "0" },
    { status: "pending" as never },
    { search: " " },
    { search: "\u0000x" },
    { search: "x".repeat(101) },
    { from: "yesterday" },
    { references: "a,,b" },
    { after: "%" },
    { after: cursor("2026-01-01T00:00:00Z") },
    { after: cursor("Ada", "acc_1") },
    { after: cursor("2026-01-01T00:00:00Z", "acc_\u0000") },
    { after: cursor("2026-01-01T00:00:00Z", "trf_1") },
  ])("%j", async (query) => {
    expect(await codeOf(browse(aMerchant(), query))).toBe("validation_failed");
  });

  test("that goes on behind a page of the other mode, or of another merchant", async () => {
    const merchant = aMerchant();
    for (const minute of [1, 2]) await anAccount(merchant, { minute });
    const after = (await list(merchant, { limit: "1" })).next ?? "";
    for (const stranger of [aMerchant(), { ...merchant, mode: "live" as const }])
      await expect(list(stranger, { after })).rejects.toMatchObject({
        code: "validation_failed",
        errors: [{ param: "after", code: "invalid" }],
      });
  });

  test("that begins behind a page and at an offset", async () => {
    const merchant = aMerchant();
    for (const minute of [1, 2]) await anAccount(merchant, { minute });
    const after = (await list(merchant, { limit: "1" })).next ?? "";
    await expect(list(merchant, { after, offset: "1" })).rejects.toMatchObject({
      code: "validation_failed",
      errors: [{ param: "offset" }],
    });
  });
});
