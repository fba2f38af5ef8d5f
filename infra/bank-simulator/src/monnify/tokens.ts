import { randomBytes, timingSafeEqual } from "node:crypto";
import { Refusal } from "./envelope.ts";

export type Tokens = {
  /** A new token for the right `Authorization: Basic …`. */
  logIn(authorization: string | undefined): { accessToken: string; expiresIn: number };
  isValid(token: string): boolean;
  /** All tokens end now, or new ones will live this long. */
  set(setting: { expire?: boolean | undefined; life_s?: number | undefined }): void;
  logins(): number;
};

const LIFE_S = 3_600;
const KEPT_MAX = 1_000;

export function createTokens(credentials: { apiKey: string; secretKey: string }): Tokens {
  const basic = `Basic ${Buffer.from(`${credentials.apiKey}:${credentials.secretKey}`).toString("base64")}`;
  const expiry = new Map<string, number>();
  let lifeS = LIFE_S;
  let logins = 0;
  return {
    logIn(authorization = "") {
      if (!isSame(authorization, basic)) throw new Refusal(401, "Incorrect API key or secret key");
      logins++;
      const accessToken = `simulated.${randomBytes(24).toString("base64url")}`;
      expiry.set(accessToken, Date.now() + lifeS * 1_000);
      for (const oldest of [...expiry.keys()].slice(0, -KEPT_MAX)) expiry.delete(oldest);
      return { accessToken, expiresIn: lifeS };
    },
    isValid: (token) => (expiry.get(token) ?? 0) > Date.now(),
    set({ expire, life_s }) {
      if (expire) expiry.clear();
      if (life_s !== undefined) lifeS = life_s;
    },
    logins: () => logins,
  };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
