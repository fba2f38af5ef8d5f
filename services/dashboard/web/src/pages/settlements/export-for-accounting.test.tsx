import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT } from "../../../test/server.ts";
import { ExportForAccounting } from "./export-for-accounting.tsx";

beforeEach(() => localStorage.clear());

const BASE = `/api/m/${MERCHANT}/test/settlements`;

async function opened(at = "") {
  const { user } = showPage(<ExportForAccounting />, { at });
  await user.click(screen.getByRole("button", { name: "Export for accounting" }));
  const choose = async (format: string) => user.selectOptions(await screen.findByLabelText("Format"), format);
  return { user, choose };
}

test("a statement has the settlements that the list is filtered by, from its first page", async () => {
  const { choose } = await opened("settlements?amount_from=10&after=cursor");
  await choose("QuickBooks Online: bank transactions (CSV)");
  screen.getByText(/Transfers out and returned transfers are not included.* up to 1,000 lines at a time/);
  const link = screen.getByRole("link", { name: "Download" });
  expect(link.getAttribute("href")).toBe(`${BASE}/quickbooks-statement.csv?amount_from=10`);
});

test("a journal needs the merchant's own accounts, which are known the next time", async () => {
  const { user, choose } = await opened();
  await choose("Xero: manual journals (CSV)");
  expect(screen.queryByRole("link", { name: "Download" })).toBeNull();
  await user.type(screen.getByLabelText(/^Account for your settled balance/), "615");
  await user.type(screen.getByLabelText(/^Account for fees/), "404");
  await user.type(screen.getByLabelText(/^Account for payments received/), "200");
  await user.type(screen.getByLabelText(/^Tax rate/), "Tax Exempt");
  const hrefNow = () => screen.getByRole("link", { name: "Download" }).getAttribute("href");
  const typed = "settled_account=615&fee_account=404&sales_account=200&tax_rate=Tax+Exempt";
  expect(hrefNow()).toBe(`${BASE}/xero-journal.csv?${typed}`);
  await choose("QuickBooks Online: journal entries (Excel)");
  expect(screen.queryByRole("link", { name: "Download" })).toBeNull();
  await choose("Xero: manual journals (CSV)");
  expect(hrefNow()).toBe(`${BASE}/xero-journal.csv?${typed}`);
});

test("who may not take lists with them is not offered it", () => {
  showPage(<ExportForAccounting />, { scope: { role: "developer" } });
  expect(screen.queryByRole("button", { name: "Export for accounting" })).toBeNull();
});
