import {
  GivePayerDetails,
  getCheckout,
  giveCheckoutDetails,
  OpenCheckout,
  openCheckout,
  reportCheckoutSent,
} from "@collect/contracts";
import { type Endpoint, get, post } from "../domain/endpoint.ts";
import { BANK_FAILS, NOT_LIVE } from "./refusals.ts";

/** Payers' endpoints, and the one that opens their sessions. */
export const CHECKOUT: readonly Endpoint[] = [
  get("/checkout/:reference", {
    name: "getCheckout",
    key: "none",
    limit: "checkout_reads",
    request: getCheckout,
    summary: "Returns a session with the fields for the payer; intended for polling.",
  }),
  post("/checkout/:reference/details", {
    name: "giveCheckoutDetails",
    key: "none",
    limit: "checkout_details",
    request: giveCheckoutDetails,
    fields: GivePayerDetails,
    repeatable: "always",
    summary:
      "Stores the payer's name and email, after which the session shows its account and, if a public key created it, its exact amount.",
    details:
      "The same details again return the same session; different ones are refused with `details_already_given`. A session of a public key takes an exact amount here, until half an hour after its end. `amount_slots_exhausted` means that none is free, or that one network holds a tenth of them unpaid: nothing was stored, try again in a few minutes. Beyond 30 of these from one network to one merchant in an hour, or 300 in all, the response is 429 `proof_required`.",
    problems: [
      "details_already_given",
      "session_closed",
      "proof_required",
      "amount_slots_exhausted",
      ...NOT_LIVE,
      ...BANK_FAILS,
    ],
  }),
  post("/checkout/:reference/sent", {
    name: "reportCheckoutSent",
    key: "none",
    limit: "checkout_sent",
    request: reportCheckoutSent,
    repeatable: "always",
    summary: "Records that the payer says they have sent the transfer, which extends the expiry once.",
  }),
  post("/checkout", {
    name: "openCheckout",
    key: "public",
    request: openCheckout,
    fields: OpenCheckout,
    created: "checkout",
    repeatable: "always",
    summary:
      "Creates a session with a public key. Browsers call the same endpoint on the checkout host, which allows CORS.",
    details:
      "A public key and an order's id can be sent by anyone, so `reference` finds no session again: only the caller's own `client_nonce` does, and without one every call, also a repeat after a lost response, creates another session. A session has no account, and its `amount` is `amount_requested`, until the payer's details are given; until then it costs nothing and holds no amount. Beyond 30 calls a minute from one network, or 600 of a merchant, the response is 429 `proof_required`: repeat the call with the solved challenge as `proof`. Fields that the merchant does not allow under its public key are left out and named in `warnings`.",
    problems: ["amount_over_limit", "proof_required", ...NOT_LIVE],
  }),
];
