import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { useLine } from "../../test/line.tsx";
import { useServer } from "../../test/server.ts";

/** A line of a bank that can be asked for a transfer. */

const server = useServer();
const REPORT = "acts/accounts.missed_transfer.report";
const { line: LINE, shows, show } = useLine(server);
const OWNER = { merchant_id: "mer_1", account_name: "ACME / CHIDI", customer_reference: null, customer_name: null };

beforeEach(() => {
  server.answers("GET", "account-owner", () => ({ owner: { ...OWNER, is_retired: false } }));
});

const TRANSFER = {
  ...{ bank_transfer_id: "S-1", account_number: "0123456789", amount: "100000", arrived: "99000" },
  ...{ session_id: "000023", payer_name: "CHIDI EZE", paid_at: LINE.paid_at },
};
const answers = (transfer: typeof TRANSFER | null, asked_by = ["bank_transfer_id", "session_id"]) =>
  server.answers("GET", "partner-transfer", () => ({ asked_by, transfer }));

test("what it says of the line's session is shown, and exactly that is signed: nothing is typed", async () => {
  shows({ session_id: "000023" });
  answers(TRANSFER);
  server.answers("POST", REPORT, () => ({ intake_id: "int_1", status: "accepted" }));
  const { user } = show();
  await user.click(await screen.findByRole("button", { name: "Ask the bank" }));
  await screen.findByRole("row", { name: "What the payer sent ₦1,000.00" });
  expect(screen.getByRole("row", { name: "What arrived ₦990.00" })).toBeTruthy();
  expect(server.fieldsOf("GET partner-transfer")).toContainEqual({ bank: "058", session_id: "000023" });
  expect(screen.queryByRole("button", { name: "Credit it" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show who gets it" }));
  await screen.findByRole("link", { name: "Ada Stores" });
  await user.click(await screen.findByRole("button", { name: "Credit it" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Credit it" }));
  await dialog.findByText(/^Credited\./);
  expect(server.fieldsOf(`POST ${REPORT}`)).toMatchObject([
    {
      input: {
        ...{ line: "17", bank_transfer_id: "S-1", account_number: "0123456789", amount: "100000" },
        ...{ payer_name: "CHIDI EZE", paid_at: null },
      },
    },
  ]);
});

test("without a session its ID is asked for, and one that the bank does not know cannot be credited", async () => {
  answers(null);
  const { user } = show();
  const asked = await screen.findByLabelText("Bank's ID of the transfer");
  await user.click(screen.getByRole("button", { name: "Ask the bank" }));
  expect(server.fieldsOf("GET partner-transfer")).toEqual([{ bank: "058" }]);
  await user.type(asked, "x2");
  await user.click(screen.getByRole("button", { name: "Ask the bank" }));
  await screen.findByText("The bank knows no such transfer");
  expect(server.fieldsOf("GET partner-transfer")).toContainEqual({ bank: "058", bank_transfer_id: "x2" });
  expect(screen.queryByRole("button", { name: "Show who gets it" })).toBeNull();
});

test("a transfer of which another amount arrived than the line has is shown with a warning, and cannot be credited", async () => {
  shows({ session_id: "000023" });
  answers({ ...TRANSFER, arrived: "98999" });
  const { user } = show();
  await user.click(await screen.findByRole("button", { name: "Ask the bank" }));
  await screen.findByText("It is another transfer");
  expect(screen.getByRole("row", { name: "What arrived ₦989.99" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show who gets it" })).toBeNull();
});
