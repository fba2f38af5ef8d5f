import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { CustomerPanel } from "./customer-panel.tsx";
import { RetireAccounts } from "./retire-accounts.tsx";

const server = useServer();
const RETIRE = "customers/:customer_reference/retire";
const retired = () => server.fieldsOf(`POST m/${MERCHANT}/test/${RETIRE}`);
const accounts = [
  { customer_reference: "cust_1", status: "active" as const },
  { customer_reference: "cust_2", status: "retired" as const },
  { customer_reference: "cust_3", status: "active" as const },
];
const linesOf = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

test("accounts are retired only after their number is typed; each is answered for, and those that were refused can be tried again", async () => {
  const { user } = showPage(<RetireAccounts accounts={accounts} />);
  await user.click(screen.getByRole("button", { name: "Retire 3…" }));
  await user.type(await screen.findByLabelText("Type 3 to retire 3 accounts"), "4");
  await user.click(screen.getByRole("button", { name: "Retire 3 accounts" }));
  await screen.findByText("This doesn't match the number of selected accounts.");
  expect(retired()).toEqual([]);

  server.refuses("POST", `m/${MERCHANT}/test/${RETIRE}`, { status: 409, code: "conflict", detail: "Not now." });
  await user.clear(screen.getByLabelText("Type 3 to retire 3 accounts"));
  await user.type(screen.getByLabelText("Type 3 to retire 3 accounts"), "3");
  await user.click(screen.getByRole("button", { name: "Retire 3 accounts" }));
  const refused = ["cust_1: not retired. Not now.", "cust_2: already retired", "cust_3: not retired. Not now."];
  await waitFor(() => expect(linesOf()).toEqual(refused));
  screen.getByText("1 of 3 retired.");
  const before = retired().length;

  server.answers("POST", `m/${MERCHANT}/test/${RETIRE}`, () => ({}));
  await user.click(screen.getByRole("button", { name: "Try 2 again" }));
  await screen.findByText("3 of 3 retired.");
  expect(linesOf()).toEqual(["cust_1: retired", "cust_2: already retired", "cust_3: retired"]);
  expect(retired()).toHaveLength(before + 2);
  expect(screen.queryByRole("button", { name: /again/ })).toBeNull();
});

test("of one account, what was done is still said when the record is known to be retired", async () => {
  const account = {
    ...{ customer_reference: "cust_1", customer_name: "Ada Obi", account_number: "0123456789", metadata: {} },
    ...{
      account_name: "Ada Stores / Ada Obi",
      bank_name: "Test Bank",
      currency: "NGN" as const,
      mode: "test" as const,
    },
    ...{ status: "active" as "active" | "retired", created_at: "2026-11-21T10:00:00.000+00:00", retired_at: null },
  };
  server.reads("customers/:customer_reference", () => account);
  server.reads("collections", { data: [], next: null });
  server.reads("sessions", { data: [], next: null });
  server.answers("POST", `m/${MERCHANT}/test/${RETIRE}`, () => {
    account.status = "retired";
    return {};
  });
  const { user } = showPage(<CustomerPanel />, { at: "customers/cust_1", path: "customers/:reference" });
  await user.click(await screen.findByRole("button", { name: "Retire…" }));
  await user.type(await screen.findByLabelText("Type cust_1 to retire this account"), "cust_1");
  await user.click(screen.getByRole("button", { name: "Retire account" }));
  await screen.findByText("This account is retired");
  await screen.findByText("1 of 1 retired.");
  expect(screen.queryByRole("button", { name: "Retire…" })).toBeNull();
});

test("what would refuse every row stops at once, and the reason is said", async () => {
  const { user } = showPage(<RetireAccounts accounts={accounts.slice(0, 1)} />);
  server.refuses("POST", `m/${MERCHANT}/test/${RETIRE}`, { status: 403, code: "role_required", detail: "Not you." });
  await user.click(screen.getByRole("button", { name: "Retire…" }));
  await user.type(await screen.findByLabelText("Type cust_1 to retire this account"), "cust_1");
  await user.click(screen.getByRole("button", { name: "Retire account" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Not you.");
  expect(screen.queryAllByRole("listitem")).toEqual([]);
});
