import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../test/page.tsx";
import { MERCHANT, useServer } from "../../test/server.ts";
import { SimulatePayment } from "./simulate-payment.tsx";

const server = useServer();
const result = {
  outcome: "paid",
  credited: true,
  reference: "col_9",
  amount: 2500.09,
  account_number: "0123456789",
  message: "Credited.",
  mode: "test",
} as const;
const TO_CUSTOMER = `POST m/${MERCHANT}/test/customers/cust_42/simulate`;

test("an amount typed as 2,500.09 is sent as 2500.09", async () => {
  server.acts("customers/:customer_reference/simulate", result);
  const { user } = showPage(<SimulatePayment to={{ customer_reference: "cust_42" }} hasAmountField />);
  await user.type(screen.getByLabelText("Amount in naira"), "2,500.09");
  await user.click(screen.getByRole("button", { name: "Simulate payment" }));
  await screen.findByText("₦2,500.09");
  expect(server.fieldsOf(TO_CUSTOMER)).toEqual([{ outcome: "paid", amount: 2500.09 }]);
});

test("a third decimal and a sign cannot be typed into an amount", async () => {
  const { user } = showPage(<SimulatePayment to={{ customer_reference: "cust_42" }} hasAmountField />);
  const amount = screen.getByLabelText<HTMLInputElement>("Amount in naira");
  await user.type(amount, "-1000.999");
  expect(amount.value).toBe("₦1,000.99");
});

test("without an amount the session's own applies: none is sent, not 0", async () => {
  server.acts("customers/:customer_reference/simulate", result);
  const { user } = showPage(<SimulatePayment to={{ customer_reference: "cust_42" }} hasAmountField />);
  await user.click(screen.getByRole("button", { name: "Simulate payment" }));
  await waitFor(() => expect(server.fieldsOf(TO_CUSTOMER)).toEqual([{ outcome: "paid" }]));
});

test("a payment for a session goes to that session and links to its collection", async () => {
  server.acts("simulate", result);
  const { user } = showPage(<SimulatePayment to={{ payment_reference: "pay_1" }} />);
  await user.click(screen.getByRole("button", { name: "Simulate payment" }));
  expect((await screen.findByRole("link", { name: "View collection" })).getAttribute("href")).toBe(
    `/m/${MERCHANT}/test/collections/col_9`,
  );
  expect(server.fieldsOf(`POST m/${MERCHANT}/test/simulate`)).toEqual([
    { outcome: "paid", payment_reference: "pay_1" },
  ]);
});

test("an error of the amount is shown beside it, other errors above the button", async () => {
  server.refuses("POST", `m/${MERCHANT}/test/customers/:customer_reference/simulate`, {
    status: 422,
    code: "validation_failed",
    detail: "Two fields are not right.",
    errors: [
      { param: "amount", code: "invalid", message: "must be greater than 0" },
      { param: "payer_name", code: "invalid", message: "must not be empty" },
    ],
  });
  const { user } = showPage(<SimulatePayment to={{ customer_reference: "cust_42" }} hasAmountField />);
  await user.click(screen.getByRole("button", { name: "Simulate payment" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("payer name must not be empty");
  expect(alert.textContent).not.toMatch(/must be greater than 0/i);
  expect(screen.getByLabelText("Amount in naira").getAttribute("aria-invalid")).toBe("true");
});
