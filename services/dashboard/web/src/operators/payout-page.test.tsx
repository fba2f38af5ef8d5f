import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { beforeEach, expect, test } from "vitest";
import { keepInMemory } from "../../test/browser-database.ts";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import type { Read } from "./api.ts";
import { makeKey } from "./browser-key.ts";
import PayoutPage from "./pages/payout-page.tsx";
import ProposalsPage from "./pages/proposals-page.tsx";

const server = useServer();
const [END, REPEAT] = ["acts/payments.payouts.end", "acts/payments.payouts.repeat"];

type Unanswered = Read<"payouts/unanswered">["payouts"][number];
const SENT_AT = "2026-11-20T09:00:00.000+00:00";
const PAYOUT: Unanswered = {
  ...{ merchant_id: "mer_1", reference: "trf_1", partner: "providus", bank_code: "058", account_number: "0123456789" },
  ...{ amount: "250073", sent_at: SENT_AT, approval: null },
};
const lists = (...payouts: Partial<Unanswered>[]) =>
  server.answers("GET", "payouts/unanswered", () => ({ payouts: payouts.map((each) => ({ ...PAYOUT, ...each })) }));

beforeEach(async () => {
  keepInMemory();
  await makeKey();
  lists({});
});

const show = () =>
  showAt(
    "/payouts/trf_1",
    <Routes>
      <Route path="/payouts/:reference" element={<PayoutPage />} />
    </Routes>,
  );
type User = ReturnType<typeof showAt>["user"];

async function open(user: User, name: string) {
  await user.click(await screen.findByRole("button", { name }));
  return within(await screen.findByRole("dialog"));
}

test("a payout ends as paid only with the bank's reference, and is never called failed by leaving something out", async () => {
  server.answers("POST", END, () => ({ reference: "trf_1", status: "success" }));
  const { user } = show();
  const dialog = await open(user, "Say how it ended");
  expect(dialog.getByText(/₦2,500\.73/)).toBeTruthy();
  await user.type(dialog.getByLabelText("How you know"), "Their mail of today");
  const submit = dialog.getByRole("button", { name: "Say how it ended" });
  await user.click(submit);
  await user.selectOptions(dialog.getByLabelText("What the bank says"), "It paid it");
  await user.click(submit);
  expect(server.fieldsOf(`POST ${END}`)).toEqual([]);
  await user.type(dialog.getByLabelText("The bank's reference of it"), "FT1");
  // The bank answers meanwhile: the row is gone, the outcome stays.
  lists();
  await user.click(submit);
  await dialog.findByText("Recorded. The payout ends as success.");
  const input = { merchant_id: "mer_1", reference: "trf_1", sent_at: SENT_AT };
  expect(server.fieldsOf(`POST ${END}`)).toMatchObject([
    { input: { ...input, bank_reference: "FT1", reason: "Their mail of today" } },
  ]);
  await screen.findByText(/^The bank has said how this payout ended/);
});

test("money is returned only where the operator chose so, and waits for a second operator", async () => {
  server.refuses("POST", END, { status: 409, code: "approval_required" });
  const { user } = show();
  const dialog = await open(user, "Say how it ended");
  await user.selectOptions(dialog.getByLabelText("What the bank says"), "It did not execute it, and will not");
  await user.type(dialog.getByLabelText("How you know"), "Their mail of today");
  await user.click(dialog.getByRole("button", { name: "Say how it ended" }));
  await dialog.findByText(/Nothing has happened yet\./);
  expect(server.fieldsOf(`POST ${END}`)).toMatchObject([{ input: { bank_reference: null, sent_at: SENT_AT } }]);
});

test("an act is about the order that was shown: one that was sent again since is not decided about, and a stale one is refused", async () => {
  const { user } = show();
  const dialog = await open(user, "Order it again");
  await user.type(dialog.getByLabelText("Reason"), "They never had it");
  lists({ sent_at: "2026-11-20T10:00:00.000+00:00" });
  await queryClient.invalidateQueries();
  await screen.findByText("It was ordered again");
  expect(screen.queryByRole("button", { name: "Say how it ended", hidden: true })).toBeNull();
  server.refuses("POST", REPEAT, { status: 409, code: "conflict", detail: "This transfer was sent a short time ago." });
  await user.click(dialog.getByRole("button", { name: "Order it again" }));
  await dialog.findByText("This transfer was sent a short time ago.");
  expect(server.fieldsOf(`POST ${REPEAT}`)).toMatchObject([
    { input: { merchant_id: "mer_1", reference: "trf_1", sent_at: SENT_AT, reason: "They never had it" } },
  ]);
});

test("what was never approved here is not ordered again, and nothing is decided about a payout that is answered", async () => {
  lists({ approval: "lost" });
  const { unmount } = show();
  await screen.findByText("Lost in a restore: it was never approved here");
  expect(screen.queryByRole("button", { name: "Order it again" })).toBeNull();
  unmount();
  queryClient.clear();
  lists();
  show();
  await screen.findByText(/Nothing is to be decided about it\.$/);
  await waitFor(() => expect(screen.queryAllByRole("button")).toEqual([]));
});

test("since when the bank has not known a payout is shown before it is decided about, and nothing where the bank does not say so", async () => {
  const row = () => screen.queryByRole("row", { name: /^Not known to the bank Since .*20 Nov.*/ });
  lists({ unknown_since: SENT_AT });
  const { unmount } = show();
  await screen.findByRole("button", { name: "Say how it ended" });
  expect(row()).toBeTruthy();
  unmount();
  // A payments of the release before does not say it.
  for (const unknown_since of [null, undefined]) {
    queryClient.clear();
    lists({ unknown_since });
    const { unmount: leave } = show();
    await screen.findByRole("button", { name: "Say how it ended" });
    expect(screen.queryByText("Not known to the bank")).toBeNull();
    leave();
  }
});

test("the second operator sees which payout is decided about, or that the order is not the one that is listed", async () => {
  const input = {
    merchant_id: "mer_1",
    reference: "trf_1",
    sent_at: SENT_AT,
    bank_reference: null,
    reason: "Their mail",
  };
  server.answers("GET", "proposals", () => ({
    proposals: [
      {
        ...{ proposal_id: "prop_1", state: "waiting", decided_by: null, action: "payout.ended", proposed_by: "dayo" },
        ...{ subject: "payments.payouts.end", body: JSON.stringify(input), proposed_at: SENT_AT, expires_at: SENT_AT },
      },
    ],
  }));
  showAt("/proposals", <ProposalsPage me="efe" />);
  await screen.findByText("₦2,500.73");
  await screen.findByRole("button", { name: "Approve" });
  lists({ sent_at: "2026-11-20T10:00:00.000+00:00" });
  await queryClient.invalidateQueries();
  await screen.findByText(/the payout was ordered again since\.$/);
  expect(screen.queryByText("₦2,500.73")).toBeNull();
});
