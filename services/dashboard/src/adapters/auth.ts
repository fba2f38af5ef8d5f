import { prismaAdapter } from "@better-auth/prisma-adapter";
import { isTransient } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { betterAuth } from "better-auth";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Config } from "../config.ts";
import { PASSWORD_LENGTH } from "../domain/password.ts";
import type { Prisma } from "../store/prisma.ts";
import { signInByLink } from "./sign-in-by-link.ts";

/** The base path of better-auth. Only the endpoints in http/sign-in-routes.ts are reachable. */
export const AUTH_PATH = "/api/auth";
/** Carries the caller's address to better-auth; a value sent by the client is overwritten. */
export const ADDRESS_HEADER = "x-caller-address";

export type Auth = ReturnType<typeof createAuth>;

/** Sign-in by better-auth: passwords (scrypt), second factors, sessions. It calls no external service. */
export function createAuth({ config, prisma, log }: { config: Config; prisma: Prisma; log: Logger }) {
  const isSecure = config.APP_URL.startsWith("https:");
  return betterAuth({
    appName: "Collect",
    baseURL: config.APP_URL,
    basePath: AUTH_PATH,
    secret: config.AUTH_SECRET,
    trustedOrigins: [config.APP_URL],
    database: prismaAdapter(prisma, { provider: "postgresql", transaction: true }),
    telemetry: { enabled: false },
    // Its messages are for developers and contain email addresses: only errors are logged, each truncated.
    logger: {
      level: "error",
      log: (_level, message) => log.warn({ said: String(message).slice(0, 200) }, "better-auth"),
    },
    // Errors other than refusals are rendered by this service.
    onAPIError: { throw: true },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      // A sign-up gets the same response whether or not the address is taken: docs/decisions/0015.
      autoSignIn: false,
    },
    session: { expiresIn: 7 * 86_400, updateAge: 86_400, cookieCache: { enabled: false } },
    // This service has its own rate limits, by account and by address.
    rateLimit: { enabled: false },
    plugins: [twoFactor({ issuer: "Collect" }), signInByLink()],
    advanced: {
      // `__Host-` requires Secure, the path / and no domain, so another host of the domain cannot set the cookie.
      useSecureCookies: false,
      cookiePrefix: isSecure ? "__Host-collect" : "collect",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", secure: isSecure, path: "/" },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
  });
}

/** Prisma wraps PostgreSQL's errors. These mean that the database is unavailable, which is temporary. */
export function isTransientFailure(error: unknown): boolean {
  if (isTransient(error)) return true;
  return error instanceof Error && "code" in error && /^P(1\d{3}|2024|2034)$/.test(String(error.code));
}
