import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import type { Config } from "../config.ts";
import { sha256 } from "../domain/token.ts";

const PREFIX = "collect";
const DEVICE_SECONDS = 365 * 86_400;
/** Those that better-auth reads here. */
const OF_BETTER_AUTH = ["session_token", "two_factor", "dont_remember"];

/** The cookies as this service reads them; better-auth writes those of the session. */
export function createCookies({ APP_URL, AUTH_SECRET }: Pick<Config, "APP_URL" | "AUTH_SECRET">) {
  const isSecure = APP_URL.startsWith("https:");
  const nameOf = (cookie: string) => `${isSecure ? "__Host-" : ""}${PREFIX}.${cookie}`;
  const sign = (text: string) => createHmac("sha256", AUTH_SECRET).update(text).digest("base64");
  const attributes = { httpOnly: true, sameSite: "lax", secure: isSecure, path: "/" } as const;

  /** What stands before the signature, if it is ours. */
  function signed(value: string | undefined, signatureOf: (text: string) => string): string | undefined {
    const end = value?.lastIndexOf(".") ?? -1;
    if (!value || end < 1) return undefined;
    const [text, signature] = [value.slice(0, end), value.slice(end + 1)];
    return isSame(signature, signatureOf(text)) ? text : undefined;
  }

  const waitingSignIn = (request: Request) => signed(cookieOf(request, nameOf("two_factor")), sign);
  const deviceSignature = (email: string) => (id: string) => sign(`device ${id} ${email}`);
  return {
    /** The token of the session that the browser has, whether or not it still is one. */
    sessionToken: (request: Request) => signed(cookieOf(request, nameOf("session_token")), sign),

    /**
     * The cookies that better-auth is to see, written anew from what is read here. It takes a header apart in its own way, and
     * of two readings of one header each could see another person's session.
     */
    forBetterAuth: (request: Request) =>
      OF_BETTER_AUTH.flatMap((cookie) => {
        const value = cookieOf(request, nameOf(cookie));
        return value ? [`${nameOf(cookie)}=${encodeURIComponent(value)}`] : [];
      }).join("; "),

    /** The sign-in that waits for its second factor here. */
    waitingSignIn,

    /** Which sign-in waits for its second factor here, or which session asks for one. */
    challengeOf: (request: Request) =>
      sha256(
        ["session_token", "two_factor"]
          .map((cookie) => signed(cookieOf(request, nameOf(cookie)), sign) ?? "")
          .join(" "),
      ).toString("base64url"),

    /** Which browser this is, if that account was signed in to in it before. */
    deviceOf: (request: Request, email: string) => {
      const id = signed(cookieOf(request, nameOf("device")), deviceSignature(email));
      return id && sha256(`${id} ${email}`).toString("base64url");
    },

    /** Marks the browser as one in which this account was signed in to. It opens nothing. */
    newDevice(email: string) {
      const id = randomBytes(16).toString("base64url");
      const options = { ...attributes, maxAge: DEVICE_SECONDS * 1_000 };
      return { name: nameOf("device"), value: `${id}.${deviceSignature(email)(id)}`, options };
    },
  };
}
export type Cookies = ReturnType<typeof createCookies>;

/** The first of that name: a name ends at its `=`, and what is spelled otherwise is another cookie. */
function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  try {
    const decoded = value && decodeURIComponent(value);
    // encodeURIComponent must take it back.
    return decoded?.isWellFormed() ? decoded : undefined;
  } catch {
    return undefined;
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
