import { CheckoutSession, Payment, SimulationResult } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { type Client, hold, http, show, soon } from "./demo-client.ts";

/** A payment session from its opening to the page that the payer sees, paid in two parts. */
export async function playSession(merchant: Client, order: string): Promise<void> {
  console.log("\nPayment sessions: an exact amount that belongs to one payer\n");
  const payment = await open(merchant, order);
  show(
    `POST /payments asked for ${formatNaira(payment.amount_requested)}: send exactly ${formatNaira(payment.amount)}`,
    "the kobo belong to this session alone; repeating the call gave the same session",
  );

  const page = await fetch(payment.checkout_url);
  const html = await page.text();
  hold(
    page.status === 200 && html.includes(payment.account_number.slice(-4)),
    `${payment.checkout_url} shows no account`,
  );
  show(payment.checkout_url, "the page the payer is sent to: amount, bank, account");

  const { status, body } = await merchant.call("POST", "/sandbox/pay", {
    outcome: "paid",
    payment_reference: payment.reference,
  });
  hold(status === 200, `paying the session was answered ${status}: ${JSON.stringify(body)}`);
  const sent = SimulationResult.parse(body);
  const webhooks = await merchant.untilWebhooks(1, ({ payment_reference }) => payment_reference === payment.reference);
  const paid = Payment.parse((await merchant.call("GET", `/payments/${payment.reference}`)).body);
  hold(paid.status === "paid", `the session is ${paid.status}`);
  hold(
    sent.reference === payment.reference && webhooks[0]?.reference === payment.reference,
    "session, simulation and webhook do not carry the same reference",
  );
  hold(paid.collections[0]?.reference === webhooks[0]?.reference, "GET and the webhook name different references");
  show(`paid: redirect, GET and webhook all say ${payment.reference}`, "crediting each reference once is enough");

  const shown = await untilShown(merchant, payment.reference);
  hold(
    shown.return_url?.includes(`reference=${payment.reference}`) === true,
    "the way back does not name the reference",
  );
  show(`the payer returns to ${shown.return_url}`, "with the reference, and your own query kept");
}

async function open(merchant: Client, order: string): Promise<Payment> {
  const body = {
    amount: 12_500,
    reference: order,
    customer_name: "Ada Obi",
    description: "Two tickets",
    redirect_url: "https://shop.example/thanks?from=checkout",
  };
  const opened = await merchant.call("POST", "/payments", body);
  hold(opened.status === 201, `opening a session was answered ${opened.status}: ${JSON.stringify(opened.body)}`);
  const again = await merchant.call("POST", "/payments", body);
  hold(again.status === 200, `repeating the call was answered ${again.status}`);
  const payment = Payment.parse(opened.body);
  hold(Payment.parse(again.body).reference === payment.reference, "repeating the call opened another session");
  return payment;
}

/** The payer's page follows the session within moments. */
function untilShown(merchant: Client, reference: string): Promise<CheckoutSession> {
  return soon(
    async () => CheckoutSession.parse((await http(`${merchant.checkoutUrl}/checkout/${reference}`)).body),
    ({ status }) => status === "paid",
    ({ status }) => `the checkout said nothing but ${status}`,
  );
}
