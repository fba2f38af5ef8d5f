import { Problem } from "@collect/contracts";
import type { Request, Response } from "express";
import { z } from "zod";
import { ADDRESS_HEADER, AUTH_PATH, type Auth, isTransientFailure } from "../adapters/auth.ts";
import type { Cookies } from "./cookies.ts";

/** The headers that are forwarded to better-auth unchanged. */
const FORWARDED_HEADERS = ["origin", "user-agent", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"];

/** Contains the cookies as this service parsed them, so that both see the same session. */
export function headersOf(request: Request, cookies: Cookies): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: request.ip ?? "" });
  const ours = cookies.forBetterAuth(request);
  if (ours) headers.set("cookie", ours);
  for (const name of FORWARDED_HEADERS) {
    const value = request.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

/**
 * Calls better-auth with these fields and nothing else that the client sent. Sets its cookies whatever the response, and
 * throws a refusal as a Problem.
 */
export async function relay(
  { auth, cookies }: { auth: Auth; cookies: Cookies },
  { request, response, path, fields }: { request: Request; response: Response; path: string; fields?: object },
): Promise<unknown> {
  const headers = headersOf(request, cookies);
  if (fields) headers.set("content-type", "application/json");
  const url = new URL(`${AUTH_PATH}${path}`, auth.options.baseURL);
  const call = new globalThis.Request(url, {
    method: fields ? "POST" : "GET",
    headers,
    ...(fields && { body: JSON.stringify(fields) }),
  });
  return answerOf(await withOutages(auth.handler(call)), response, path);
}

/** Sets the cookies of better-auth's response, and returns its body. */
export async function answerOf(answer: globalThis.Response, response: Response, path = ""): Promise<unknown> {
  for (const cookie of answer.headers.getSetCookie()) response.append("Set-Cookie", cookie);
  const text = await answer.text();
  const body: unknown = text ? JSON.parse(text) : null;
  if (answer.ok) return body;
  throw refusal(answer.status, Refused.parse(body ?? {}), path);
}

const Refused = z.object({ code: z.string().default(""), message: z.string().default("This was refused.") });

/** Turns an unavailable database into a `service_unavailable`. */
export async function withOutages<Result>(answer: Promise<Result>): Promise<Result> {
  return answer.catch((cause) => {
    if (isTransientFailure(cause))
      throw new Problem("service_unavailable", "Temporarily unavailable. Try again shortly.", { cause });
    throw cause;
  });
}

const invalid = (param: string, message: string) =>
  new Problem("validation_failed", `The ${WORDS[param] ?? param} ${message}.`, {
    errors: [{ param, code: "invalid", message }],
  });
const WORDS: Record<string, string> = { currentPassword: "current password", newPassword: "new password" };

function refusal(status: number, { code, message }: z.infer<typeof Refused>, path: string): Problem {
  if (status === 401 && (code === "" || code === "UNAUTHORIZED"))
    return new Problem("sign_in_required", "Sign in first.");
  switch (code) {
    case "INVALID_EMAIL_OR_PASSWORD":
      return new Problem("sign_in_required", "The email or password is incorrect.");
    case "INVALID_TWO_FACTOR_COOKIE":
      return new Problem("sign_in_required", "The code has expired. Sign in again.");
    case "INVALID_PASSWORD":
      return invalid(path === "/change-password" ? "currentPassword" : "password", "is incorrect");
    case "INVALID_CODE":
    case "INVALID_BACKUP_CODE":
      return invalid("code", "is incorrect");
    case "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE":
      return new Problem("rate_limited", "Too many incorrect codes. Sign in again.");
    case "ACCOUNT_TEMPORARILY_LOCKED":
      return new Problem("rate_limited", "Too many incorrect codes. Try again in 15 minutes.");
    case "CHALLENGE_NOT_FOUND":
      return new Problem("conflict", "The request for your passkey has expired. Try again.");
    case "PASSKEY_NOT_FOUND":
    case "AUTHENTICATION_FAILED":
      return new Problem(
        "sign_in_required",
        "This passkey was not accepted. Try another one, or another way to sign in.",
      );
    case "FAILED_TO_VERIFY_REGISTRATION":
      return new Problem("validation_failed", "The passkey was not accepted. Try again with another device.");
    case "CREDENTIAL_ACCOUNT_NOT_FOUND":
      return new Problem("conflict", "You have no password yet.");
    case "PASSWORD_ALREADY_SET":
      return new Problem("conflict", "You already have a password. Change it instead.");
    case "TOTP_ALREADY_ENABLED":
    case "TOTP_NOT_ENABLED":
    case "TWO_FACTOR_NOT_ENABLED":
      return new Problem("conflict", `${message.replace(/\.$/, "")}.`);
  }
  if (status === 429) return new Problem("rate_limited", "Too many attempts. Try again shortly.");
  if (status === 404) return new Problem("not_found", "There is nothing at this URL.");
  if (status >= 500) return new Problem("internal_error", "Something went wrong on our side. Try again shortly.");
  return new Problem("validation_failed", message);
}
