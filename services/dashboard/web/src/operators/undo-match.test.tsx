import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { keepInMemory } from "../../test/browser-database.ts";
import { showDay } from "../../test/day.tsx";
import { useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import type { Read } from "./api.ts";
import { makeKey } from "./browser-key.ts";

const server = useServer();

type Sheet = Read<"days/:day">;
const ITEM = { account: "1234567890", amount: "0", settled: true, reason: null, explained_by: null };
const MATCHED: Sheet["items"] = [
  { ...ITEM, key: "match:3", class: "by_hand", what: "FROM ADA", matched_by: "ngozi" },
  {
    ...ITEM,
    key: "match:4",
    class: "different_amount",
    amount: "20",
    settled: false,
    what: "FROM CHIDI",
    matched_by: "ngozi",
  },
  { ...ITEM, key: "match:5", class: "timing", amount: "7", what: "BY ITSELF", matched_by: null },
  // As a sheet of an earlier release.
  { ...ITEM, key: "match:6", class: "timing", amount: "7", what: "BEFORE" },
];
const shows = (sheet: Partial<Sheet>) =>
  server.answers("GET", "days/2026-11-20", () => ({
    ...{
      day: "2026-11-20",
      state: "open",
      closed_at: null,
      closed_by: null,
      accounts: [],
      settled: [],
      blocked_by: null,
    },
    ...{ ledger: { opening: "0", closing: "0" }, difference: "0", items_total: 4, items: MATCHED, ...sheet },
  }));

test("a match by hand is undone with a reason, and no other one; the refusal is shown, and the page says who matched it", async () => {
  keepInMemory();
  await makeKey();
  shows({});
  const { user } = showDay();
  const buttons = await screen.findAllByRole("button", { name: "Undo match" });
  expect(buttons).toHaveLength(2);
  await user.click(buttons[0] as HTMLElement);
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText(/What ngozi matched by hand is open again/);
  await user.type(dialog.getByLabelText("Reason"), "Another payer's");
  const UNDO = "acts/statements.match.undo";
  server.refuses("POST", UNDO, { status: 409, code: "conflict", detail: "The day is closed: reopen it first." });
  await user.click(dialog.getByRole("button", { name: "Undo match" }));
  await dialog.findByText("The day is closed: reopen it first.");
  server.answers("POST", UNDO, () => ({ is_undone: true }));
  await user.click(dialog.getByRole("button", { name: "Undo match" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.fieldsOf(`POST ${UNDO}`).map(({ input }) => input)).toEqual(
    Array.from({ length: 2 }, () => ({ match: "3", reason: "Another payer's" })),
  );
});

test("on a closed day no match is undone", async () => {
  queryClient.clear();
  shows({ state: "closed", closed_at: "2026-11-21T08:00:00.000Z", closed_by: "bola" });
  showDay();
  await screen.findByText(/^Closed by bola/);
  expect(screen.queryByRole("button", { name: "Undo match" })).toBeNull();
});
