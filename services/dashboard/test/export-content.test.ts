import {
  browseCollections,
  browseJournal,
  browsePayers,
  browseSettlementLines,
  browseSettlementTotals,
  browseStatement,
  readCollections,
} from "@collect/contracts";
import { strFromU8, unzipSync } from "fflate";
import { beforeEach, expect, test } from "vitest";
import { aCollection, playCollections } from "./collections.ts";
import { aMember } from "./dashboard.ts";
import { useDashboard } from "./world.ts";

const { world, dashboard, others } = await useDashboard();
const viewer = await aMember(world, dashboard, { merchantId: "mer_csv", role: "finance" });
beforeEach(() => {
  others.asked.length = 0;
});

const ROWS = 100_000;

const base = "/api/m/mer_csv/live";

/** Lines of a CSV in which no value breaks a line. */
const linesOf = (text: string) => text.replace(/\r\n$/, "").split("\r\n");

test("it is UTF-8 with a BOM, quoted as in RFC 4180, and no cell can be a formula", async () => {
  playCollections(others, 1, ' =HYPERLINK("https://evil.example","Ọlá")');
  const response = await viewer.raw("GET", `${base}/collections.csv`);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [header, row, ...rest] = linesOf(bytes.subarray(3).toString());
  expect(header).toBe(
    "reference,amount,fee,net,currency,customer_reference,customer_name,account_number,payer_id,payer_name,payer_account_number,payer_bank_name,payment_reference,merchant_reference,paid_at,received_at,created_at,attached_at,mode,amount_reversed",
  );
  expect(row).toBe(
    `col_0,2500.73,25.01,2475.72,NGN,cust_0,"' =HYPERLINK(""https://evil.example"",""Ọlá"")",0123456789,1,"OBI, ADA",9876543210,"The ""Test"" Bank",,,2026-11-21T09:30:00.123+00:00,2026-11-21T09:30:00.123+00:00,2026-11-21T09:30:00.123+00:00,,live,`,
  );
  expect(rest).toEqual([]);
});

test("a workbook has the same rows, as it is filtered, and its cells are values", async () => {
  playCollections(others, 1_200, "=1+1");
  const response = await viewer.raw("GET", `${base}/collections.xlsx?amount_from=10&references=col_1`);
  expect(response.headers.get("content-disposition")).toMatch(/"collections-live-\d{4}-\d\d-\d\d\.xlsx"$/);
  const files = unzipSync(Buffer.from(await response.arrayBuffer()));
  const sheet = strFromU8(files["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
  expect(sheet.match(/<row>/g)).toHaveLength(1_201);
  expect(sheet).toContain("<v>2500.73</v>");
  expect(sheet.match(/>'=1\+1</g)).toHaveLength(1_200);
  expect(others.askedOf(browseCollections)).toHaveLength(3);
  for (const asked of others.askedOf(browseCollections))
    expect(asked).toMatchObject({ amount_from: "10", references: "col_1" });
});

test("an empty list is its header only; invalid filters are refused before the first byte", async () => {
  others.reply(browsePayers, () => ({ data: [], next: null }));
  const { text } = await viewer.get(`${base}/payers.csv`);
  expect(linesOf(text)).toEqual([expect.stringMatching(/^.?id,name,/)]);
  const wrong = await viewer.get(`${base}/collections.csv?from=yesterday`);
  expect([wrong.status, wrong.body.code]).toEqual([400, "validation_failed"]);
  others.refuse(browsePayers, "service_unavailable");
  expect((await viewer.get(`${base}/payers.csv`)).status).toBe(503);
  others.refuse(browsePayers, undefined);
});

test("an export that fails midway closes the connection, so that a partial file is not mistaken for a complete one", async () => {
  playCollections(others, ROWS);
  const response = await viewer.raw("GET", `${base}/collections.csv`);
  expect(response.status).toBe(200);
  others.refuse(browseCollections, "service_unavailable");
  await expect(response.text()).rejects.toThrow();
  others.refuse(browseCollections, undefined);
});

test("the lines of a settlement include their collections, read in one request, and are exported without them if it fails", async () => {
  const line = {
    kind: "collection",
    gross: 100,
    fee: 1,
    amount: 99,
    version: 1,
    recorded_at: "2026-11-21T09:30:00.123+00:00",
  };
  others.reply(browseSettlementLines, () => ({
    data: [
      { ...line, key: "int_1" },
      { ...line, key: "int_2" },
      { ...line, key: "int_1", kind: "cover" },
    ],
    next: null,
  }));
  others.reply(readCollections, () => ({ collections: [{ ...aCollection(1), intake_id: "int_1" }] }));
  const { body } = await viewer.get(`${base}/settlements/set_1/lines`);
  expect(body.data).toMatchObject([
    { key: "int_1", collection: { reference: "col_1" } },
    { key: "int_2", collection: null },
    { kind: "cover", collection: null },
  ]);
  expect(others.askedOf(readCollections)).toEqual([
    { merchant: { id: "mer_csv", mode: "live", name: "Ada Stores" }, intake_ids: ["int_1", "int_2"] },
  ]);
  const csv = await viewer.get(`${base}/settlements/set_1/lines.csv`);
  expect(csv.headers.get("content-disposition")).toContain("settlements-lines-live-");
  expect(linesOf(csv.text)[1]).toContain("int_1,collection,100,1,99,1,");
  others.refuse(readCollections, "service_unavailable");
  expect((await viewer.get(`${base}/settlements/set_1/lines`)).body.data).toMatchObject([{ collection: null }, {}, {}]);
  others.refuse(readCollections, undefined);
});

test("settlements are exported as accounting software imports them: as filtered, without a byte order mark or a formula", async () => {
  const settlement = {
    ...{
      reference: "stl_1",
      merchant_id: "mer_csv",
      mode: "live" as const,
      currency: "NGN" as const,
      amount: 2_475.72,
    },
    ...{ from_version: 0, to_version: 1, transaction_id: "1" },
    ...{ cut_off: "2026-11-20T23:00:00.000+00:00", created_at: "2026-11-21T05:00:00.000+00:00" },
    totals: { amount: 2_500.73, fee: 25.01, net: 2_475.72 },
  };
  others.reply(browseSettlementTotals, ({ after }) =>
    after ? { data: [{ ...settlement, reference: "stl_2" }], next: null } : { data: [settlement], next: "more" },
  );
  const xero = await viewer.raw(
    "GET",
    `${base}/settlements/xero-statement.csv?from=2026-11-01T00:00:00Z&references=stl_1,stl_2`,
  );
  expect(xero.headers.get("content-disposition")).toMatch(/"settlements-xero-statement-live-\d{4}-\d\d-\d\d\.csv"$/);
  expect(linesOf(await xero.text())).toEqual([
    "*Date,*Amount,Payee,Description,Reference",
    "21/11/2026,2500.73,Collect,Payments received,stl_1",
    "21/11/2026,-25.01,Collect,Fees on payments received,stl_1",
    "21/11/2026,2500.73,Collect,Payments received,stl_2",
    "21/11/2026,-25.01,Collect,Fees on payments received,stl_2",
  ]);
  const filtered = { from: "2026-11-01T00:00:00Z", references: "stl_1,stl_2", limit: "500" };
  expect(others.askedOf(browseSettlementTotals)).toMatchObject([filtered, { ...filtered, after: "more" }]);
  const accounts = "settled_account=%3D1%2B1&fee_account=Fees&sales_account=Sales";
  const quickBooks = await viewer.get(`${base}/settlements/quickbooks-journal.csv?${accounts}`);
  expect(linesOf(quickBooks.text).slice(0, 4)).toEqual([
    "*JournalNo,*JournalDate,*AccountName,*Debits,*Credits,Description",
    'stl_1,21/11/2026,\'=1+1,2475.72,,"Settled, stl_1"',
    'stl_1,21/11/2026,Fees,25.01,,"Fees on payments received, stl_1"',
    'stl_1,21/11/2026,Sales,,2500.73,"Payments received, stl_1"',
  ]);
  const withoutTaxRate = await viewer.get(`${base}/settlements/xero-journal.csv?${accounts}`);
  expect([withoutTaxRate.status, withoutTaxRate.body.code]).toEqual([400, "validation_failed"]);
  const developer = await aMember(world, dashboard, { merchantId: "mer_csv", role: "developer" });
  expect((await developer.get(`${base}/settlements/xero-statement.csv`)).body.code).toBe("role_required");
});

test("books are in Lagos time and the merchant's words and references, and fail rather than lack them", async () => {
  const at = { recorded_at: "2026-10-31T23:30:00.123456+00:00" };
  const balances = { collected_balance: 990, settled_balance: 0 };
  const none = { money_in: null, fee: null, settled: null, transfer_out: null, returned: null };
  others.reply(browseStatement, () => ({
    data: [
      { ...at, ...none, ...balances, kind: "opening", key: "2026-11", collected_balance: 0 },
      { ...at, ...none, ...balances, kind: "collection", key: "int_1", money_in: 1_000, fee: 10 },
      { ...at, ...none, ...balances, kind: "collection_reversal", key: "int_1", money_in: -1_000, fee: -10 },
      { ...at, ...none, ...balances, kind: "cover", key: "int_1", settled: -990 },
      { ...at, ...none, ...balances, kind: "reserve", key: "trf_1", transfer_out: 5 },
    ],
    next: null,
  }));
  const entry = { ...at, transaction_id: "7", kind: "payout", key: "trf_1", balance: null };
  others.reply(browseJournal, () => ({
    data: [
      { ...entry, account: "bank", debit: 5, credit: null },
      { ...entry, account: "payouts", debit: null, credit: 5, balance: 0 },
    ],
    next: null,
  }));
  others.reply(readCollections, () => ({ collections: [{ ...aCollection(1), intake_id: "int_1" }] }));
  const statement = await viewer.get(`${base}/statement.csv?month=2026-11`);
  expect(statement.headers.get("content-disposition")).toContain('"statement-live-2026-11.csv"');
  expect(linesOf(statement.text).slice(1)).toEqual([
    "2026-11-01T00:30:00.123+01:00,Opening balance,,,,,,,0,0",
    "2026-11-01T00:30:00.123+01:00,Payment received,col_1,1000,10,,,,990,0",
    "2026-11-01T00:30:00.123+01:00,Payment taken back by the bank,col_1,-1000,-10,,,,990,0",
    "2026-11-01T00:30:00.123+01:00,Moved back to cover what the bank took,,,,-990,,,990,0",
    "2026-11-01T00:30:00.123+01:00,Transfer ordered,trf_1,,,,5,,990,0",
  ]);
  const journal = await viewer.get(`${base}/journal.csv`);
  expect(linesOf(journal.text).slice(1)).toEqual([
    "2026-11-01T00:30:00.123+01:00,Transfer sent,trf_1,Paid out,5,,,7",
    "2026-11-01T00:30:00.123+01:00,Transfer sent,trf_1,Transfers in progress,,5,0,7",
  ]);
  const book = await viewer.raw("GET", `${base}/statement.xlsx?month=2026-11`);
  const files = unzipSync(Buffer.from(await book.arrayBuffer()));
  const sheet = strFromU8(files["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
  // The first of November at half past midnight, as spreadsheets count days, and amounts as numbers.
  expect(sheet).toContain('<c s="2"><v>46327.02');
  expect(sheet).toContain('<c s="1"><v>1000</v></c>');
  others.refuse(readCollections, "service_unavailable");
  expect((await viewer.get(`${base}/statement.csv?month=2026-11`)).status).toBe(503);
  others.refuse(readCollections, undefined);
  for (const month of ["2026-13", '2026-11"'])
    expect((await viewer.get(`${base}/statement.csv?month=${encodeURIComponent(month)}`)).status).toBe(400);
  expect((await viewer.get(`${base}/statement.csv`)).status).toBe(400);
});
