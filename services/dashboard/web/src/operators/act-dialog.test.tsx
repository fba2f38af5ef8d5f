import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { beforeEach, expect, test } from "vitest";
import { keepInMemory } from "../../test/browser-database.ts";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import { makeKey } from "./browser-key.ts";
import DeadLettersPage from "./pages/dead-letters-page.tsx";
import MerchantPage from "./pages/merchant-page.tsx";
import ProposalsPage from "./pages/proposals-page.tsx";
import TransfersPage from "./pages/transfers-page.tsx";

const server = useServer();
const AT = "2026-11-20T12:00:00.000Z";
const SUSPEND = "acts/gateway.merchant.suspend";
const SUSPENSION = { reason: "Chargebacks", since: AT };

beforeEach(async () => {
  keepInMemory();
  await makeKey();
  server.answers("GET", "audit", () => ({ data: [], next: null }));
  showsMerchant(null);
});

function showsMerchant(suspension: object | null): void {
  server.answers("GET", "merchants/mer_1", () => ({
    ...{ merchant_id: "mer_1", name: "Ada Stores", suspension, verified_at: AT, created_at: AT, keys: [] },
    rate_limits: { accounts: 1_000, reads: 1_000_000 },
  }));
}

const show = () =>
  showAt(
    "/merchants/mer_1",
    <Routes>
      <Route path="/merchants/:id" element={<MerchantPage />} />
    </Routes>,
  );

async function openDialog(user: ReturnType<typeof showAt>["user"]) {
  await user.click(await screen.findByRole("button", { name: "Suspend" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Reason (shown to the merchant)"), "Chargebacks");
  return dialog;
}

async function suspend(user: ReturnType<typeof showAt>["user"]) {
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole("button", { name: "Suspend" }));
  return dialog;
}

test("a suspension that fails after the merchant was suspended stays one: pressing again never resumes", async () => {
  server.answers("POST", SUSPEND, (_sent, response) => {
    showsMerchant(SUSPENSION);
    response.statusCode = 503;
    return { code: "service_unavailable", detail: "Payments did not answer." };
  });
  const { user } = show();
  const dialog = await suspend(user);
  expect((await dialog.findByRole("alert")).textContent).toBe("Payments did not answer.");
  await screen.findByRole("button", { name: "Resume" });
  expect(dialog.queryByRole("button", { name: "Resume" })).toBeNull();

  server.answers("POST", SUSPEND, () => ({ payouts_in_flight: 2 }));
  await user.click(dialog.getByRole("button", { name: "Suspend" }));
  await dialog.findByText(/the bank has not answered yet: 2/);
  expect(server.fieldsOf(`POST ${SUSPEND}`)).toHaveLength(2);
});

test("while a second operator suspends, an open dialog keeps what it was opened for", async () => {
  const { user } = show();
  const dialog = await openDialog(user);
  showsMerchant(SUSPENSION);
  await queryClient.invalidateQueries();
  await screen.findByRole("button", { name: "Resume" });
  expect(dialog.getByRole("button", { name: "Suspend" })).toBeTruthy();
});

test("a dialog cannot be left before its outcome is known, and a click beside it never drops a reason", async () => {
  let answer = (_body: object) => {};
  server.answers("POST", SUSPEND, () => new Promise((resolve) => (answer = resolve)));
  const { user, address } = show();
  const dialog = await openDialog(user);
  await user.click(document.querySelector(".mantine-Modal-overlay") ?? document.body);
  expect(screen.getByText("Chargebacks")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Suspend" }));
  await waitFor(() => expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Cancel" }).disabled).toBe(true));
  await user.keyboard("{Escape}");
  expect(address()).toBe("/merchants/mer_1");
  await waitFor(() => expect(server.fieldsOf(`POST ${SUSPEND}`)).toHaveLength(1));
  answer({ payouts_in_flight: 0 });
  await dialog.findByText("Suspended. No payout can be sent anymore.");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("an act that waits for a second operator says so until it is closed, with the way to the proposals", async () => {
  server.refuses("POST", SUSPEND, { status: 409, code: "approval_required" });
  const { user } = show();
  const dialog = await suspend(user);
  expect((await dialog.findByRole("link", { name: "proposals" })).getAttribute("href")).toBe("/proposals");
  expect(dialog.getAllByRole("button", { name: "Close" }).length).toBeGreaterThan(0);
});

const proposed = (state: string, decided_by: string | null = null) => ({
  proposals: [
    {
      ...{ proposal_id: "prop_1", state, decided_by, action: "fee.set", subject: "gateway.merchant.suspend" },
      ...{ body: '{"merchant":{"id":"mer_1","mode":"live"},"basis_points":150}', proposed_by: "dayo" },
      ...{ proposed_at: AT, expires_at: AT },
    },
  ],
});

test("an approval is confirmed, and one that fails says so beside its approved proposal", async () => {
  server.answers("GET", "proposals", () => proposed("waiting"));
  server.answers("POST", SUSPEND, (_sent, response) => {
    server.answers("GET", "proposals", () => proposed("approved", "efe"));
    response.statusCode = 409;
    return { code: "conflict", detail: "The fee can't be set now." };
  });
  const { user } = showAt("/proposals", <ProposalsPage me="efe" />);
  await screen.findByText("Proposed: set the fee");
  expect(screen.getByRole("link").getAttribute("href")).toBe("/merchants/mer_1");
  await user.click(screen.getByRole("button", { name: "Approve" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(server.fieldsOf(`POST ${SUSPEND}`)).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Approve" }));
  await dialog.findByText("The fee can't be set now.");
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await screen.findByText(/; approved by efe/);
  expect(screen.getByRole("alert").textContent).toBe("The fee can't be set now.");
});

test("a canceled proposal is called so", async () => {
  server.answers("GET", "proposals", () => proposed("cancelled", "dayo"));
  showAt("/proposals", <ProposalsPage me="efe" />);
  await screen.findByText("Canceled");
  await screen.findByText(/; canceled by dayo/);
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
});

test("nothing is called empty while a service has not answered", async () => {
  server.answers("GET", "dead-letters", () => ({ dead_letters: [], silent: ["ledger"] }));
  showAt("/dead-letters", <DeadLettersPage />);
  await screen.findByText("No answer from ledger.");
  expect(screen.queryByText("No dead letters.")).toBeNull();
  server.answers("GET", "dead-letters", () => ({ dead_letters: [], silent: [] }));
  await queryClient.invalidateQueries();
  await screen.findByText("No dead letters.");
});

test("a page whose one read fails says it once", async () => {
  server.refuses("GET", "exceptions", { status: 403, code: "role_required" });
  showAt("/transfers", <TransfersPage />);
  expect(await screen.findAllByRole("alert")).toHaveLength(1);
});
