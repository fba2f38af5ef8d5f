import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aBalance, aNamedAccount, aTransfer } from "../../../test/examples.ts";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { SendMoney } from "./send-money.tsx";

const server = useServer();
const TRANSFERS = `POST m/${MERCHANT}/test/transfers`;

beforeEach(() => {
  server.reads("banks", { data: [{ code: "000", name: "Test Bank", type: "deposit_money_bank" }], mode: "test" });
  server.reads("balance", aBalance({ settled: 2_000 }));
  server.acts("transfers/resolve", aNamedAccount());
});

const show = () => showPage(<SendMoney opened onClose={() => {}} />, { at: "transfers" });

async function review(amount = "1,500.50") {
  const shown = show();
  const { user } = shown;
  await user.type(await screen.findByLabelText(/^Account number/), "0000000011");
  await screen.findByText("Test Success");
  await user.type(screen.getByLabelText(/^Amount/), amount);
  await user.click(screen.getByRole("button", { name: "Review" }));
  return shown;
}

const press = (user: ReturnType<typeof show>["user"], name: RegExp) =>
  screen.findByRole("button", { name }).then((button) => user.click(button));

test("nothing is sent before the bank has named the account and the order was reviewed", async () => {
  const { user } = await review();
  expect((await screen.findByText(/You're about to send/)).textContent).toContain(
    "₦1,500.50 to Test Success at Test Bank. This is test money.",
  );
  expect(server.fieldsOf(TRANSFERS)).toEqual([]);
  server.acts("transfers", { transfer: aTransfer(), created: true });
  await press(user, /^Send ₦1,500.50$/);
  await waitFor(() => expect(server.fieldsOf(TRANSFERS)).toHaveLength(1));
  const [sent] = server.fieldsOf(TRANSFERS);
  expect(sent).toEqual({
    amount: 1500.5,
    bank_code: "000",
    account_number: "0000000011",
    reference: expect.stringMatching(/^transfer-\d{8}-[0-9a-f]{8}$/),
  });
});

test("an amount above the settled balance does not reach the review", async () => {
  await review("2000.01");
  await screen.findByText("Your settled balance is ₦2,000.00.", { selector: "[class*=error]" });
  expect(screen.queryByText(/You're about to send/)).toBeNull();
});

test("an order whose response was lost is kept, can only be resent under its own reference, and survives a reload", async () => {
  const { user, unmount } = await review();
  server.answers("POST", `m/${MERCHANT}/test/transfers`, (_call, response) => void response.destroy());
  await press(user, /^Send ₦1,500.50$/);
  await screen.findByText("We don't know yet whether this transfer was created");
  unmount();
  const again = show();
  await screen.findByText("We don't know yet whether this transfer was created");
  server.acts("transfers", { transfer: aTransfer(), created: true });
  await press(again.user, /^Send ₦1,500.50 again$/);
  await waitFor(() => expect(server.fieldsOf(TRANSFERS)).toHaveLength(2));
  const [first, second] = server.fieldsOf(TRANSFERS);
  expect(second).toEqual(first);
  await waitFor(() => expect(again.address()).toMatch(/\/transfers\/trf_1$/));
});

test("a lost order that was created links to its transfer and is not sent again", async () => {
  const { user, address } = await review();
  server.answers("POST", `m/${MERCHANT}/test/transfers`, (_call, response) => void response.destroy());
  await press(user, /^Send ₦1,500.50$/);
  server.reads("transfers", ({ fields: { search } }) => ({
    data: [aTransfer({ merchant_reference: String(search) })],
    next: null,
  }));
  await press(user, /^Check for transfer$/);
  await waitFor(() => expect(address()).toMatch(/\/transfers\/trf_1$/));
  expect(server.fieldsOf(TRANSFERS)).toHaveLength(1);
});

test("a lost order cannot be discarded while its request may still arrive", async () => {
  const { user } = await review();
  server.answers("POST", `m/${MERCHANT}/test/transfers`, (_call, response) => void response.destroy());
  await press(user, /^Send ₦1,500.50$/);
  server.reads("transfers", { data: [], next: null });
  await press(user, /^Check for transfer$/);
  await screen.findByText(/There is no transfer with this reference yet/);
  expect(screen.queryByRole("button", { name: "Discard" })).toBeNull();
});

test("a refused order is not treated as pending: it can be edited and reviewed again", async () => {
  const { user } = await review();
  server.refuses("POST", `m/${MERCHANT}/test/transfers`, {
    status: 409,
    code: "insufficient_balance",
    detail: "The settled balance is too low.",
  });
  await press(user, /^Send ₦1,500.50$/);
  await screen.findByRole("alert");
  expect(screen.queryByText(/It is not known yet/)).toBeNull();
  await press(user, /^Back$/);
  expect(screen.getByLabelText<HTMLInputElement>(/^Amount/).value).toBe("₦1,500.5");
});
