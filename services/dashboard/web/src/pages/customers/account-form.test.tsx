import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { queryClient } from "../../api/query-client.ts";
import { AccountForm } from "./account-form.tsx";

const server = useServer();
const PATH = `m/${MERCHANT}/live/customers`;
const sent = () => server.fieldsOf(`POST ${PATH}`);
const ACCOUNT = {
  ...{ customer_reference: "cust_1", customer_name: "Ada Obi", account_number: "0123456789", metadata: {} },
  ...{ account_name: "Ada Stores / Ada Obi", bank_name: "Moniepoint", currency: "NGN" as const, mode: "live" as const },
  ...{ status: "active" as const, created_at: "2026-11-21T10:00:00.000+00:00", retired_at: null },
};
const REQUIRED = {
  ...{ status: 400, code: "identity_required", detail: "The partner bank needs a number." },
  errors: ["bvn", "nin"].map((param) => ({ param, code: "required", message: "the partner bank needs BVN or NIN" })),
};

async function fill() {
  const issued: unknown[] = [];
  const shown = showPage(<AccountForm onIssued={(one) => issued.push(one)} />, { scope: { mode: "live" } });
  const { user } = shown;
  await user.type(screen.getByLabelText("Customer reference"), "cust_1");
  await user.type(screen.getByLabelText("Customer name"), "Ada Obi");
  const submit = () => user.click(screen.getByRole("button", { name: "Issue account" }));
  return { ...shown, issued, submit };
}

test("a BVN is asked for only where the bank needs one, sent once, and gone from the page when the account is issued", async () => {
  const { user, issued, submit } = await fill();
  expect(screen.queryByLabelText("Customer's BVN")).toBeNull();
  server.refuses("POST", PATH, REQUIRED);
  await submit();
  await user.type(await screen.findByLabelText("Customer's BVN"), "22212345678");
  server.answers("POST", PATH, () => ({ account: ACCOUNT, created: true }));
  await submit();
  await waitFor(() => expect(issued).toHaveLength(1));
  expect(sent()).toEqual([
    { customer_reference: "cust_1", customer_name: "Ada Obi" },
    { customer_reference: "cust_1", customer_name: "Ada Obi", bvn: "22212345678" },
  ]);
  expect(screen.queryByLabelText("Customer's BVN")).toBeNull();
  expect(document.body.innerHTML).not.toContain("22212345678");
  await waitFor(() => {
    const kept = queryClient.getMutationCache().getAll();
    expect(JSON.stringify(kept.map(({ state }) => state.variables ?? null))).not.toContain("22212345678");
  });
});

test("a bank that needs no number is given none, and a wrong number is said beside its field", async () => {
  const { user, issued, submit } = await fill();
  server.refuses("POST", PATH, { ...REQUIRED, errors: REQUIRED.errors.slice(1) });
  await submit();
  await user.type(await screen.findByLabelText("Customer's NIN"), "1");
  expect(screen.queryByLabelText("Customer's BVN")).toBeNull();
  const errors = [{ param: "nin", code: "invalid", message: "must be 11 digits" }];
  server.refuses("POST", PATH, { status: 400, code: "validation_failed", detail: "It is wrong.", errors });
  await submit();
  await screen.findByText("Must be 11 digits.");
  await user.clear(screen.getByLabelText("Customer's NIN"));
  server.answers("POST", PATH, () => ({ account: ACCOUNT, created: false }));
  await submit();
  await waitFor(() => expect(issued).toHaveLength(1));
  expect(sent().at(-1)).toEqual({ customer_reference: "cust_1", customer_name: "Ada Obi" });
});
