import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";
import { PASSKEY_COOKIE } from "../adapters/auth.ts";
import type { Config } from "../config.ts";
import { sha256 } from "../domain/token.ts";

const PREFIX = "collect";
const DEVICE_SECONDS = 365 * 86_400;
/** The cookies that better-auth reads. */
const BETTER_AUTH_COOKIES = ["session_token", "two_factor", "dont_remember", PASSKEY_COOKIE];

/** Parses and signs cookies; better-auth writes those of the session. */
export function createCookies({ APP_URL, AUTH_SECRET }: Pick<Config, "APP_URL" | "AUTH_SECRET">) {
  const isSecure = APP_URL.startsWith("https:");
  const nameOf = (cookie: string) => `${isSecure ? "__Host-" : ""}${PREFIX}.${cookie}`;
  const signWith = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("base64");
  const sign = (text: string) => signWith(AUTH_SECRET[0], text);
  const attributes = { httpOnly: true, sameSite: "lax", secure: isSecure, path: "/" } as const;

  /** The text before the signature; undefined if the signature is with none of our secrets. `of` is what was signed. */
  const signed = (value: string | undefined, of = (text: string) => text) =>
    textOf(value, (text, signature) => AUTH_SECRET.some((secret) => isSame(signature, signWith(secret, of(text)))));

  const waitingSignIn = (request: Request) => signed(cookieOf(request, nameOf("two_factor")));
  const deviceText = (email: string) => (id: string) => `device ${id} ${email}`;
  const deviceId = (request: Request, email: string) => signed(cookieOf(request, nameOf("device")), deviceText(email));
  const deviceHash = (id: string, email: string) => sha256(`${id} ${email}`).toString("base64url");
  return {
    /** The session token that the browser sent; the session may have ended. */
    sessionToken: (request: Request) => signed(cookieOf(request, nameOf("session_token"))),

    /**
     * The cookies for better-auth, serialized again from those parsed here. Its parser differs from ours, and if both parsed
     * the same header, they could see the sessions of different users. They are signed again too: better-auth accepts the
     * first secret only.
     */
    forBetterAuth: (request: Request) =>
      BETTER_AUTH_COOKIES.flatMap((cookie) => {
        const text = signed(cookieOf(request, nameOf(cookie)));
        return text ? [`${nameOf(cookie)}=${encodeURIComponent(`${text}.${sign(text)}`)}`] : [];
      }).join("; "),

    /** The sign-in in this browser that waits for its second factor. */
    waitingSignIn,

    /** Identifies the sign-in that waits for its second factor, or the session that requests one. */
    challengeOf: (request: Request) =>
      sha256(
        ["session_token", "two_factor"].map((cookie) => signed(cookieOf(request, nameOf(cookie))) ?? "").join(" "),
      ).toString("base64url"),

    /** Identifies the browser if this account has signed in there before. */
    deviceOf: (request: Request, email: string) => {
      const id = deviceId(request, email);
      return id && deviceHash(id, email);
    },

    /** Marks the browser as one in which this account has signed in, for another year. It grants no access. Returns what `deviceOf` will. */
    markDevice(request: Request, response: Response, email: string): string {
      const id = deviceId(request, email) ?? randomBytes(16).toString("base64url");
      const options = { ...attributes, maxAge: DEVICE_SECONDS * 1_000 };
      response.cookie(nameOf("device"), `${id}.${sign(deviceText(email)(id))}`, options);
      return deviceHash(id, email);
    },

    /** The token of the session that this response begins. */
    issuedToken(response: Response): string | undefined {
      const value = issuedCookie(response, nameOf("session_token"));
      return value ? signed(value) : undefined;
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

/** The text before the signature, if that is accepted. */
function textOf(value: string | undefined, isAccepted: (text: string, signature: string) => boolean) {
  const end = value?.lastIndexOf(".") ?? -1;
  if (!value || end < 1) return undefined;
  const [text, signature] = [value.slice(0, end), value.slice(end + 1)];
  return isAccepted(text, signature) ? text : undefined;
}

/** The last cookie of this name that the response sets. */
function issuedCookie(response: Response, name: string): string | undefined {
  const issued = [response.getHeader("set-cookie") ?? []].flat().map(String);
  const value = issued
    .findLast((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .split(";")[0];
  return value && decodeURIComponent(value);
}
