import { browseCollections, browsePayers, browseSettlementLines, readCollections } from "@collect/contracts";
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
    "reference,amount,fee,net,currency,customer_reference,customer_name,account_number,payer_id,payer_name,payer_account_number,payer_bank_name,payment_reference,merchant_reference,paid_at,received_at,created_at,mode",
  );
  expect(row).toBe(
    `col_0,2500.73,25.01,2475.72,NGN,cust_0,"' =HYPERLINK(""https://evil.example"",""Ọlá"")",0123456789,1,"OBI, ADA",9876543210,"The ""Test"" Bank",,,2026-11-21T09:30:00.123+00:00,2026-11-21T09:30:00.123+00:00,2026-11-21T09:30:00.123+00:00,live`,
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
    ],
    next: null,
  }));
  others.reply(readCollections, () => ({ collections: [{ ...aCollection(1), intake_id: "int_1" }] }));
  const { body } = await viewer.get(`${base}/settlements/set_1/lines`);
  expect(body.data).toMatchObject([
    { key: "int_1", collection: { reference: "col_1" } },
    { key: "int_2", collection: null },
  ]);
  expect(others.askedOf(readCollections)).toEqual([
    { merchant: { id: "mer_csv", mode: "live", name: "Ada Stores" }, intake_ids: ["int_1", "int_2"] },
  ]);
  const csv = await viewer.get(`${base}/settlements/set_1/lines.csv`);
  expect(csv.headers.get("content-disposition")).toContain("settlements-lines-live-");
  expect(linesOf(csv.text)[1]).toContain("int_1,collection,100,1,99,1,");
  others.refuse(readCollections, "service_unavailable");
  expect((await viewer.get(`${base}/settlements/set_1/lines`)).body.data).toMatchObject([{ collection: null }, {}]);
  others.refuse(readCollections, undefined);
});
