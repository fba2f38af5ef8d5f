import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import type { ReadResponse } from "../../api/calls.ts";
import { FeesPage } from "./fees-page.tsx";

const server = useServer();
const VERIFICATION: ReadResponse<"verification"> = {
  merchant_id: MERCHANT,
  merchant_name: "Ada Stores",
  state: "approved",
  details: { settlement_bank_code: "058", settlement_account_number: "0123456789" },
  settlement_account_name: "ADA STORES LTD",
  settlement_bank_name: "Guaranty Trust Bank",
  reason: null,
  submitted_at: null,
  decided_at: null,
  suspension: null,
};

function terms(verification = VERIFICATION) {
  server.reads("fee", { merchant_id: MERCHANT, basis_points: 125 });
  server.reads("amount-limit", { merchant_id: MERCHANT, amount: 5_000_000 });
  server.reads("keys", {
    merchant_id: MERCHANT,
    name: "Ada Stores",
    verified_at: null,
    suspension: null,
    rate_limits: { accounts: 300, reads: 1_600 },
    created_at: "2026-11-01T10:00:00.000+00:00",
    keys: [],
  });
  server.reads("schedule", { delay_days: 1, at: "06:00", next_at: "2026-11-24T05:00:00.000+00:00" });
  server.reads("verification", verification);
}

test("the fee, the limits and the settlement account of the business are shown", async () => {
  terms();
  showPage(<FeesPage />, { scope: { role: "viewer" } });
  await screen.findByText("1.25%, rounded to the kobo");
  await screen.findByText("₦125.00");
  await screen.findByText("At most ₦5,000,000.00");
  await screen.findByText("1,600 per hour");
  await screen.findByText("The next day at 06:00 Lagos time");
  expect((await screen.findByText(/Guaranty Trust Bank/)).textContent).toBe(
    "Guaranty Trust Bank, account ending in 6789, ADA STORES LTD",
  );
});

test("without a settlement account none is invented, and what one service can't say leaves the rest", async () => {
  terms({ ...VERIFICATION, state: "draft", details: {}, settlement_account_name: null, settlement_bank_name: null });
  server.refuses("GET", `m/${MERCHANT}/test/fee`, { status: 503, code: "service_unavailable", detail: "Not now." });
  showPage(<FeesPage />);
  await screen.findByText("Add it to your verification");
  await screen.findByText("At most ₦5,000,000.00");
  await screen.findByText("Not now.");
});
