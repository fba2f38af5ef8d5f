import { screen, waitFor, within } from "@testing-library/react";
import { Link, Route, Routes } from "react-router";
import { beforeEach, expect, test } from "vitest";
import { keepInMemory } from "../../test/browser-database.ts";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import type { Read } from "./api.ts";
import { makeKey } from "./browser-key.ts";
import { choose } from "./chosen.ts";
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

beforeEach(() => {
  choose([]);
  for (const day of ["2026-11-20", "2026-11-21"]) server.answers("GET", `days/${day}/offers`, () => ({ data: [] }));
});

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
  // Not by their role, which takes seconds to find of so many.
  const rows = async () =>
    (await screen.findByRole("table", { name: "Lines of the difference" })).querySelectorAll("tr");
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

test("an account has what our books have on it, how much of it by the amount alone, and its part of the difference, unless its sheet is of an earlier release", async () => {
  const old = { bank: "058", opening: "0", in: "250", out: "0", charges: "-10", closing: "240", lines: 2, matched: 1 };
  const account = { ...old, number: "1234567890", booked: "300", difference: "-60", matched_by_amount: 1 };
  const late = { ...ITEM, key: "match:3", class: "timing" as const, amount: "77", settled: true, by_amount: true };
  shows("2026-11-20", { accounts: [account, { ...old, number: "9876543210" }], items: [late] });
  show();
  const one = await screen.findByRole("region", { name: "1234567890 at 058" });
  expect(one.textContent).toContain("Closing₦2.40In our books₦3.00Difference−₦0.60");
  expect(one.textContent).toContain("Lines matched1 of 2By the amount alone1Opening");
  expect(screen.getByText("Settled on another day, by the amount alone")).toBeTruthy();
  const other = screen.getByRole("region", { name: "9876543210 at 058" });
  expect(other.textContent).toMatch(/Lines matched1 of 2Opening.*Closing₦2.40$/);
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

test("what is closed is the sheet that was shown when the operator began, also if the page is read again behind the dialog", async () => {
  keepInMemory();
  await makeKey();
  shows("2026-11-20", { digest: "seen" });
  const { user } = show();
  const confirm = async () => {
    await user.click(await screen.findByRole("button", { name: "Close day" }));
    const dialog = within(await screen.findByRole("dialog"));
    return { dialog, press: () => user.click(dialog.getByRole("button", { name: "Close day" })) };
  };
  const first = await confirm();
  shows("2026-11-20", { digest: "changed", blocked_by: "Read again." });
  await queryClient.invalidateQueries();
  await screen.findByText("Read again.");
  shows("2026-11-20", { digest: "changed" });
  const CLOSE = "acts/statements.day.close";
  server.refuses("POST", CLOSE, { status: 409, code: "conflict", detail: "The day has changed." });
  await first.press();
  await first.dialog.findByText("The day has changed.");
  await user.click(first.dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  server.answers("POST", CLOSE, () => ({ ...OPEN, state: "closed" }));
  await (await confirm()).press();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.fieldsOf(`POST ${CLOSE}`).map(({ input }) => input)).toEqual([
    { day: "2026-11-20", seen: "seen" },
    { day: "2026-11-20", seen: "changed" },
  ]);
});

const MATCH = "acts/statements.match.set";
const [CREDIT, DEBIT, OURS] = [
  { ...ITEM, class: "bank_only" as const, key: "line:7", amount: "500", what: "FROM ADA" },
  { ...ITEM, class: "charge" as const, key: "line:8", amount: "-100", what: "SMS" },
  { ...ITEM, class: "books_only" as const, key: "int_1", amount: "-400", what: "int_1 4.00" },
];
const chosenRows = async () =>
  within(await screen.findByRole("table", { name: "Chosen" }))
    .getAllByRole("row")
    .slice(1)
    .map(({ textContent }) => textContent);

test("money that only the bank has is credited beside its line, and reversed where it left; a charge and what we have is neither", async () => {
  const taken = { ...CREDIT, key: "line:9", amount: "-500", what: "RVSL" };
  shows("2026-11-20", { items: [CREDIT, DEBIT, OURS, taken] });
  show();
  const links = async (name: string) =>
    (await screen.findAllByRole("link", { name })).map((link) => link.getAttribute("href"));
  expect(await links("Credit it")).toEqual(["/lines/7"]);
  expect(await links("Reverse it")).toEqual(["/lines/9"]);
});

test("lines and movements of several days are matched once their sums agree, and what is in a match or the ledger's is not chosen", async () => {
  keepInMemory();
  await makeKey();
  shows("2026-11-20", {
    items: [
      CREDIT,
      DEBIT,
      { ...ITEM, class: "by_hand", key: "match:3", amount: "1", what: "MATCHED" },
      { ...ITEM, class: "charge", key: "charges:9", amount: "-1", what: "A SUM OF LINES" },
    ],
  });
  shows("2026-11-21", {
    items: [OURS, { ...ITEM, class: "ledger", account: null, key: "ledger", amount: "1", what: "LEDGER" }],
  });
  const { user } = show();
  await user.click(await screen.findByRole("checkbox", { name: "FROM ADA" }));
  await screen.findByText(/Choose what our books have, too/);
  expect(screen.getAllByRole("checkbox")).toHaveLength(2);
  await user.click(screen.getByRole("link", { name: "Next" }));
  await user.click(await screen.findByRole("checkbox", { name: "int_1 4.00" }));
  expect(screen.getAllByRole("checkbox")).toHaveLength(1);
  await screen.findByText(/The sums differ\.$/);
  expect(screen.queryByRole("button", { name: "Match by hand" })).toBeNull();
  choose([
    { ...CREDIT, day: "2026-11-20" },
    { ...DEBIT, day: "2026-11-20" },
    { ...OURS, day: "2026-11-21" },
  ]);
  await waitFor(async () => expect(await chosenRows()).toHaveLength(3));
  await user.click(screen.getByRole("button", { name: "Match by hand" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/^2 of the bank and 1 of our books, /).textContent).toContain("₦4.00 on each side");
  server.refuses("POST", MATCH, { status: 409, code: "conflict", detail: "The day is closed." });
  await user.click(dialog.getByRole("button", { name: "Match by hand" }));
  await dialog.findByText("The day is closed.");
  server.answers("POST", MATCH, () => ({ match: "7" }));
  await user.click(dialog.getByRole("button", { name: "Match by hand" }));
  await waitFor(() => expect(screen.queryByRole("table", { name: "Chosen" })).toBeNull());
  expect(server.fieldsOf(`POST ${MATCH}`).map(({ input }) => input)).toEqual(
    Array.from({ length: 2 }, () => ({ lines: ["7", "8"], movements: ["int_1"] })),
  );
});

test("what is of two accounts, or in a match by now, is not matched by hand", async () => {
  const other = { ...OURS, amount: "-500", account: "9999999999", day: "2026-11-21" };
  shows("2026-11-20", { items: [CREDIT] });
  choose([{ ...CREDIT, day: "2026-11-20" }, other]);
  const { user } = show();
  await screen.findByText(/They are of different accounts\.$/);
  await user.click(screen.getByRole("button", { name: "Take out int_1 4.00" }));
  await waitFor(async () => expect(await chosenRows()).toHaveLength(1));
  choose([
    { ...CREDIT, day: "2026-11-20" },
    { ...other, account: CREDIT.account },
  ]);
  await screen.findByRole("button", { name: "Match by hand" });
  shows("2026-11-20", { items: [] });
  await queryClient.invalidateQueries();
  await screen.findByText(/In a match by now, so take them out: FROM ADA\.$/);
  expect(screen.queryByRole("button", { name: "Match by hand" })).toBeNull();
});
