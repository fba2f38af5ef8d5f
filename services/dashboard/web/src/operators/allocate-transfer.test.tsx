import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { keepInMemory } from "../../test/browser-database.ts";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import type { Read } from "./api.ts";
import { makeKey } from "./browser-key.ts";
import ProposalsPage from "./pages/proposals-page.tsx";
import TransfersPage from "./pages/transfers-page.tsx";

const server = useServer();
const ALLOCATE = "acts/accounts.transfer.allocate";
const AT = "2026-11-20T09:00:00.000+00:00";
const MONEY = { intake_id: "int_1", mode: "test", account_number: "9999999999" } as const;
const TRANSFER: Read<"received-transfers">["transfers"][number] = {
  ...{ ...MONEY, bank: "providus", bank_transfer_id: "S-1", session_id: null, settlement_id: null },
  ...{ amount: "20000", bank_fee: "0", bank_vat: "0", reversed: "0" },
  ...{ merchant_id: null, customer_reference: null, reference: null },
  ...{ paid_at: AT, received_at: AT, allocated_at: null, completed_at: AT },
};
const INPUT = { intake_id: "int_1", merchant: { id: "mer_1", mode: "test" }, customer_reference: "c" };

beforeEach(async () => {
  keepInMemory();
  await makeKey();
  const unallocated = [{ ...MONEY, amount_kobo: "20000", received_at: AT }];
  server.answers("GET", "exceptions", () => ({ unallocated, quarantined: [], unfinished: [], reversals: [] }));
  server.answers("GET", "received-transfers", () => ({ transfers: [TRANSFER] }));
  server.answers("GET", "merchants/mer_1", () => ({ merchant_id: "mer_1", name: "Ada Stores" }));
  server.answers("POST", ALLOCATE, () => ({ intake_id: "int_1", allocated: true }));
});

test("the name of the merchant whose ID is typed is shown before it is credited, beside the money", async () => {
  const { user } = showAt("/transfers", <TransfersPage />);
  await user.click(await screen.findByRole("button", { name: "Allocate" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByRole("row", { name: "What the payer sent ₦200.00" });
  await user.type(dialog.getByLabelText("Merchant ID"), " mer_1 ");
  await dialog.findByText("Ada Stores");
  await user.type(dialog.getByLabelText("Customer reference (optional)"), "c");
  await user.click(dialog.getByRole("button", { name: "Allocate" }));
  await waitFor(() => expect(server.fieldsOf(`POST ${ALLOCATE}`)).toMatchObject([{ input: INPUT }]));
});

test("the second operator sees the amount and the merchant's name, and approves exactly what was proposed", async () => {
  server.answers("GET", "proposals", () => ({
    proposals: [
      {
        ...{ proposal_id: "prop_1", state: "waiting", decided_by: null, action: "transfer.allocated" },
        ...{ subject: "accounts.transfer.allocate", body: JSON.stringify(INPUT), proposed_by: "dayo" },
        ...{ proposed_at: AT, expires_at: AT },
      },
    ],
  }));
  const { user } = showAt("/proposals", <ProposalsPage me="efe" />);
  await user.click(await screen.findByRole("button", { name: "Approve" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByRole("row", { name: "To be credited Ada Stores" });
  await dialog.findByRole("row", { name: "What the payer sent ₦200.00" });
  expect(server.fieldsOf("GET received-transfers")).toContainEqual({ intake_id: "int_1" });
  await user.click(dialog.getByRole("button", { name: "Approve" }));
  await waitFor(() =>
    expect(server.fieldsOf(`POST ${ALLOCATE}`)).toMatchObject([{ input: INPUT, signature: { proposal: "prop_1" } }]),
  );
});
