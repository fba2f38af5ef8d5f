import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { ME, showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { InboxCount } from "../inbox/inbox-count.tsx";
import { ApproveTransfer } from "./approve-transfer.tsx";
import type { TransferTimeline } from "./transfer-steps.ts";

const server = useServer();
const AT = "2026-11-21T09:30:00.000+00:00";

const member = (user_id: string) => ({ kind: "member" as const, user_id, email: `${user_id}@example.com` });

const waiting = (ordered_by: TransferTimeline["ordered_by"]): TransferTimeline => ({
  transfer: {
    reference: "trf_1",
    merchant_reference: "payout-1",
    status: "pending",
    amount: 2_500.5,
    fee: 0,
    currency: "NGN",
    bank_code: "058",
    bank_name: "Guaranty Trust Bank",
    account_number: "0123456789",
    account_name: "NGOZI EZE",
    narration: null,
    failure_code: null,
    failure_reason: null,
    metadata: {},
    mode: "live",
    created_at: AT,
    completed_at: null,
  },
  sent_at: null,
  reversed_at: null,
  held_for: null,
  ordered_by,
  approval: { state: "required", by: null, at: null },
  events: [],
});

const show = (orderer: TransferTimeline["ordered_by"], role: "owner" | "finance" | "developer") =>
  showPage(<ApproveTransfer timeline={waiting(orderer)} />, { scope: { role, mode: "live" } });

test("a second person approves with a button that names the amount, and the Inbox is read again", async () => {
  server.acts("transfers/:reference/approve", { transfer: waiting(member("usr_2")).transfer }, "live");
  server.reads("inbox", { kinds: [] }, "live");
  const waits = waiting(member("usr_2"));
  const page = (
    <>
      <InboxCount />
      <ApproveTransfer timeline={waits} />
    </>
  );
  const { user } = showPage(page, { scope: { role: "finance", mode: "live" } });
  await waitFor(() => expect(server.fieldsOf(`GET m/${MERCHANT}/live/inbox`)).toHaveLength(1));
  await user.click(await screen.findByRole("button", { name: "Approve and send ₦2,500.50" }));
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/live/transfers/trf_1/approve`)).toHaveLength(1));
  await waitFor(() => expect(server.fieldsOf(`GET m/${MERCHANT}/live/inbox`)).toHaveLength(2));
});

test("who ordered it can decline it, and is told that another person has to approve it", async () => {
  show(member(ME.user.id), "owner");
  await screen.findByText(/You created it, so another owner or a finance member has to approve it/);
  expect(screen.queryByRole("button", { name: /Approve/ })).toBeNull();
  screen.getByRole("button", { name: "Decline" });
});

test("a person does not approve what a key ordered that this person made; what another's key ordered, they can", async () => {
  const key = { kind: "key" as const, key: "sk_live_…3xYz" };
  const { unmount } = show({ ...key, made_by: ME.user.id }, "owner");
  await screen.findByText(/An API key of yours created it/);
  expect(screen.queryByRole("button", { name: /Approve/ })).toBeNull();
  unmount();
  show({ ...key, made_by: "usr_2" }, "owner");
  await screen.findByRole("button", { name: /Approve/ });
});

test("a developer sees what it waits for, and no buttons", async () => {
  show(member("usr_2"), "developer");
  await screen.findByText(/An owner or a finance member has to approve it within three days/);
  expect(screen.queryByRole("button")).toBeNull();
});
