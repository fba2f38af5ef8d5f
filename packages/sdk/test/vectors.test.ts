import { VECTORS, type Vector } from "@collect/webhook-verification";
import { expect, test } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "../src/index.ts";

test.each(VECTORS)("decides as every other language: $name", (vector) => {
  expect(decision(vector)).toBe(vector.expected);
});

function decision({ headers, body, secrets, now, tolerance_s }: Vector): string {
  try {
    verifyWebhook(Buffer.from(body, "base64"), headers, secrets, { toleranceS: tolerance_s, now: () => now * 1_000 });
    return "valid";
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    // Only the SDK tries what was done to the body before its verification.
    return error.code === "body_not_raw" ? "signature_mismatch" : error.code;
  }
}
