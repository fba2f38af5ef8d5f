import { z } from "zod";
import { CheckoutSession, GivePayerDetails, OpenCheckout, OpenedCheckout } from "../merchant-api/checkout.ts";
import { request } from "../message.ts";
import { byMerchant } from "./merchant.ts";

/** The public API of the checkout, as the gateway forwards it; the checkout's own host serves the same. */

/** The address of the payer's browser, by which its calls are counted. */
const Client = z.string().max(100);

const byReference = z.object({ reference: z.string().max(100) });

export const getCheckout = request({
  subject: "checkout.session.get",
  callers: ["gateway"],
  meaning: "A session, with the fields that the payer's browser may see.",
  input: byReference,
  output: CheckoutSession,
});

export const giveCheckoutDetails = request({
  subject: "checkout.session.give_details",
  callers: ["gateway"],
  meaning: "Store the payer's name and email, after which the session shows its account.",
  deadlineMs: 15_000,
  input: byReference.extend({ ...GivePayerDetails.shape, client: Client.optional() }),
  output: CheckoutSession,
});

export const reportCheckoutSent = request({
  subject: "checkout.session.report_sent",
  callers: ["gateway"],
  meaning: "The payer reports that the transfer was sent.",
  input: byReference,
  output: CheckoutSession,
});

export const openCheckout = request({
  subject: "checkout.session.open",
  callers: ["gateway"],
  meaning: "Create a session from a browser, for the merchant of a public key.",
  deadlineMs: 15_000,
  input: byMerchant.extend({ ...OpenCheckout.shape, client: Client.optional() }),
  output: z.object({ checkout: OpenedCheckout, created: z.boolean() }),
});
