import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { queryClient } from "../../api/query-client.ts";
import { StatementsPage } from "./statements-page.tsx";

const server = useServer();

function aMonth(as_of?: string) {
  server.reads("test-clock", { now: "2027-01-15T10:00:00.000+00:00", ahead_by: 4_579_200, mode: "test" });
  server.reads("statement/summary", {
    from: "2026-12-31T23:00:00.000+00:00",
    before: "2027-01-31T23:00:00.000+00:00",
    ...(as_of && { as_of }),
    opening: { collected: 10, settled: 0 },
    money_in: 1_000.01,
    fees: 10,
    settled: 900,
    transfers_out: 253,
    returned: 53,
    closing: { collected: 100.01, settled: 700 },
    lines: 6,
  });
}

test("a month is shown in sums and downloaded as a statement, a PDF and a journal, in the month of the test clock", async () => {
  aMonth("2027-01-31T23:00:00.000+00:00");
  const { user, address } = showPage(<StatementsPage />);
  const sums = await screen.findByRole("table", { name: "Sums of the month" });
  const cells = within(sums)
    .getAllByRole("row")
    .map((row) => row.textContent);
  expect(cells).toContain("Settled−₦900.00₦900.00");
  expect(cells).toContain("Payments received₦1,000.01");
  expect(cells).toContain("Transfers returned₦53.00");
  expect(cells.at(-1)).toBe("Closing balance₦100.01₦700.00");
  await user.click(screen.getByRole("button", { name: "Download statement" }));
  const csv = await screen.findByRole("menuitem", { name: "CSV" });
  expect(csv.getAttribute("href")).toBe(`/api/m/${MERCHANT}/test/statement.csv?month=2027-01`);
  await user.keyboard("{Escape}");
  const pdf = screen.getByRole("link", { name: "Download PDF" });
  expect(pdf.getAttribute("href")).toBe(`/api/m/${MERCHANT}/test/statement.pdf?month=2027-01`);
  await user.click(screen.getByRole("button", { name: "Download journal" }));
  const xlsx = await screen.findByRole("menuitem", { name: "Excel (XLSX)" });
  expect(xlsx.getAttribute("href")).toContain("/test/journal.xlsx?from=2026-12-31T23%3A00");
  await user.keyboard("{Escape}");
  await user.selectOptions(screen.getByLabelText("Month"), "2026-12");
  expect(address()).toContain("?month=2026-12");
});

test("a month that is not over, or of which that is not known, has no closing balance, as on the PDF", async () => {
  for (const as_of of ["2027-01-31T22:59:59.999+00:00", undefined]) {
    aMonth(as_of);
    const { unmount } = showPage(<StatementsPage />);
    await screen.findByRole("row", { name: "Balance so far ₦100.01 ₦700.00" });
    screen.getByText(/plus these lines equals the balance so far\.$/);
    expect(screen.queryByText(/closing balance/i)).toBeNull();
    unmount();
    queryClient.clear();
  }
});

test("who may not take lists with them sees the sums and no downloads", async () => {
  aMonth();
  showPage(<StatementsPage />, { scope: { role: "viewer" } });
  await screen.findByText("Only owners and finance members can download statements and journals.");
  for (const role of ["button", "link"]) expect(screen.queryByRole(role, { name: /Download/ })).toBeNull();
});

test("a month that can't be proved is not shown", async () => {
  aMonth();
  server.refuses("GET", `m/${MERCHANT}/test/statement/summary`, {
    status: 500,
    code: "internal_error",
    detail: "Not this.",
  });
  showPage(<StatementsPage />);
  await screen.findByText("Not this.");
  expect(screen.queryByRole("table")).toBeNull();
});
