import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { keepInMemory } from "../../test/browser-database.ts";
import { showDay } from "../../test/day.tsx";
import { useServer } from "../../test/server.ts";
import type { Read } from "./api.ts";
import { makeKey } from "./browser-key.ts";
import { choose } from "./chosen.ts";

const server = useServer();

type Sheet = Read<"days/:day">;
const ITEM = { account: "1234567890", settled: false, reason: null, explained_by: null, class: "bank_only" as const };
const CREDITS = { ...ITEM, key: "group:line:1:abc", amount: "90000", what: "900 lines: the largest 1.00", count: 900 };
const DEBITS = { ...ITEM, key: "group:line:2:def", amount: "-89000", what: "600 lines: the largest -2.00", count: 600 };
const LARGE = { ...ITEM, key: "line:3", amount: "700", what: "TRF 3" };
const PAID = { ...ITEM, class: "timing" as const, amount: "-5", what: "TRF" };
const SHEET: Sheet = {
  ...{ day: "2026-11-20", state: "open", closed_at: null, closed_by: null, accounts: [], settled: [] },
  ...{ ledger: { opening: "0", closing: "0" }, difference: "1700", items: [CREDITS, DEBITS, LARGE] },
  ...{ items_total: 1_501, blocked_by: "Lines of the difference without a reason: 1501.", digest: "seen" },
};
const EXPLAIN = "acts/statements.day.explain";
const shows = (sheet: Partial<Sheet>) => server.answers("GET", "days/2026-11-20", () => ({ ...SHEET, ...sheet }));

beforeEach(() => {
  choose([]);
  server.answers("GET", "days/2026-11-20/offers", () => ({ data: [] }));
});

test("a group says how many lines it has, which are listed when they are asked for, and each can be chosen or looked at", async () => {
  shows({});
  const line = { what: "TRF", amount: "100", charge: null };
  server.answers("GET", "days/2026-11-20/group", ({ fields }) =>
    fields.after === "line:1"
      ? { data: [{ ...line, key: "line:4", what: "SECOND PAGE" }], next: null }
      : { data: [{ ...line, key: "line:1", what: "FIRST PAGE" }], next: "line:1" },
  );
  const { user } = showDay();
  expect(await screen.findByText("At the bank only, 900 lines")).toBeTruthy();
  expect(screen.queryByText(/^Not listed/)).toBeNull();
  expect(server.fieldsOf("GET days/2026-11-20/group")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Show all 900 lines" }));
  const row = within(await screen.findByRole("row", { name: /FIRST PAGE/ }));
  expect(row.getByRole("link").getAttribute("href")).toBe("/lines/1");
  await user.click(screen.getByRole("button", { name: "Show more" }));
  await screen.findByRole("row", { name: /SECOND PAGE/ });
  expect(server.fieldsOf("GET days/2026-11-20/group")).toMatchObject([
    { group: CREDITS.key },
    { group: CREDITS.key, after: "line:1" },
  ]);
  await user.click(row.getByRole("checkbox"));
  const chosen = within(await screen.findByRole("region", { name: "Match by hand" }));
  expect(chosen.getByText("FIRST PAGE")).toBeTruthy();
  expect(chosen.queryByText(/^In a match by now/)).toBeNull();
});

test("one reason for all of a kind is for all lines of its groups too, says both signs, and names the sheet that was shown", async () => {
  keepInMemory();
  await makeKey();
  shows({});
  server.answers("POST", EXPLAIN, () => ({}));
  const { user } = showDay();
  const label = "At the bank only: one reason for all 1501";
  await user.click(await screen.findByRole("button", { name: label }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/^1501 lines, /).textContent).toContain(
    "₦17.00 together. At the bank ₦907.00 more in 901 lines, ₦890.00 less in 600.",
  );
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Sent by the bank");
  await user.click(dialog.getByRole("button", { name: label }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.fieldsOf(`POST ${EXPLAIN}`).map(({ input }) => input)).toEqual([
    { day: "2026-11-20", item: "bank_only", amount: "1700", reason: "Sent by the bank", seen: "seen" },
  ]);
});

test("a group of matches that wait for nothing takes a reason, and one of what the bank has not booked yet takes none", async () => {
  shows({
    items: [
      { ...PAID, key: "group:match:1:abc", count: 2 },
      { ...PAID, key: "group:trf_1:abc", count: 3 },
    ],
    items_total: 9,
    settled: [{ class: "timing", items: 4, amount: "5" }],
  });
  showDay();
  expect(await screen.findAllByRole("button", { name: "Give a reason" })).toHaveLength(1);
  expect(screen.getByText(/^Not listed, because they are settled: 4\./)).toBeTruthy();
});
