import { z } from "zod";
import { Instant } from "../fields.ts";
import { request } from "../message.ts";
import { OperatorName, PublicKey } from "./operators.ts";

/**
 * How operators sign in to their pages: by the key that their browser keeps, a password and a code of an authenticator. The key
 * signs each of these requests, so none can be tried without it, and every attempt is in the audit log.
 */

const Code = z.string().regex(/^\d{6}$/, "must be the six digits that the authenticator shows");
const Password = z.string().min(12, "must be at least 12 characters").max(200);

/** Who it is, and since when they have this password and authenticator: what was reset and chosen anew is another sign-in. */
const SignIn = z.object({ name: z.string(), set_up_at: Instant });

export const getOperatorKey = request({
  subject: "gateway.operator_key.get",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning:
    "Whose key this is, and whether that person can sign in, and since when; not_found for a key that is no operator's.",
  input: z.object({ public_key: PublicKey }),
  output: z.object({ name: z.string(), can_sign_in: z.boolean(), set_up_at: Instant.nullable() }),
});

export const setUpOperatorSignIn = request({
  subject: "gateway.operator_sign_in.set_up",
  callers: ["operator"],
  operator: { action: "operator.sign_in_set_up" },
  operatorPages: true,
  meaning:
    "Choose one's password and authenticator, once. Refused with conflict if there are others: an operator resets them first.",
  input: z.object({
    password: Password,
    /** Base32 of 20 random bytes, which the browser drew and the authenticator has. */
    totp_secret: z.string().regex(/^[A-Z2-7]{32}$/, "must be 32 letters and digits of Base32"),
    code: Code,
  }),
  output: SignIn,
});

export const signInOperator = request({
  subject: "gateway.operator_sign_in.check",
  callers: ["operator"],
  operator: { action: "operator.signed_in" },
  operatorPages: true,
  meaning:
    "Check one's password and code. Each code is accepted once, and ten wrong attempts end the next quarter of an hour's.",
  input: z.object({ password: z.string().max(200), code: Code }),
  output: SignIn,
});

export const resetOperatorSignIn = request({
  subject: "gateway.operator_sign_in.reset",
  callers: ["operator"],
  operator: { action: "operator.sign_in_reset", detail: ["name"], fourEyes: true },
  operatorPages: true,
  meaning: "Forget an operator's password and authenticator: who has one of the operator's keys chooses new ones.",
  input: z.object({ name: OperatorName }),
  output: z.object({ name: z.string() }),
});
