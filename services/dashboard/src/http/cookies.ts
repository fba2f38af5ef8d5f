import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import type { Config } from "../config.ts";
import { sha256 } from "../domain/token.ts";

const PREFIX = "collect";
const DEVICE_SECONDS = 365 * 86_400;
/** The cookies that better-auth reads. */
const BETTER_AUTH_COOKIES = ["session_token", "two_factor", "dont_remember"];

/** Parses and signs cookies; better-auth writes those of the session. */
export function createCookies({ APP_URL, AUTH_SECRET }: Pick<Config, "APP_URL" | "AUTH_SECRET">) {
  const isSecure = APP_URL.startsWith("https:");
  const nameOf = (cookie: string) => `${isSecure ? "__Host-" : ""}${PREFIX}.${cookie}`;
  const sign = (text: string) => createHmac("sha256", AUTH_SECRET).update(text).digest("base64");
  const attributes = { httpOnly: true, sameSite: "lax", secure: isSecure, path: "/" } as const;

  /** The text before the signature; undefined if the signature is not ours. */
  function signed(value: string | undefined, signatureOf: (text: string) => string): string | undefined {
    const end = value?.lastIndexOf(".") ?? -1;
    if (!value || end < 1) return undefined;
    const [text, signature] = [value.slice(0, end), value.slice(end + 1)];
    return isSame(signature, signatureOf(text)) ? text : undefined;
  }

  const waitingSignIn = (request: Request) => signed(cookieOf(request, nameOf("two_factor")), sign);
  const deviceSignature = (email: string) => (id: string) => sign(`device ${id} ${email}`);
  return {
    /** The session token that the browser sent; the session may have ended. */
    sessionToken: (request: Request) => signed(cookieOf(request, nameOf("session_token")), sign),

    /**
     * The cookies for better-auth, serialized again from those parsed here. Its parser differs from ours, and if both parsed
     * the same header, they could see the sessions of different users.
     */
    forBetterAuth: (request: Request) =>
      BETTER_AUTH_COOKIES.flatMap((cookie) => {
        const value = cookieOf(request, nameOf(cookie));
        return value ? [`${nameOf(cookie)}=${encodeURIComponent(value)}`] : [];
      }).join("; "),

    /** The sign-in in this browser that waits for its second factor. */
    waitingSignIn,

    /** Identifies the sign-in that waits for its second factor, or the session that requests one. */
    challengeOf: (request: Request) =>
      sha256(
        ["session_token", "two_factor"]
          .map((cookie) => signed(cookieOf(request, nameOf(cookie)), sign) ?? "")
          .join(" "),
      ).toString("base64url"),

    /** Identifies the browser if this account has signed in there before. */
    deviceOf: (request: Request, email: string) => {
      const id = signed(cookieOf(request, nameOf("device")), deviceSignature(email));
      return id && sha256(`${id} ${email}`).toString("base64url");
    },

    /** Marks the browser as one in which this account has signed in. It grants no access. */
    newDevice(email: string) {
      const id = randomBytes(16).toString("base64url");
      const options = { ...attributes, maxAge: DEVICE_SECONDS * 1_000 };
      return { name: nameOf("device"), value: `${id}.${deviceSignature(email)(id)}`, options };
    },
  };
}
export type Cookies = ReturnType<typeof createCookies>;

/** The first cookie with exactly this name, up to the `=`; a name in any other spelling is another cookie. */
function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  try {
    const decoded = value && decodeURIComponent(value);
    // encodeURIComponent throws on lone surrogates.
    return decoded?.isWellFormed() ? decoded : undefined;
  } catch {
    return undefined;
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
