import { getStatementTotals } from "@collect/contracts";
import { until } from "@collect/testing";
import { extractText, getMeta } from "unpdf";
import { expect, test } from "vitest";
import { playCollections } from "./collections.ts";
import { aMember } from "./dashboard.ts";
import { useDashboard } from "./world.ts";

const { world, dashboard, others } = await useDashboard();
const finance = await aMember(world, dashboard, { merchantId: "mer_pdf", role: "finance" });
const base = "/api/m/mer_pdf/live";

others.reply(getStatementTotals, ({ month }) => ({
  from: month === "2025-01" ? "2024-12-31T23:00:00.000+00:00" : "2025-01-31T23:00:00.000+00:00",
  before: month === "2025-01" ? "2025-01-31T23:00:00.000+00:00" : "2025-02-28T23:00:00.000+00:00",
  // By the ledger's clock: that of this process is long past both months.
  as_of: "2025-02-15T09:00:00.000+00:00",
  opening: { collected: 10, settled: 0 },
  ...{ money_in: 999_999_999.99, fees: 25.01, settled: 900, transfers_out: 253, returned: 53, lines: 6 },
  closing: { collected: 999_999_084.98, settled: 700 },
}));

async function pdfOf(month: string) {
  const response = await finance.raw("GET", `${base}/statement.pdf?month=${month}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { response, bytes: Buffer.from(bytes), text: (await extractText(bytes, { mergePages: true })).text };
}

test("a month's statement is a page with the ledger's figures to the kobo, and the sign of the naira", async () => {
  const { response, text } = await pdfOf("2025-01");
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="statement-live-2025-01.pdf"');
  expect(text.split("\n").slice(0, 13)).toEqual([
    "Statement for January 2025",
    "Ada Stores",
    "1 January 2025 to 31 January 2025, Lagos time",
    "Live mode",
    "Business mer_pdf",
    "Collected Settled",
    "Opening balance ₦10.00 ₦0.00",
    "Payments received ₦999,999,999.99",
    "Fees −₦25.01",
    "Settled −₦900.00 ₦900.00",
    "Transfers out −₦253.00",
    "Transfers returned ₦53.00",
    "Closing balance ₦999,999,084.98 ₦700.00",
  ]);
});

test("the statement of a month that is over has the same bytes every time", async () => {
  const [first, second] = [await pdfOf("2025-01"), await pdfOf("2025-01")];
  expect(first.bytes.equals(second.bytes)).toBe(true);
  expect((await getMeta(new Uint8Array(first.bytes))).info.CreationDate).toBe("D:20250131230000Z");
  expect((await pdfOf("2025-02")).text).toContain("The month is not over: this is as of 15 February 2025, 10:00");
});

test("only owners and finance members get it, and one that cannot be proven or has no month is refused", async () => {
  const viewer = await aMember(world, dashboard, { merchantId: "mer_pdf", role: "viewer" });
  expect((await viewer.get(`${base}/statement.pdf?month=2025-01`)).body.code).toBe("role_required");
  const stranger = await aMember(world, dashboard, { merchantId: "mer_other", role: "owner" });
  expect((await stranger.get(`${base}/statement.pdf?month=2025-01`)).status).toBe(404);
  for (const query of ["", "?month=2025-13"])
    expect((await finance.get(`${base}/statement.pdf${query}`)).body.code).toBe("validation_failed");
  expect((await finance.post(`${base}/statement.pdf`, {})).status).toBe(405);
  others.refuse(getStatementTotals, "internal_error");
  expect((await finance.get(`${base}/statement.pdf?month=2025-01`)).body.code).toBe("internal_error");
  others.refuse(getStatementTotals, undefined);
});

test("a person has three statements written at once, as of all exports, whatever others have", async () => {
  const get = () => finance.get(`${base}/statement.pdf?month=2025-01`);
  const other = await aMember(world, dashboard, { merchantId: "mer_pdf", role: "owner" });
  const statuses = await Promise.all([
    ...Array.from({ length: 8 }, get),
    other.get(`${base}/statement.pdf?month=2025-01`),
  ]);
  expect(statuses.at(-1)?.status).toBe(200);
  const refused = statuses.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { body } of refused) expect(body.code).toBe("rate_limited");
  expect((await get()).status).toBe(200);
});

test("a statement counts as one of a person's exports, whatever they are of", async () => {
  playCollections(others, 100_000);
  const lists = await Promise.all([1, 2, 3].map(() => finance.raw("GET", `${base}/collections.csv`)));
  expect(lists.map(({ status }) => status)).toEqual([200, 200, 200]);
  const get = () => finance.get(`${base}/statement.pdf?month=2025-01`);
  expect((await get()).body.code).toBe("rate_limited");
  for (const { body } of lists) await body?.cancel();
  await until("an export has ended", async () => (await get()).status === 200);
});
