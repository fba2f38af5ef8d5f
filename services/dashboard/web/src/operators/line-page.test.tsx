import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { useLine } from "../../test/line.tsx";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import ProposalsPage from "./pages/proposals-page.tsx";

const server = useServer();
const [REPORT, WITHDRAW] = ["acts/accounts.missed_transfer.report", "acts/accounts.missed_transfer.withdraw"];

const { line: LINE, shows, show } = useLine(server);
const OWNER = {
  ...{ merchant_id: "mer_1", account_name: "ACME / CHIDI", customer_reference: "c", customer_name: "Chidi Eze" },
  is_retired: false,
};

beforeEach(() => {
  // Of a bank that cannot be asked.
  server.answers("GET", "partner-transfer", () => ({ asked_by: [], transfer: null }));
  server.answers("GET", "account-owner", () => ({ owner: OWNER }));
});

type User = ReturnType<typeof showAt>["user"];

async function check(user: User, { account = "0123456789" } = {}) {
  await user.type(await screen.findByLabelText("Bank's ID of the transfer"), "S-1 ");
  await user.type(screen.getByLabelText("Account that was paid into"), account);
  const sent = screen.getByLabelText("What the payer sent");
  await user.clear(sent);
  await user.type(sent, "1000.00");
  await user.click(screen.getByRole("button", { name: "Show who gets it" }));
}

async function confirm(user: User) {
  await user.click(await screen.findByRole("button", { name: "Credit it" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Credit it" }));
  return dialog;
}

test("who is credited, with how much, is shown before it can be confirmed, and exactly that is signed", async () => {
  const { user } = show();
  await screen.findByText("FROM CHIDI");
  expect(screen.queryByRole("button", { name: "Credit it" })).toBeNull();
  await check(user);
  await screen.findByRole("link", { name: "Ada Stores" });
  expect(screen.getByText("Chidi Eze").parentElement?.textContent).toBe("Chidi Eze (c)");
  expect(screen.getByText("₦1,000.00").parentElement?.textContent).toBe("₦1,000.00, less our fee");
  expect(screen.getByRole("row", { name: "Kept by the bank ₦10.00" })).toBeTruthy();
  expect(server.fieldsOf("GET account-owner")).toEqual([{ bank: "058", account_number: "0123456789" }]);
  expect(server.fieldsOf(`POST ${REPORT}`)).toEqual([]);
  server.answers("POST", REPORT, () => ({ intake_id: "int_1", status: "accepted" }));
  shows({ is_matched: true });
  const dialog = await confirm(user);
  // Its outcome stays although the line can no longer be offered.
  await dialog.findByText(/^Credited\./);
  await screen.findByText("Matched: our books have it");
  expect(screen.queryByLabelText("Bank's ID of the transfer")).toBeNull();
  expect(server.fieldsOf(`POST ${REPORT}`)).toMatchObject([
    {
      input: {
        ...{ line: "17", bank_transfer_id: "S-1", account_number: "0123456789", amount: "100000" },
        ...{ payer_name: "", paid_at: null },
      },
      signature: { signature: expect.any(String) },
    },
  ]);
});

test("what is changed after it was shown has to be shown again, and no one is shown for another account", async () => {
  const { user } = show();
  await check(user);
  await screen.findByRole("button", { name: "Credit it" });
  await user.type(screen.getByLabelText("Payer's name (optional)"), "C");
  expect(screen.queryByRole("button", { name: "Credit it" })).toBeNull();
  expect(screen.queryByText("Ada Stores")).toBeNull();
  server.answers("GET", "account-owner", () => new Promise(() => {}));
  const account = screen.getByLabelText("Account that was paid into");
  await user.clear(account);
  await user.type(account, "9999999999");
  await user.click(screen.getByRole("button", { name: "Show who gets it" }));
  await waitFor(() => expect(server.fieldsOf("GET account-owner")).toHaveLength(2));
  expect(screen.queryByText("Ada Stores")).toBeNull();
  expect(screen.queryByRole("button", { name: "Credit it" })).toBeNull();
});

test("money for an account without an owner is said to go to suspense; an account number has ten digits", async () => {
  server.answers("GET", "account-owner", () => ({ owner: null }));
  const { user } = show();
  await check(user, { account: "123" });
  expect(server.fieldsOf("GET account-owner")).toEqual([]);
  await user.type(screen.getByLabelText("Account that was paid into"), "4567890");
  await user.click(screen.getByRole("button", { name: "Show who gets it" }));
  await screen.findByText("No merchant has account 1234567890 at 058");
  server.answers("POST", REPORT, () => ({ intake_id: "int_1", status: "unallocated" }));
  const dialog = await confirm(user);
  await dialog.findByText(/^It is in suspense/);
});

test("a line that was matched or offered meanwhile is refused in the dialog, and nothing is offered for what is matched or was debited", async () => {
  server.refuses("POST", REPORT, {
    status: 409,
    code: "conflict",
    detail: "The line is matched: the money is with us.",
  });
  const { user, unmount } = show();
  await check(user);
  const dialog = await confirm(user);
  expect((await dialog.findByRole("alert")).textContent).toBe("The line is matched: the money is with us.");
  unmount();
  for (const other of [{ is_matched: true }, { amount: "-99000" }]) {
    queryClient.clear();
    shows(other);
    const shown = show();
    await screen.findByText("FROM CHIDI");
    expect(screen.queryByRole("button", { name: "Take back an offer" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Show who gets it" })).toBeNull();
    shown.unmount();
  }
});

test("without a session ID the time is asked for, in Lagos time", async () => {
  shows({ paid_at: null });
  server.answers("POST", REPORT, () => ({ intake_id: "int_1", status: "quarantined" }));
  const { user } = show();
  await check(user);
  expect(server.fieldsOf("GET account-owner")).toEqual([]);
  await user.type(screen.getByLabelText("Paid at, in Lagos time"), "2026-11-20T00:30");
  await user.click(screen.getByRole("button", { name: "Show who gets it" }));
  const dialog = await confirm(user);
  await dialog.findByText(/^Not credited: .+ Take the offer back/);
  expect(server.fieldsOf(`POST ${REPORT}`)).toMatchObject([{ input: { paid_at: "2026-11-19T23:30:00.000Z" } }]);
});

test("a double click credits once", async () => {
  let answer = (_body: object) => {};
  server.answers("POST", REPORT, () => new Promise((resolve) => (answer = resolve)));
  const { user } = show();
  await check(user);
  await user.click(await screen.findByRole("button", { name: "Credit it" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.dblClick(dialog.getByRole("button", { name: "Credit it" }));
  await waitFor(() => expect(server.fieldsOf(`POST ${REPORT}`)).toHaveLength(1));
  answer({ intake_id: "int_1", status: "duplicate" });
  await dialog.findByText("It was credited under this ID before. Nothing has changed.");
  expect(server.fieldsOf(`POST ${REPORT}`)).toHaveLength(1);
});

test("an offer is taken back under its ID and with a reason; one that credited something is not", async () => {
  server.refuses("POST", WITHDRAW, { status: 409, code: "conflict", detail: "It was credited under this id." });
  const { user } = show();
  await user.click(await screen.findByRole("button", { name: "Take back an offer" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Bank's ID that it was offered under"), "S-2");
  await user.type(dialog.getByLabelText("Reason"), "A digit was wrong");
  await user.click(dialog.getByRole("button", { name: "Take back an offer" }));
  await dialog.findByText("It was credited under this id.");
  server.answers("POST", WITHDRAW, () => ({}));
  await user.click(dialog.getByRole("button", { name: "Take back an offer" }));
  await dialog.findByText(/^Taken back\./);
  expect(server.fieldsOf(`POST ${WITHDRAW}`)).toMatchObject([
    { input: { line: "17", bank_transfer_id: "S-2", reason: "A digit was wrong" } },
    { input: { line: "17", bank_transfer_id: "S-2", reason: "A digit was wrong" } },
  ]);
});

test("the second operator sees who would be credited, and approves exactly what was proposed", async () => {
  const offer = {
    ...{ line: "17", bank_transfer_id: "S-1", account_number: "0123456789", amount: "99000" },
    ...{ payer_name: "", paid_at: null },
  };
  const body = JSON.stringify(offer);
  server.answers("GET", "proposals", () => ({
    proposals: [
      {
        ...{ proposal_id: "prop_1", state: "waiting", decided_by: null, action: "transfer.reported", body },
        ...{ subject: "accounts.missed_transfer.report", proposed_by: "dayo", proposed_at: LINE.paid_at },
        expires_at: LINE.paid_at,
      },
    ],
  }));
  server.answers("POST", REPORT, () => ({ intake_id: "int_1", status: "accepted" }));
  const { user } = showAt("/proposals", <ProposalsPage me="efe" />);
  await screen.findByRole("link", { name: "Ada Stores" });
  await user.click(screen.getByRole("button", { name: "Approve" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByRole("link", { name: "Ada Stores" });
  await user.click(dialog.getByRole("button", { name: "Approve" }));
  await waitFor(() =>
    expect(server.fieldsOf(`POST ${REPORT}`)).toMatchObject([{ input: offer, signature: { proposal: "prop_1" } }]),
  );
});

test("a line that is kept for a payout or for a reversal says for what, and only an incoming one is offered", async () => {
  const offer = { bank_transfer_id: "trf_1", account_number: "0123456789", amount: "99000", is_return: true };
  const offered_at = "2026-11-21T09:00:00.000+00:00";
  shows({ is_matched: true, offer: { ...offer, offered_at } });
  show();
  await screen.findByText(/The return of the payout trf_1/);
  queryClient.clear();
  const taken = { ...offer, bank_transfer_id: "line:17", is_reversal: true, offered_at };
  shows({ amount: "-99000", offer: taken });
  show();
  const text = await screen.findByText(/A credit that the bank took back/);
  expect(text.textContent).toContain("₦990.00 of a transfer into 0123456789");
  expect(screen.queryByLabelText("Bank's ID of the transfer")).toBeNull();
});

test("a line that is our own money is shown as that, and is credited to nobody", async () => {
  shows({ is_own: true });
  show();
  await screen.findByText("Our own money or a charge given back, by a reason on its day");
  expect(screen.queryByLabelText("Bank's ID of the transfer")).toBeNull();
});
