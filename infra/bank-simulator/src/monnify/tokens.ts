import { randomBytes, timingSafeEqual } from "node:crypto";
import { Refusal } from "./envelope.ts";

export type Tokens = {
  /** A new token for the right `Authorization: Basic …`. */
  logIn(authorization: string | undefined): { accessToken: string; expiresIn: number };
  isValid(token: string): boolean;
  /** All tokens end after so many more calls. */
  endAfter(calls: number): void;
  logins(): number;
};

const LIFE_S = 3_600;
const KEPT_MAX = 1_000;

export function createTokens(credentials: { apiKey: string; secretKey: string }): Tokens {
  const basic = `Basic ${Buffer.from(`${credentials.apiKey}:${credentials.secretKey}`).toString("base64")}`;
  const expiry = new Map<string, number>();
  let logins = 0;
  let callsLeft = Number.POSITIVE_INFINITY;
  return {
    logIn(authorization = "") {
      if (!isSame(authorization, basic)) throw new Refusal(401, "Incorrect API key or secret key");
      logins++;
      const accessToken = `simulated.${randomBytes(24).toString("base64url")}`;
      expiry.set(accessToken, Date.now() + LIFE_S * 1_000);
      for (const oldest of [...expiry.keys()].slice(0, -KEPT_MAX)) expiry.delete(oldest);
      return { accessToken, expiresIn: LIFE_S };
    },
    isValid(token) {
      if (callsLeft-- <= 0) {
        expiry.clear();
        callsLeft = Number.POSITIVE_INFINITY;
      }
      return (expiry.get(token) ?? 0) > Date.now();
    },
    endAfter(calls) {
      callsLeft = calls;
    },
    logins: () => logins,
  };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
