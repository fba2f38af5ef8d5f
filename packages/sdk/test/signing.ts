import { createHmac } from "node:crypto";
import type { CollectionSuccessEvent } from "../src/index.ts";

export const SECRET = "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV";

export const collection: CollectionSuccessEvent = {
  event: "collection.success",
  mode: "test",
  created_at: "2026-11-21T09:30:00.123+00:00",
  data: {
    reference: "col_1",
    amount: 2500.73,
    fee: 25.01,
    net: 2475.72,
    currency: "NGN",
    rail: "bank",
    customer_reference: "cust_42",
    customer_name: "Ada Obi",
    account_number: "0000000017",
    payer_name: "Chidi Eze",
    paid_at: "2026-11-21T09:29:58.000+00:00",
    payment_reference: null,
    merchant_reference: null,
  },
};

/** A signature as the service creates it. */
export function sign(body: string | Uint8Array, secret = SECRET): string {
  return createHmac("sha512", secret).update(body).digest("hex");
}

/** One clock for all signatures of a file: two made for one delivery must not straddle a second. */
const began = Math.floor(Date.now() / 1_000);

/** The headers that sign a body, sent `ageS` seconds before the file's tests began. */
export function signed(body: string | Uint8Array, secret = SECRET, ageS = 0) {
  const [id, timestamp] = ["evt_test_1", String(began - ageS)];
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  return {
    "x-service-signature": sign(body, secret),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

/** A delivery as it is received. */
export function deliveryOf(event: unknown, secret = SECRET) {
  const raw = Buffer.from(JSON.stringify(event));
  return { raw, headers: { "content-type": "application/json", ...signed(raw, secret) } };
}
