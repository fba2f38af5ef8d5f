import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import type { Config } from "../config.ts";
import { sha256 } from "../domain/token.ts";

const PREFIX = "collect";
const DEVICE_SECONDS = 365 * 86_400;

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

  const deviceSignature = (email: string) => (id: string) => sign(`device ${id} ${email}`);
  return {
    /** The token of the session that the browser has, whether or not it still is one. */
    sessionToken: (request: Request) => signed(cookieOf(request, nameOf("session_token")), sign),

    /** Which sign-in waits for its second factor here, or which session asks for one. */
    challengeOf: (request: Request) =>
      sha256(
        ["session_token", "two_factor"]
          .map((cookie) => signed(cookieOf(request, nameOf(cookie)), sign) ?? "")
          .join(" "),
      ).toString("base64url"),

    /** Which browser this is, if somebody has signed in to that account in it before. */
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

function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
