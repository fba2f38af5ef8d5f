import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { useLine } from "../../test/line.tsx";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import type { Read } from "./api.ts";
import ProposalsPage from "./pages/proposals-page.tsx";

const server = useServer();
const REVERSE = "acts/accounts.missed_reversal.report";
const [FIND, BANK] = ["GET received-transfers", "providus"];

const { shows, show } = useLine(server, { bank: BANK, amount: "-99000", narration: "RVSL", paid_at: null });
type Transfer = Read<"received-transfers">["transfers"][number];
const TRANSFER: Transfer = {
  ...{ intake_id: "int_1", mode: "live", bank: BANK, bank_transfer_id: "S-1", account_number: "0123456789" },
  ...{ amount: "100000", bank_fee: "900", bank_vat: "100", reversed: "0", session_id: null, settlement_id: null },
  ...{ merchant_id: "mer_1", customer_reference: "chidi", reference: "col_1" },
  ...{ paid_at: "2026-11-20T09:00:00.000+00:00", received_at: "2026-11-20T09:00:01.000+00:00" },
  ...{ allocated_at: null, completed_at: "2026-11-20T09:00:02.000+00:00" },
};
const finds = (...transfers: Partial<Transfer>[]) =>
  server.answers("GET", "received-transfers", () => ({
    transfers: transfers.map((transfer) => ({ ...TRANSFER, ...transfer })),
  }));

type Payout = Read<"lines/:line/payout">["payout"];
const PAYOUT: NonNullable<Payout> = {
  ...{
    merchant_id: "mer_1",
    reference: "trf_1",
    account_number: "0123456789",
    status: "failed",
    named_by: "beneficiary",
  },
};
const isPayout = (payout: Payout) => server.answers("GET", "lines/17/payout", () => ({ payout }));

beforeEach(() => {
  finds({});
  isPayout(null);
});

type User = ReturnType<typeof showAt>["user"];

async function find(user: User, id: string) {
  await user.type(await screen.findByLabelText("ID of the transfer"), id);
  await user.click(screen.getByRole("button", { name: "Show whose it is" }));
}

async function reverse(user: User, amount?: string) {
  await user.click(await screen.findByRole("button", { name: "Reverse it" }));
  const dialog = within(await screen.findByRole("dialog"));
  const taken = dialog.getByLabelText("What is taken back of the transfer");
  if (amount !== undefined) {
    await user.clear(taken);
    await user.type(taken, amount);
  }
  await user.type(dialog.getByLabelText("How you know that it is this transfer"), "The bank's mail");
  await user.click(dialog.getByRole("button", { name: "Reverse it" }));
  return dialog;
}

test("from whom the bank's debit is taken is shown before it can be confirmed, and the line's amount is what is taken", async () => {
  const { user } = show();
  await screen.findByText("RVSL");
  expect(screen.queryByRole("button", { name: "Reverse it" })).toBeNull();
  await find(user, " int_1");
  await screen.findByRole("link", { name: "Ada Stores" });
  expect(screen.getByRole("row", { name: "Kept by the bank ₦10.00" })).toBeTruthy();
  expect(server.fieldsOf(FIND)).toEqual([{ intake_id: "int_1" }]);
  server.answers("POST", REVERSE, () => ({ reversal_id: "int_2", status: "accepted" }));
  shows({ is_matched: true });
  const dialog = await reverse(user);
  // Its outcome stays although the line can no longer be taken.
  await dialog.findByText(/^Taken back\. Within a minute/);
  await screen.findByText("Matched: our books have it");
  expect(screen.queryByLabelText("ID of the transfer")).toBeNull();
  expect(server.fieldsOf(`POST ${REVERSE}`)).toMatchObject([
    {
      input: { line: "17", intake_id: "int_1", amount: "99000", reason: "The bank's mail" },
      signature: { signature: expect.any(String) },
    },
  ]);
});

test("a refusal is said once, and another amount is sent once the operator gives it", async () => {
  const message = "The line takes back ₦1,000.00 of the transfer.";
  server.refuses("POST", REVERSE, {
    ...{ status: 400, code: "validation_failed", detail: message },
    errors: [{ param: "amount", code: "amount_differs", message: "is ₦1,000.00" }],
  });
  const { user } = show();
  await find(user, "S-1");
  expect(await screen.findByText("S-1 at providus")).toBeTruthy();
  expect(server.fieldsOf(FIND)).toEqual([{ bank: BANK, bank_transfer_id: "S-1" }]);
  const dialog = await reverse(user);
  expect((await dialog.findByRole("alert")).textContent).toBe(`${message}amount is ₦1,000.00`);
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const used = "The line has taken another transfer back.";
  server.refuses("POST", REVERSE, {
    ...{ status: 409, code: "conflict", detail: used },
    errors: [{ param: "line", code: "line_is_used", message: used }],
  });
  const again = await reverse(user, "1000.00");
  again.getByText(/₦1,000\.00/);
  expect((await again.findByRole("alert")).textContent).toBe(used);
  expect(server.fieldsOf(`POST ${REVERSE}`)).toMatchObject([
    { input: { amount: "99000" } },
    { input: { amount: "100000" } },
  ]);
});

test("the line's session finds the transfer; none, several and one in test mode are not reversed, and one in suspense says so", async () => {
  shows({ session_id: "0".repeat(30) });
  finds({ merchant_id: null, reference: null });
  const { user } = show();
  await user.click(await screen.findByRole("button", { name: "Show whose it is" }));
  await screen.findByText("None: it is in suspense");
  await screen.findByRole("button", { name: "Reverse it" });
  expect(server.fieldsOf(FIND)).toEqual([{ bank: BANK, session_id: "0".repeat(30) }]);
  const refusals: [string, Partial<Transfer>[]][] = [
    ["There is no such live transfer", []],
    ["There is no such live transfer", [{ mode: "test" }]],
    ["Several transfers have this session", [{}, { intake_id: "int_2" }]],
  ];
  const id = screen.getByLabelText("ID of the transfer (optional)");
  for (const [index, [title, found]] of refusals.entries()) {
    finds(...found);
    await user.type(id, `x${index}`);
    expect(screen.queryByRole("button", { name: "Reverse it" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Show whose it is" }));
    await screen.findByText(title);
    expect(screen.queryByRole("button", { name: "Reverse it" })).toBeNull();
  }
});

const findsPayout = () =>
  server.answers("GET", "payouts/find", () => ({
    payout: {
      ...{ merchant_id: "mer_1", reference: "trf_1", partner: BANK, bank_code: "058", account_number: "0123456789" },
      ...{ amount: "99000", status: "failed", ordered_at: TRANSFER.paid_at },
    },
  }));

test("a line that names a payout reverses nothing, and the payout and its merchant are shown", async () => {
  isPayout({ ...PAYOUT, named_by: "reference" });
  findsPayout();
  show();
  await screen.findByText("The line is a payout, and takes nothing back");
  await screen.findByRole("row", { name: "Payout trf_1" });
  await screen.findByRole("row", { name: "State Failed" });
  expect(screen.queryByRole("button", { name: "Show whose it is" })).toBeNull();
});

test("a line that may be a payout is refused until the operator confirms that it is not that one", async () => {
  isPayout(PAYOUT);
  findsPayout();
  const detail = "The line has the amount and the account of our payout trf_1, which has failed.";
  server.refuses("POST", REVERSE, {
    ...{ status: 409, code: "conflict", detail },
    errors: [{ param: "line", code: "line_may_be_payout", message: detail }],
  });
  const { user } = show();
  await screen.findByText("The line may be a payout that the bank executed late");
  await find(user, "int_1");
  const dialog = await reverse(user);
  expect((await dialog.findByRole("alert")).textContent).toBe(detail);
  server.answers("POST", REVERSE, () => ({ reversal_id: "int_2", status: "accepted" }));
  await user.click(dialog.getByLabelText("The bank's staff confirm that the line is not the payout trf_1"));
  await user.click(dialog.getByRole("button", { name: "Reverse it" }));
  await dialog.findByText(/^Taken back\. Within a minute/);
  const [first, second] = server.fieldsOf(`POST ${REVERSE}`).map((fields) => Object(fields).input);
  expect(first).not.toHaveProperty("despite_payouts");
  expect(second).toMatchObject({ intake_id: "int_1", despite_payouts: ["trf_1"] });
});

test("nothing is reversed before it is known whether the line is a payout", async () => {
  server.refuses("GET", "lines/17/payout", { status: 503, code: "service_unavailable" });
  const { user } = show();
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(screen.queryByRole("button", { name: "Show whose it is" })).toBeNull();
  isPayout(null);
  await user.click(again);
  await screen.findByRole("button", { name: "Show whose it is" });
});

test("nothing is reversed with a line that is matched, or that came in", async () => {
  shows({ is_matched: true });
  const { unmount } = show();
  await screen.findByText("RVSL");
  expect(screen.queryByRole("button", { name: "Show whose it is" })).toBeNull();
  expect(screen.queryByText("Reverse a transfer")).toBeNull();
  unmount();
  queryClient.clear();
  shows({ amount: "99000" });
  server.answers("GET", "partner-transfer", () => ({ asked_by: [], transfer: null }));
  show();
  await screen.findByText("Return a payout to its merchant");
  expect(screen.queryByRole("button", { name: "Show whose it is" })).toBeNull();
});

test("the second operator sees the line and from whom it would be taken, and approves exactly what was proposed", async () => {
  const input = { line: "17", intake_id: "int_1", amount: "99000", reason: "The bank's mail" };
  server.answers("GET", "proposals", () => ({
    proposals: [
      {
        ...{ proposal_id: "prop_1", state: "waiting", decided_by: null, action: "reversal.reported" },
        ...{ subject: "accounts.missed_reversal.report", body: JSON.stringify(input), proposed_by: "dayo" },
        ...{ proposed_at: TRANSFER.paid_at, expires_at: TRANSFER.paid_at },
      },
    ],
  }));
  server.answers("POST", REVERSE, () => ({ reversal_id: "int_2", status: "accepted" }));
  const { user } = showAt("/proposals", <ProposalsPage me="efe" />);
  await user.click(await screen.findByRole("button", { name: "Approve" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByRole("link", { name: "Ada Stores" });
  await dialog.findByText("RVSL");
  expect(dialog.getByRole("row", { name: "To be taken back ₦990.00" })).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Approve" }));
  await waitFor(() =>
    expect(server.fieldsOf(`POST ${REVERSE}`)).toMatchObject([{ input, signature: { proposal: "prop_1" } }]),
  );
});
