import { CheckoutSession, CreatedPayment, Payment, SimulationResult } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { type Client, check, http, poll, show } from "./demo-client.ts";

/** A payment session from its creation to the paid checkout page. */
export async function playSession(merchant: Client, order: string): Promise<void> {
  console.log("\nPayment sessions: an exact amount for one payer\n");
  const payment = await createSession(merchant, order);
  show(
    `POST /payments for ${formatNaira(payment.amount_requested)}: the payer sends exactly ${formatNaira(payment.amount)}`,
    "the kobo identify this session; repeating the call returned the same session",
  );

  const page = await fetch(payment.checkout_url);
  const html = await page.text();
  check(
    page.status === 200 && html.includes(payment.account_number.slice(-4)),
    `${payment.checkout_url} shows no account`,
  );
  show(payment.checkout_url, "the checkout page shows the amount, bank and account");

  const { status, body } = await merchant.call("POST", "/sandbox/pay", {
    outcome: "paid",
    payment_reference: payment.reference,
  });
  check(status === 200, `paying the session returned ${status}: ${JSON.stringify(body)}`);
  const sent = SimulationResult.parse(body);
  const webhooks = await merchant.untilWebhooks(1, ({ payment_reference }) => payment_reference === payment.reference);
  const paid = Payment.parse((await merchant.call("GET", `/payments/${payment.reference}`)).body);
  check(paid.status === "paid", `the session is ${paid.status}`);
  check(
    sent.reference === payment.reference && webhooks[0]?.reference === payment.reference,
    "the session, the simulation and the webhook have different references",
  );
  check(paid.collections[0]?.reference === webhooks[0]?.reference, "GET and the webhook have different references");
  show(`paid: redirect, GET and webhook all have ${payment.reference}`, "it is enough to credit each reference once");

  const shown = await untilShownPaid(merchant, payment.reference);
  check(
    shown.return_url?.includes(`reference=${payment.reference}`) === true,
    "the return URL does not contain the reference",
  );
  show(`the payer returns to ${shown.return_url}`, "with the reference added and your own query kept");
}

async function createSession(merchant: Client, order: string): Promise<CreatedPayment> {
  const body = {
    amount: 12_500,
    reference: order,
    customer_name: "Ada Obi",
    description: "Two tickets",
    redirect_url: "https://shop.example/thanks?from=checkout",
  };
  const created = await merchant.call("POST", "/payments", body);
  check(created.status === 201, `creating a session returned ${created.status}: ${JSON.stringify(created.body)}`);
  const again = await merchant.call("POST", "/payments", body);
  check(again.status === 200, `repeating the call returned ${again.status}`);
  const payment = CreatedPayment.parse(created.body);
  check(Payment.parse(again.body).reference === payment.reference, "repeating the call created another session");
  return payment;
}

/** The checkout page shows the payment shortly after it is recorded. */
function untilShownPaid(merchant: Client, reference: string): Promise<CheckoutSession> {
  return poll(
    async () => CheckoutSession.parse((await http(`${merchant.checkoutUrl}/checkout/${reference}`)).body),
    ({ status }) => status === "paid",
    ({ status }) => `the checkout still shows ${status}`,
  );
}
