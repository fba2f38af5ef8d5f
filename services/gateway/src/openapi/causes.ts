import type { MerchantCode } from "@collect/contracts";

/** Every error of the merchant API: what causes it, and what to do about it. `/docs/errors/{code}` shows both. */
export const CAUSES: Record<MerchantCode, { cause: string; cure: string }> = {
  validation_failed: {
    cause: "At least one field is missing or has a value that the operation does not take. Nothing was written.",
    cure: "`errors` names each field in `param`, and `message` says what would be right. Correct them and send the call again. An optional field may be null or absent; a parameter of a list that does not exist is refused.",
  },
  identity_required: {
    cause:
      "The bank that holds your live accounts opens one only with the customer's BVN or NIN, and the call for a new customer has neither. Nothing was written.",
    cure: "Send `bvn` or `nin` with `POST /customer_accounts`, then create payments for the customer as usual. `errors` names the numbers of which the bank takes one. They are passed on to the bank and kept nowhere.",
  },
  malformed_body: {
    cause: "The body is not valid JSON or not a valid form, or it is not an object of fields.",
    cure: "Serialize the body with your language's JSON library, and send `Content-Type: application/json`.",
  },
  invalid_api_key: {
    cause:
      "The `Authorization` header is missing, or its key is mistyped, unknown or revoked. A server's key at the endpoint of a public one is refused like this too.",
    cure: "Send `Authorization: Bearer sk_test_…` with a key that the dashboard lists under Developers. If it was rolled, use the new one.",
  },
  secret_key_required: {
    cause: "The call was made with a public key, which can only create a checkout.",
    cure: "Make the call from your server, with a secret key or a restricted one. Never put those in a web page.",
  },
  test_key_required: {
    cause: "The operation simulates money or time, which live mode never does, and the key is a live one.",
    cure: "Use `sk_test_…`. To test live mode, send a real transfer.",
  },
  insufficient_scope: {
    cause: "The key is a restricted one, and was not given the scope of this operation.",
    cure: "The document says which scope an operation needs, and `GET /` lists what each scope opens. An owner of the business creates a key with it in the dashboard.",
  },
  address_not_allowed: {
    cause: "The restricted key can only be used from certain addresses, and the call came from another one.",
    cure: "Call from one of the addresses that the dashboard shows with the key, or have a key created for this one.",
  },
  origin_not_allowed: {
    cause: "A page of another origin made the call in a payer's browser, for example with a form. Nothing was stored.",
    cure: "Send the payer to `checkout_url`, or make the call from your server or app, without an `Origin` header.",
  },
  verification_required: {
    cause: "Nothing live exists before the business is verified.",
    cure: "Submit the business for verification in the dashboard. Test mode has everything meanwhile.",
  },
  merchant_suspended: {
    cause:
      "The business is suspended: it can neither pay out nor get new accounts and keys. Money that arrives is still credited.",
    cure: "The dashboard shows the reason. Contact support.",
  },
  not_found: {
    cause:
      "There is nothing with this reference for this business in the mode of the key, or nothing at this URL. Malformed references, other businesses' and those of the other mode get the same response.",
    cure: "Compare the reference, and the mode of the key: test and live share nothing. If a field named it, `errors` says which. A path begins with `/v1`.",
  },
  method_not_allowed: {
    cause: "The URL exists, but not with this method.",
    cure: "The `Allow` header lists the methods that it has.",
  },
  request_timeout: {
    cause: "The request was not received completely in time: a slow connection, or a body shorter than announced.",
    cure: "Send it again. Calls with a reference of your own are safe to repeat.",
  },
  account_retired: {
    cause: "The customer's account was retired, which cannot be undone.",
    cure: "Issue an account under a new `customer_reference`. Money that still arrives in the retired one is credited.",
  },
  details_already_given: {
    cause: "The payer's name and email were already stored for this session, with other values.",
    cure: "Read the session with `GET /checkout/{reference}` and go on with it. For another payer, create a session.",
  },
  session_closed: {
    cause: "The session has ended: it is paid, or its time is over.",
    cure: "Read its `status`. If it has expired, create a new session.",
  },
  not_cancellable: {
    cause:
      "Only a `pending` payment can be cancelled, and this one has received money, or its payer says that it was sent.",
    cure: "Read it with `GET /payments/{reference}`. A payment that has received money cannot be cancelled.",
  },
  test_clock_advancing: {
    cause: "Another call is advancing the test clock.",
    cure: "Wait until that call has its response, then send this one.",
  },
  reference_conflict: {
    cause:
      "The `reference` already belongs to a transfer with another amount, beneficiary, narration or metadata. Nothing was sent.",
    cure: "If it is the same payout, send the values of the first call to get its transfer. For a new payout, use a new reference.",
  },
  replay_running: {
    cause: "Events of another part of the log are being sent again at the moment. One replay runs at a time.",
    cure: "Repeat the call once they are delivered: `GET /events` shows the state of each. A replay that you do not want is cancelled in the dashboard.",
  },
  no_webhook_url: {
    cause: "There is no webhook URL in this mode, or it has not answered its challenge yet.",
    cure: "Set the URL in the dashboard under Developers, and have it respond to `endpoint.challenge`. Then repeat the call.",
  },
  body_too_large: {
    cause: "The body has more than 32 kB.",
    cure: "Send only the fields of the operation. Longer texts belong in your own database, under your reference.",
  },
  unsupported_media_type: {
    cause: "The `Content-Type` is neither JSON nor a form, or the body is compressed or in an unknown character set.",
    cure: "Send `application/json` or `application/x-www-form-urlencoded`, in UTF-8 and uncompressed.",
  },
  amount_over_limit: {
    cause: "The amount is above what one payment of this business may ask for. Nothing was written.",
    cure: "`detail` says the limit. Ask for less, or contact support to have it raised.",
  },
  insufficient_balance: {
    cause:
      "The transfer is above the settled balance; `detail` says what was there. Collected money cannot be sent before it is settled. The reference stays free.",
    cure: "Read `GET /balance`. Send less, or repeat the call after the next settlement.",
  },
  payout_limit_exceeded: {
    cause:
      "The amount is above what the business may pay out in one transfer, or would be with the others of the day. The reference stays free.",
    cure: "Send less, wait for the next day (Lagos time), or have an owner raise the limit in the dashboard.",
  },
  account_unresolved: {
    cause: "The beneficiary's bank knows no account with this number, or the bank code is unknown.",
    cure: "Compare the number with the beneficiary, and the code with `GET /banks`. `POST /transfers/resolve` returns the holder's name.",
  },
  proof_required: {
    cause: "There are many calls from this network or for this business, and the caller has to prove some work.",
    cure: "Solve the challenge in `proof` and repeat the call with the result: `solveProof` of the SDK, or `/assets/proof.js` of the checkout host in a browser.",
  },
  rate_limited: {
    cause:
      "A budget is used up: calls, enquiries, accounts for new customers or transfers to accounts that do not exist within an hour, or the test money of the day. Or ten calls wait for events already, or your program leaves its responses unread.",
    cure: "Wait for the seconds of `Retry-After`. Where a call counts against a budget of the hour, the `RateLimit` header shows what is left; events with `wait` cost one call, however long they are awaited. Read each response, or close its connection.",
  },
  internal_error: {
    cause: "Something failed on our side. Whether the call had an effect is unknown.",
    cure: "Repeat the call if it is safe to repeat. If it fails again, contact support and quote the `request_id`.",
  },
  crypto_unavailable: {
    cause: "USDT waits for an exchange partner.",
    cure: "Use `POST /payments`, which collects bank transfers.",
  },
  provider_error: {
    cause: "The partner bank refused the request or gave an unusable response. Nothing is half made.",
    cure: "Repeat the call with the same reference; that is safe. If it goes on, contact support.",
  },
  provider_timeout: {
    cause: "The partner bank did not respond in time.",
    cure: "Repeat the call with the same reference; that is safe, and returns what the first call made.",
  },
  service_unavailable: {
    cause: "A part of the service is restarting, overloaded or unreachable.",
    cure: "Repeat the call after `Retry-After`, or with growing pauses. Calls with a reference of your own are safe to repeat.",
  },
  payouts_stopped: {
    cause: "Payouts are stopped for the moment, all of them or yours. Nothing was sent, and the reference stays free.",
    cure: "Repeat the same call after `Retry-After`. While the payouts of all businesses are stopped, the dashboard says so.",
  },
  amount_slots_exhausted: {
    cause: "Every exact amount of this price is held by another session, so none can tell this payer from the others.",
    cure: "Repeating it at once does not help: try again in a few minutes, or, unless the session has one already, send a `customer_reference`, whose account has amounts of its own.",
  },
};
