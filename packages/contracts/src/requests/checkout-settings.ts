import { z } from "zod";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** A host to which payers may return, in the form in which URLs are compared: `shop.example`, or with a port. */
export const ReturnHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, "must be at most 253 characters")
  .refine(isHost, "must be a host such as shop.example, without https:// and without a path");

function isHost(text: string): boolean {
  return URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text;
}

/** What a merchant allows to callers with its public key, which anyone can read in its pages. */
export const CheckoutSettings = z.object({
  /** Live, a payer returns to these only; in test mode to any host while there is none. */
  return_hosts: z.array(ReturnHost).max(20, "must be at most 20 hosts"),
  /** Whether the page shows the description that such a caller sends, as not checked by the merchant. */
  public_descriptions: z.boolean(),
});
export type CheckoutSettings = z.output<typeof CheckoutSettings>;

export const getCheckoutSettings = request({
  subject: "payments.checkout_settings.get",
  callers: ["dashboard", "operator"],
  operator: "read",
  meaning: "What a merchant allows in one mode to callers with its public key.",
  input: byScope,
  output: CheckoutSettings,
});

export const setCheckoutSettings = request({
  subject: "payments.checkout_settings.set",
  callers: ["dashboard", "operator"],
  operator: { action: "checkout_settings.set" },
  meaning: "Replace these settings. Sessions that exist keep what they were created with.",
  input: byScope.extend(CheckoutSettings.shape),
  output: CheckoutSettings,
});
