import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { useServer } from "../../../test/server.ts";
import { SettlementPanel } from "./settlement-panel.tsx";

const server = useServer();
const AT = "2026-11-21T10:00:00.000+00:00";

function open(totals: { amount: number; fee: number; covered?: number; net: number }) {
  const settlement = { reference: "stl_1", currency: "NGN", cut_off: AT, created_at: AT, mode: "test" } as const;
  const versions = { merchant_id: "mer_1", transaction_id: "txn_1", from_version: 0, to_version: 3 };
  server.reads("settlements/:reference", { ...settlement, ...versions, amount: totals.net, totals });
  server.reads("settlements/:reference/lines", { data: [], next: null });
  showPage(<SettlementPanel />, { at: "settlements/stl_1", path: "settlements/:reference" });
}

test("the sums of a settlement add up to its amount, with what Settled covered of a reversal", async () => {
  open({ amount: -900, fee: -9, covered: 990, net: 99 });
  await screen.findByRole("row", { name: "Payments received −₦900.00" });
  screen.getByRole("row", { name: "Fees ₦9.00" });
  screen.getByRole("row", { name: "Moved back from Settled ₦990.00" });
});

test("nothing is said of what Settled covered where it covered nothing", async () => {
  open({ amount: 100, fee: 1, net: 99 });
  await screen.findByRole("row", { name: "Payments received ₦100.00" });
  expect(screen.queryByText("Moved back from Settled")).toBeNull();
});
