import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { PayoutLimitsPage } from "./payout-limits-page.tsx";

const server = useServer();
const NONE = { transfer_max: null, day_max: null, approval_above: null };
const current = (given: object = {}) => ({
  merchant_id: MERCHANT,
  limits: { transfer_max: 500_000, day_max: 1_000_000_000, approval_above: null },
  operator: { transfer_max: 100_000_000, day_max: 1_000_000_000, approval_above: null },
  merchant: { ...NONE, transfer_max: 500_000 },
  upcoming: null,
  ordered_today: { test: 0, live: 1_250.5 },
  ...given,
});

test("an owner sees what applies and sets limits; an empty field is no limit", async () => {
  server.reads("payout-limits", current(), "live");
  server.acts("payout-limits", current(), "live");
  const { user } = showPage(<PayoutLimitsPage />, { scope: { mode: "live" } });
  await screen.findByText("₦500,000.00");
  screen.getByText("₦1,250.50");
  await user.clear(screen.getByLabelText("Largest transfer"));
  await user.type(screen.getByLabelText("Approval above"), "20000");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(server.fieldsOf(`POST m/${MERCHANT}/live/payout-limits`)).toEqual([
      { transfer_max: null, day_max: null, approval_above: 20_000 },
    ]),
  );
});

test("a change that allows more is announced with its time, and with how to cancel it", async () => {
  server.reads("payout-limits", current({ upcoming: { ...NONE, effective_at: "2026-11-23T09:30:00.000+00:00" } }));
  showPage(<PayoutLimitsPage />, { scope: { role: "finance" } });
  await screen.findByText("A change takes effect soon");
  await screen.findByText(/^From/);
  expect(screen.getByRole("status").textContent).toContain("From 23 Nov 2026, 10:30:00 WAT: no limit per transfer");
  await screen.findByText(/save the current limits again to cancel it/);
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
});
