import { randomBytes } from "node:crypto";
import { answer, type Request } from "@collect/bus";
import {
  type Actor,
  getOperatorKey,
  Problem,
  resetOperatorSignIn,
  setUpOperatorSignIn,
  signInOperator,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { seal, stepOf, unseal } from "../domain/operator-sign-in.ts";
import { acceptCode, addSignIn, countAttempt, findSignIn, removeSignIn } from "../store/operator-sign-ins.ts";
import { findOperator } from "../store/operators.ts";

const ATTEMPTS_MAX = 10;

/** How operators sign in to their pages. Each of these acts was signed by the operator who is its actor. */
export function operatorSignInRequests(pool: Pool): Request[] {
  return [
    answer(getOperatorKey, async ({ public_key }) => {
      const name = await findOperator(pool, public_key);
      if (!name) throw new Problem("not_found", "This is no operator's key.");
      const signIn = await findSignIn(pool, name);
      return { name, can_sign_in: signIn !== undefined, set_up_at: signIn?.set_up_at ?? null };
    }),

    answer(setUpOperatorSignIn, async ({ password, totp_secret, code }, { actor }) => {
      const name = nameOf(actor);
      const step = stepOf(code, { secret: totp_secret, now: new Date() });
      if (step === undefined) throw wrongCode();
      const sealed = await seal({ password, secret: totp_secret }, randomBytes);
      const added = await addSignIn(pool, { name, sealed, step });
      if (added) return added;
      throw new Problem(
        "conflict",
        `${name} has a password and an authenticator. If they are lost, another operator resets them: ops -- operator reset-sign-in ${name}`,
      );
    }),

    answer(signInOperator, async ({ password, code }, { actor }) => {
      const name = nameOf(actor);
      const attempt = await countAttempt(pool, name);
      if (!attempt) throw new Problem("not_found", "Choose a password and set up an authenticator first.");
      const { sealed, attempts, rest_s: retryAfterS } = attempt;
      if (attempts > ATTEMPTS_MAX)
        throw new Problem("rate_limited", "Too many attempts. Try again in a quarter of an hour.", { retryAfterS });
      const secret = await unseal(password, sealed);
      const step = secret && stepOf(code, { secret, now: new Date() });
      const accepted = step && (await acceptCode(pool, { name, sealed, step }));
      if (!accepted) throw wrong();
      return accepted;
    }),

    answer(resetOperatorSignIn, async ({ name }) => {
      if (await removeSignIn(pool, name)) return { name };
      throw new Problem("not_found", "This operator has no password.");
    }),
  ];
}

function nameOf(actor: Actor): string {
  if (actor.kind !== "operator") throw new Problem("invalid_operator", "Sign the request with an operator's key.");
  return actor.name;
}

/** The same whichever was wrong, and for a code that was used before. */
const wrong = () =>
  new Problem("invalid_operator", "The password or the code is wrong. Each code works once: wait for the next one.");

const wrongCode = () =>
  new Problem("validation_failed", "The request has invalid fields.", {
    errors: [{ param: "code", code: "invalid", message: "must be the code that the authenticator shows now" }],
  });
