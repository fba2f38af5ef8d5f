import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showDay } from "../../test/day.tsx";
import { useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import type { Read } from "./api.ts";

const server = useServer();

type Sheet = Read<"days/:day">;
const ITEM = { account: "1234567890", settled: false, reason: null, explained_by: null, what: "FROM ADA" };
const ACCOUNT = {
  ...{ number: "1234567890", bank: "058", opening: "0", in: "0", out: "0", charges: "-5250", closing: "-5250" },
  ...{ lines: 1, matched: 0 },
};
const OPEN: Sheet = {
  ...{ day: "2026-11-20", state: "open", closed_at: null, closed_by: null, accounts: [ACCOUNT], settled: [] },
  ...{ ledger: { opening: "0", closing: "54" }, difference: "-54", items_total: 0, items: [], blocked_by: null },
};
const shows = (sheet: Partial<Sheet>) => server.answers("GET", "days/2026-11-20", () => ({ ...OPEN, ...sheet }));

test("what the bank may have kept of a credit can be said to be its charge, and a closed day says whether that is booked", async () => {
  const item = { ...ITEM, class: "different_amount" as const, amount: "-54" };
  shows({
    items_total: 3,
    items: [
      { ...item, key: "match:1", charge: "-54" },
      { ...item, key: "match:2", charge: null },
      { ...item, key: "match:3", charge: "-54", is_charge: true, reason: "its tariff", explained_by: "ada" },
    ],
  });
  const first = showDay();
  expect(await screen.findAllByRole("button", { name: "Bank charge" })).toHaveLength(1);
  expect(screen.getByRole("button", { name: "Different amount: bank charges, all 2" })).toBeTruthy();
  expect(screen.getByText("Bank charge: its tariff (ada)")).toBeTruthy();
  expect(screen.queryByText("Charges in our ledger")).toBeNull();
  first.unmount();
  queryClient.clear();
  const charges = [{ account: "1234567890", total: "5250", booked: false }];
  shows({ state: "closed", closed_at: "2026-11-21T09:00:00.000+00:00", closed_by: "bola", charges });
  showDay();
  expect(await screen.findByRole("row", { name: "Charges in our ledger Not booked yet" })).toBeTruthy();
});
