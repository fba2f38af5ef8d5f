import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import type { ReadResponse } from "../../api/calls.ts";
import InboxPage from "./inbox-page.tsx";
import type { Item, Kind } from "./inbox-words.ts";

const server = useServer();
const AT = "2026-11-22T09:00:00.000+00:00";
const item = (kind: Kind, reference: string, given: Partial<Item> = {}): Item => ({
  ...{ kind, reference, amount: 2500.73, amount_received: null, name: "Ada Obi", reason: null },
  ...{ failure_code: null, count: null, at: AT, owner: null, done: null, ...given },
});
/** The server, with these items open. */
function has(...items: Item[]): void {
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  const of = (kind: Kind) => items.filter((one) => one.kind === kind);
  server.reads("inbox", { kinds: kinds.map((kind) => ({ kind, count: of(kind).length, has_more: false })) });
  server.reads("inbox/:kind", ({ path }) => ({ data: of(path.split("/").at(-1) as Kind), next: null }));
}
const member = (user_id: string, name: string): ReadResponse<"members">["members"][number] => ({
  ...{ user_id, name, email: `${user_id}@example.com`, role: "support", two_factor_enabled: false, joined_at: AT },
});
const acts = (path: string) => server.fieldsOf(`POST m/${MERCHANT}/:mode/inbox/${path}`);

beforeEach(() => {
  server.reads("members", { members: [member("usr_1", "Ada Obi"), member("usr_2", "Chidi Eze")], invitations: [] });
});

test("unmatched money is given to a member, and done with a note; then it is gone", async () => {
  has(item("unmatched", "col_1"));
  server.acts("inbox/:kind/:reference/owner", { owner: { user_id: "usr_2", name: "Chidi Eze" }, done: null });
  server.acts("inbox/:kind/:reference/done", { owner: null, done: { at: AT, by: "Ada Obi", note: "It stays." } });
  const { user } = showPage(<InboxPage />, { scope: { role: "support" } });
  const section = within(await screen.findByRole("region", { name: "Unmatched money" }));
  await section.findByText("₦2,500.73");
  expect(section.getByRole("link", { name: "View collection" }).getAttribute("href")).toMatch(/\/collections\/col_1$/);
  await section.findByRole("option", { name: "Chidi Eze" });
  await user.selectOptions(section.getByRole("combobox", { name: "Assignee of col_1" }), "usr_2");
  await waitFor(() => expect(acts("unmatched/col_1/owner")).toEqual([{ user_id: "usr_2" }]));
  await user.click(section.getByRole("button", { name: "Mark as done…" }));
  await user.type(section.getByRole("textbox", { name: "Note (optional)" }), "It stays.");
  has();
  await user.click(section.getByRole("button", { name: "Mark as done" }));
  await screen.findByText("Nothing needs your attention");
  expect(acts("unmatched/col_1/done")).toEqual([{ note: "It stays." }]);
});

test("a viewer sees what waits and who has it, and can do nothing", async () => {
  has(item("unmatched", "col_1", { owner: { user_id: "usr_2", name: "Chidi Eze" } }), item("failed", "trf_1"));
  showPage(<InboxPage />, { scope: { role: "viewer" } });
  await screen.findByText("Chidi Eze");
  await screen.findByText("Unassigned");
  expect(screen.queryByRole("combobox")).toBeNull();
  expect(screen.queryByRole("button", { name: /Send|done/ })).toBeNull();
});

test("a failed transfer is sent again after its terms were shown, by those who may send money", async () => {
  has(item("failed", "trf_1", { reason: "The account is closed." }));
  server.acts("transfers/:reference/again", Object({ created: true }));
  const { user, unmount } = showPage(<InboxPage />, { scope: { role: "finance" } });
  await screen.findByText("The account is closed.");
  await user.click(screen.getByRole("button", { name: "Send again…" }));
  await screen.findByText(/This creates a new transfer of ₦2,500\.73/);
  await user.click(screen.getByRole("button", { name: "Send ₦2,500.73 again" }));
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/:mode/transfers/trf_1/again`)).toHaveLength(1));
  unmount();
  showPage(<InboxPage />, { scope: { role: "support" } });
  await screen.findByText("The account is closed.");
  expect(screen.queryByRole("button", { name: "Send again…" })).toBeNull();
});

test("a transfer that a colleague declined is not offered again", async () => {
  has(item("failed", "trf_1", { failure_code: "approval_declined", reason: "A member of the team declined it." }));
  showPage(<InboxPage />, { scope: { role: "finance" } });
  await screen.findByText("A member of the team declined it.");
  screen.getByRole("button", { name: "Mark as done…" });
  expect(screen.queryByRole("button", { name: "Send again…" })).toBeNull();
});

test.each([
  ["Mark as done…", "Mark as done"],
  ["Send again…", "Send ₦2,500.73 again"],
])("after %s the focus is on the section's heading, and on the content when the section leaves", async (ask, act) => {
  const [one, two] = [item("failed", "trf_1"), item("failed", "trf_2")];
  has(one, two);
  server.acts("inbox/:kind/:reference/done", { owner: null, done: { at: AT, by: "Ada Obi", note: null } });
  server.acts("transfers/:reference/again", Object({ created: true }));
  const { user } = showPage(
    <main tabIndex={-1}>
      <InboxPage />
    </main>,
  );
  const actOnFirst = async () => {
    await user.click((await screen.findAllByRole("button", { name: ask }))[0] as HTMLElement);
    await user.click(screen.getByRole("button", { name: act }));
  };
  await screen.findByRole("combobox", { name: "Assignee of trf_2" });
  has(two);
  await actOnFirst();
  await waitFor(() => expect(screen.queryByRole("combobox", { name: "Assignee of trf_1" })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Failed transfers" }));
  has();
  await actOnFirst();
  await screen.findByText("Nothing needs your attention");
  expect(document.activeElement).toBe(screen.getByRole("main"));
});

test("what ends by itself has its act and no Done; the events of a held webhook are tried at once", async () => {
  const none = { amount: null, name: null };
  has(
    item("webhook", "held", { ...none, count: 12 }),
    item("verification", "verification", { ...none, reason: "Why." }),
  );
  server.acts("webhook/resume", { hold: null });
  const { user } = showPage(<InboxPage />);
  await screen.findByText(/12 events wait\./);
  await screen.findByText("Reason: Why.");
  expect(screen.queryByRole("button", { name: /Done/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Try now" }));
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/:mode/webhook/resume`)).toHaveLength(1));
});

test("a kind whose service is away says so, and the others are shown", async () => {
  has(item("underpaid", "pay_1", { amount_received: 2_000 }), item("unmatched", "col_1"));
  server.reads("inbox", {
    kinds: [
      { kind: "unmatched", count: 1, has_more: false },
      { kind: "underpaid", count: null, has_more: false },
    ],
  });
  server.refuses("GET", `m/${MERCHANT}/test/inbox/underpaid`, { status: 503, code: "service_unavailable" });
  server.reads("inbox/:kind", ({ path }) => ({
    data: path.endsWith("unmatched") ? [item("unmatched", "col_1")] : [],
    next: null,
  }));
  showPage(<InboxPage />);
  await screen.findByRole("link", { name: "View collection" });
  await screen.findByRole("alert", undefined, { timeout: 5_000 });
});

test("what is done says who, when and why, and is reopened", async () => {
  has();
  server.reads("inbox/:kind", ({ path }) => ({
    data: path.endsWith("unmatched")
      ? [item("unmatched", "col_1", { amount: null, at: null, done: { at: AT, by: "Chidi Eze", note: "It stays." } })]
      : [],
    next: null,
  }));
  server.acts("inbox/:kind/:reference/reopen", { owner: null, done: null });
  const { user, address } = showPage(<InboxPage />, { at: "inbox" });
  await screen.findByText("Nothing needs your attention");
  await user.click(screen.getByRole("radio", { name: "Done" }));
  expect(address()).toMatch(/state=done/);
  await screen.findByText("It stays.");
  server.reads("inbox/:kind", { data: [], next: null });
  await user.click(screen.getByRole("button", { name: "Reopen col_1" }));
  await waitFor(() => expect(screen.queryByText("It stays.")).toBeNull());
  expect(acts("unmatched/col_1/reopen")).toHaveLength(1);
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Unmatched money" }));
});
