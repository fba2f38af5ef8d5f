import { screen, within } from "@testing-library/react";
import { Link, Route, Routes } from "react-router";
import { expect, test } from "vitest";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import type { Read } from "./api.ts";
import DayPage from "./pages/day-page.tsx";

const server = useServer();

type Sheet = Read<"days/:day">;
const ITEM = { account: "1234567890", settled: false, reason: null, explained_by: null, what: "FEE" };
const OPEN: Sheet = {
  ...{
    day: "2026-11-20",
    state: "open",
    closed_at: null,
    closed_by: null,
    accounts: [],
    settled: [],
    blocked_by: null,
  },
  ...{ ledger: { opening: "1000", closing: "3000" }, difference: "-5", items_total: 0, items: [] },
};
const shows = (day: string, sheet: Partial<Sheet>) =>
  server.answers("GET", `days/${day}`, () => ({ ...OPEN, day, ...sheet }));

const show = () =>
  showAt(
    "/days/2026-11-20",
    <Routes>
      <Route
        path="/days/:day"
        element={
          <>
            <DayPage />
            <Link to="/days/2026-11-21">Next</Link>
          </>
        }
      />
    </Routes>,
  );

test("of a long difference a hundred lines are shown at a time, and none is lost", async () => {
  const items = Array.from({ length: 230 }, (_, index) => ({
    ...{ ...ITEM, key: `line:${index}`, class: "bank_only" as const, amount: "1" },
  }));
  shows("2026-11-20", { items, items_total: 231, settled: [{ class: "timing", items: 1, amount: "5" }] });
  const { user } = show();
  const rows = async () =>
    within(await screen.findByRole("table", { name: "Lines of the difference" })).getAllByRole("row");
  expect((await rows()).length).toBe(1 + 100);
  await user.click(screen.getByRole("button", { name: "Show more (130)" }));
  await user.click(screen.getByRole("button", { name: "Show more (30)" }));
  expect((await rows()).length).toBe(1 + 230);
  expect(screen.getByText(/^Not listed, because they are settled: 1\./).textContent).toContain("1 timing, ₦0.05");
});

test("one reason for all of a kind counts for the sum of those that need one, and settled lines and those that the bank has not booked yet take none", async () => {
  const charge = { ...ITEM, class: "charge" as const };
  shows("2026-11-20", {
    items: [
      { ...charge, key: "line:1", amount: "-5000", reason: "Monthly", explained_by: "ada" },
      { ...charge, key: "line:2", amount: "-2050" },
      { ...charge, key: "match:3", class: "timing", amount: "77", settled: true },
      { ...charge, key: "int_4", class: "timing", amount: "-9" },
    ],
  });
  const { user } = show();
  await screen.findByText("Monthly (ada)");
  expect(screen.getByText("Settled on another day")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: "Give a reason" }).length).toBe(1);
  await user.click(screen.getByRole("button", { name: "Bank charge: one reason for all 2" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/^2 lines, /).textContent).toContain("−₦70.50 together");
});

test("the difference is the change at the banks less that in the ledger, and a blocked or a closed day cannot be closed", async () => {
  shows("2026-11-20", { blocked_by: "The day is not over." });
  const { unmount } = show();
  await screen.findByText("The day is not over.");
  const difference = screen.getByRole("region", { name: "Difference" });
  expect(difference.textContent).toBe("DifferenceChange at the banks₦19.95Change in our ledger₦20.00Difference−₦0.05");
  expect(screen.queryByRole("button", { name: "Close day" })).toBeNull();
  unmount();
  queryClient.clear();
  shows("2026-11-20", {
    state: "closed",
    closed_at: "2026-11-21T08:00:00.000Z",
    closed_by: "bola",
    items: [{ ...ITEM, key: "line:1", class: "charge", amount: "1" }],
  });
  const { container } = show();
  await screen.findByText(/^Closed by bola/);
  const buttons = within(container)
    .getAllByRole("button")
    .map(({ textContent }) => textContent);
  expect(buttons).toEqual(["Reopen day"]);
});

test("while another day is read, its page shows no figures of the last one", async () => {
  shows("2026-11-20", { blocked_by: "The first day." });
  server.answers("GET", "days/2026-11-21", () => new Promise(() => {}));
  const { user } = show();
  await screen.findByText("The first day.");
  await user.click(screen.getByRole("link", { name: "Next" }));
  await screen.findByRole("heading", { name: "21 Nov 2026" });
  expect(screen.queryByText("The first day.")).toBeNull();
});
