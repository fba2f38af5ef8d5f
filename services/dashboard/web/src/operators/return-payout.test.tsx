import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { useLine } from "../../test/line.tsx";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import ProposalsPage from "./pages/proposals-page.tsx";

const server = useServer();
const [RETURN, TAKE_BACK] = ["acts/payments.payouts.return", "acts/payments.payouts.take_back_return"];

const { shows, show } = useLine(server, { bank: "providus", narration: "RTN TRF", paid_at: null });

beforeEach(() => {
  server.answers("GET", "partner-transfer", () => ({ asked_by: [], transfer: null }));
  finds({});
});

const PAYOUT = {
  ...{ merchant_id: "mer_1", reference: "trf_1", partner: "providus", bank_code: "058", account_number: "0123456789" },
  ...{ amount: "99000", status: "success", ordered_at: "2026-11-19T09:00:00.000+00:00" },
} as const;
const finds = (payout: object | null) =>
  server.answers("GET", "payouts/find", () => ({ payout: payout && { ...PAYOUT, ...payout } }));
type User = ReturnType<typeof showAt>["user"];

async function find(user: User, id: string) {
  const field = await screen.findByLabelText("Payout's ID");
  await user.clear(field);
  await user.type(field, id);
  await user.click(screen.getByRole("button", { name: "Show the payout" }));
}

async function begin(user: User, name: string) {
  await user.click(await screen.findByRole("button", { name }));
  return within(await screen.findByRole("dialog"));
}

test("whose payout came back is shown before it is returned with the line, and a refusal returns nothing", async () => {
  const detail = "The line is not an incoming one of exactly the amount of the payout.";
  server.refuses("POST", RETURN, { status: 400, code: "validation_failed", detail });
  const { user } = show();
  await find(user, " trf_1");
  await screen.findByRole("link", { name: "Ada Stores" });
  expect(server.fieldsOf("GET payouts/find")).toEqual([{ reference: "trf_1" }]);
  const dialog = await begin(user, "Return the payout");
  expect(dialog.getByText("₦990.00").parentElement?.textContent).toContain(
    "goes back to Ada Stores, whose payout trf_1",
  );
  await user.type(dialog.getByLabelText("How you know that it is this payout"), "The bank's mail");
  const confirm = () => user.click(dialog.getByRole("button", { name: "Return the payout" }));
  await confirm();
  expect((await dialog.findByRole("alert")).textContent).toBe(detail);
  server.answers("POST", RETURN, () => ({ reference: "trf_1", status: "reversed" }));
  shows({ is_matched: true });
  await confirm();
  await dialog.findByText(/^The payout is reversed\./);
  await screen.findByText("Matched: our books have it");
  expect(screen.queryByRole("button", { name: "Return the payout" })).toBeNull();
  const input = { merchant_id: "mer_1", reference: "trf_1", line: "17", reason: "The bank's mail" };
  expect(server.fieldsOf(`POST ${RETURN}`)).toMatchObject([
    { input, signature: { signature: expect.any(String) } },
    { input },
  ]);
});

test("a return that was not carried out is taken back under the payout that the line is kept for; a carried out one is not", async () => {
  const offered_at = "2026-11-21T09:00:00.000+00:00";
  const offer = { bank_transfer_id: "trf_1", account_number: "0123456789", amount: "99000", offered_at };
  shows({ offer: { ...offer, is_return: true } });
  const detail = "This transfer came back with this line: that is not taken back.";
  server.refuses("POST", TAKE_BACK, { status: 409, code: "conflict", detail });
  const { user } = show();
  expect((await screen.findByLabelText<HTMLInputElement>("Payout's ID")).value).toBe("trf_1");
  await user.click(screen.getByRole("button", { name: "Show the payout" }));
  const dialog = await begin(user, "Take back the return");
  await user.type(dialog.getByLabelText("Reason"), "Another payout");
  const confirm = () => user.click(dialog.getByRole("button", { name: "Take back the return" }));
  await confirm();
  expect((await dialog.findByRole("alert")).textContent).toBe(detail);
  server.answers("POST", TAKE_BACK, () => ({ reference: "trf_1", status: "success" }));
  shows();
  await confirm();
  await dialog.findByText("Taken back. The payout is success, and the line is not kept for it.");
  const input = { merchant_id: "mer_1", reference: "trf_1", line: "17", reason: "Another payout" };
  expect(server.fieldsOf(`POST ${TAKE_BACK}`)).toMatchObject([{ input }, { input }]);
});

test("a payout of another amount, and none, is not returned; what was begun of it is still taken back", async () => {
  finds({ amount: "98000" });
  const { user } = show();
  await find(user, "trf_1");
  await screen.findByText("It is another payout");
  expect(screen.queryByRole("button", { name: "Return the payout" })).toBeNull();
  await screen.findByRole("button", { name: "Take back the return" });
  finds(null);
  await find(user, "trf_2");
  await screen.findByText("There is no such live payout");
  expect(screen.queryByRole("button", { name: "Take back the return" })).toBeNull();
});

test("the payout that a line is kept for is not offered as the bank's ID of a transfer", async () => {
  const offered_at = "2026-11-21T09:00:00.000+00:00";
  const offer = { bank_transfer_id: "trf_1", account_number: "0123456789", amount: "99000", offered_at };
  shows({ offer: { ...offer, is_return: true } });
  const { user } = show();
  const dialog = await begin(user, "Take back an offer");
  expect(dialog.getByLabelText<HTMLInputElement>("Bank's ID that it was offered under").value).toBe("");
});

test("no payout is returned with a line that is matched, or with money that left", async () => {
  shows({ is_matched: true });
  const { unmount } = show();
  await screen.findByText("RTN TRF");
  expect(screen.queryByText("Return a payout to its merchant")).toBeNull();
  unmount();
  queryClient.clear();
  shows({ amount: "-99000" });
  show();
  await screen.findByText("Reverse a transfer");
  expect(screen.queryByText("Return a payout to its merchant")).toBeNull();
});

test.each([
  ["payments.payouts.return", "payout.returned", RETURN],
  ["payments.payouts.take_back_return", "payout.return_taken_back", TAKE_BACK],
])(
  "the second operator sees line and payout of %s, and approves exactly what was proposed",
  async (subject, action, act) => {
    const input = { merchant_id: "mer_1", reference: "trf_1", line: "17", reason: "The bank's mail" };
    const at = "2026-11-21T09:00:00.000+00:00";
    server.answers("GET", "proposals", () => ({
      proposals: [
        {
          ...{ proposal_id: "prop_1", state: "waiting", decided_by: null, action, subject },
          ...{ body: JSON.stringify(input), proposed_by: "dayo", proposed_at: at, expires_at: at },
        },
      ],
    }));
    server.answers("POST", act, () => ({ reference: "trf_1", status: "reversed" }));
    const { user } = showAt("/proposals", <ProposalsPage me="efe" />);
    await user.click(await screen.findByRole("button", { name: "Approve" }));
    const dialog = within(await screen.findByRole("dialog"));
    await dialog.findByText("RTN TRF");
    await dialog.findByRole("link", { name: "Ada Stores" });
    await user.click(dialog.getByRole("button", { name: "Approve" }));
    await waitFor(() =>
      expect(server.fieldsOf(`POST ${act}`)).toMatchObject([{ input, signature: { proposal: "prop_1" } }]),
    );
  },
);
