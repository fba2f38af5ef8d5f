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
const ITEM = { account: "1234567890", settled: false, reason: null, explained_by: null, class: "bank_only" as const };
const OPEN: Sheet = {
  ...{ day: "2026-11-20", state: "open", closed_at: null, closed_by: null, accounts: [], settled: [] },
  ...{ ledger: { opening: "0", closing: "0" }, difference: "0", items_total: 0, items: [], blocked_by: null },
};
const shows = (sheet: Partial<Sheet>) => server.answers("GET", "days/2026-11-20", () => ({ ...OPEN, ...sheet }));

beforeEach(async () => {
  keepInMemory();
  await makeKey();
});

test("the page has the balances as a whole, and of a sheet without them says nothing", async () => {
  shows({ balance: { at_banks: "1500", in_ledger: "1000", difference: "500", timing: "700", unbooked: "-200" } });
  const first = showDay();
  const whole = await screen.findByRole("region", { name: "Balances at the end of the day" });
  expect(whole.textContent).toContain("Timing₦7.00Not booked−₦2.00More at the banks₦5.00");
  first.unmount();
  queryClient.clear();
  shows({});
  showDay();
  await screen.findByText("It can be closed");
  expect(screen.queryByText("Balances at the end of the day")).toBeNull();
});

test("money that reached an account in no match can be a charge that was given back, and is then offered as nothing else", async () => {
  shows({
    items_total: 4,
    items: [
      { ...ITEM, key: "line:1", what: "REVERSED FEE", amount: "5000" },
      { ...ITEM, key: "line:2", what: "SWEEP", amount: "-5000" },
      { ...ITEM, key: "opening:1234567890", what: "the opening balance", amount: "70" },
      {
        ...{ ...ITEM, key: "line:3", what: "REVERSED VAT", amount: "7", charge: "7", is_charge: true, is_refund: true },
        ...{ reason: "Charged twice", explained_by: "ada" },
      },
    ],
  });
  server.answers("POST", EXPLAIN, () => ({}));
  const { user } = showDay();
  expect(await screen.findByText("Charge given back: Charged twice (ada)")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Bank charge" })).toBeNull();
  expect(screen.getAllByRole("link", { name: "Credit it" })).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Charge given back" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Reason"), "Charged twice");
  await user.click(dialog.getByRole("button", { name: "Charge given back" }));
  await waitFor(() =>
    expect(server.fieldsOf(`POST ${EXPLAIN}`)).toMatchObject([
      { input: { day: "2026-11-20", item: "line:1", amount: "5000", reason: "Charged twice", refund: true } },
    ]),
  );
});
