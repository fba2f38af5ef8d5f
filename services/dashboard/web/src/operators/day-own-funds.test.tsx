import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { keepInMemory } from "../../test/browser-database.ts";
import { showDay } from "../../test/day.tsx";
import { useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import type { Read } from "./api.ts";
import { makeKey } from "./browser-key.ts";

const server = useServer();
const EXPLAIN = "acts/statements.day.explain";

type Sheet = Read<"days/:day">;
const ITEM = { account: "1234567890", settled: false, reason: null, explained_by: null, what: "TREASURY" };
const ACCOUNT = {
  ...{ number: "1234567890", bank: "058", opening: "0", in: "0", out: "0", charges: "0", closing: "0" },
  ...{ lines: 3, matched: 0 },
};
const OPEN: Sheet = {
  ...{ day: "2026-11-20", state: "open", closed_at: null, closed_by: null, accounts: [ACCOUNT], settled: [] },
  ...{ ledger: { opening: "0", closing: "0" }, difference: "0", items_total: 0, items: [], blocked_by: null },
};
const shows = (sheet: Partial<Sheet>) => server.answers("GET", "days/2026-11-20", () => ({ ...OPEN, ...sheet }));

beforeEach(async () => {
  keepInMemory();
  await makeKey();
});

test("only a line of the bank in no match can be said to be our own money, and is then offered as nothing else", async () => {
  const line = { ...ITEM, class: "bank_only" as const };
  shows({
    items_total: 4,
    items: [
      { ...line, key: "line:1", amount: "100000" },
      { ...line, key: "line:2", amount: "-30000", is_own: true, reason: "Sweep", explained_by: "ada" },
      { ...ITEM, key: "int_3", class: "books_only", amount: "-7" },
      { ...ITEM, key: "match:4", class: "different_amount", amount: "-54", charge: "-54" },
    ],
  });
  server.answers("POST", EXPLAIN, () => ({}));
  const { user } = showDay();
  expect(await screen.findByText("Own funds: Sweep (ada)")).toBeTruthy();
  expect(screen.getAllByRole("link", { name: "Credit it" })).toHaveLength(1);
  expect(screen.queryByRole("link", { name: "Reverse it" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Own funds" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Reason"), "Top-up");
  await user.click(dialog.getByRole("button", { name: "Own funds" }));
  await waitFor(() =>
    expect(server.fieldsOf(`POST ${EXPLAIN}`)).toMatchObject([
      { input: { day: "2026-11-20", item: "line:1", amount: "100000", reason: "Top-up", own: true } },
    ]),
  );
});

test("a closed day says whether its own funds are booked, and one of an earlier release says nothing of them", async () => {
  const own_funds = [{ account: "1234567890", total: "70000", booked: false }];
  const closed = { state: "closed" as const, closed_at: "2026-11-21T09:00:00.000+00:00", closed_by: "bola" };
  shows({ ...closed, own_funds });
  const first = showDay();
  expect(await screen.findByRole("row", { name: "Own funds in our ledger Not booked yet" })).toBeTruthy();
  first.unmount();
  queryClient.clear();
  shows(closed);
  showDay();
  await screen.findByText(/^Closed by bola/);
  expect(screen.queryByText("Own funds in our ledger")).toBeNull();
});
