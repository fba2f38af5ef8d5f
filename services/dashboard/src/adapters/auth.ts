import { passkey } from "@better-auth/passkey";
import { prismaAdapter } from "@better-auth/prisma-adapter";
import { isTransient } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { APIError } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Config } from "../config.ts";
import { PASSWORD_LENGTH } from "../domain/password.ts";
import type { Prisma } from "../store/prisma.ts";
import { withSealedTwoFactors } from "./sealed-two-factors.ts";
import type { SecondFactors } from "./second-factors.ts";
import { signInByLink } from "./sign-in-by-link.ts";

/** The base path of better-auth. Only the endpoints in http/sign-in-routes.ts are reachable. */
export const AUTH_PATH = "/api/auth";
/** Carries the caller's address to better-auth; a value sent by the client is overwritten. */
export const ADDRESS_HEADER = "x-caller-address";

/** Holds the challenge of a passkey; better-auth adds its prefix. */
export const PASSKEY_COOKIE = "passkey_challenge";

export type Auth = ReturnType<typeof createAuth>;

type Deps = { config: Config; prisma: Prisma; log: Logger; secondFactors: SecondFactors };

/** Sign-in by better-auth: passwords (scrypt), second factors, sessions. It calls no external service. */
export function createAuth({ config, prisma, log, secondFactors }: Deps) {
  const isSecure = config.APP_URL.startsWith("https:");
  return betterAuth({
    appName: "Collect",
    baseURL: config.APP_URL,
    basePath: AUTH_PATH,
    secret: config.AUTH_SECRET[0],
    trustedOrigins: [config.APP_URL],
    database: withSealedTwoFactors(prismaAdapter(prisma, { provider: "postgresql", transaction: true }), secondFactors),
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
    // A session in use is not prolonged. Without use it ends earlier, which this service checks, as it does recent authentication.
    session: {
      expiresIn: config.SESSION_MAX_H * 3_600,
      disableSessionRefresh: true,
      freshAge: 0,
      cookieCache: { enabled: false },
    },
    // This service has its own rate limits, by account and by address.
    rateLimit: { enabled: false },
    plugins: [twoFactor({ issuer: "Collect" }), passkeys(config.APP_URL), signInByLink()],
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

/** A passkey counts as two factors, so the authenticator must have verified its user, by a fingerprint or a PIN. */
function passkeys(appUrl: string) {
  const assertUserVerified = (isVerified: boolean | undefined) => {
    if (!isVerified) throw new APIError("BAD_REQUEST", { code: "AUTHENTICATION_FAILED" });
  };
  return passkey({
    rpID: new URL(appUrl).hostname,
    rpName: "Collect",
    origin: appUrl,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    advanced: { webAuthnChallengeCookie: PASSKEY_COOKIE },
    registration: {
      afterVerification: async ({ verification }) => assertUserVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification }) => assertUserVerified(verification.authenticationInfo.userVerified),
    },
  });
}

/** Prisma wraps PostgreSQL's errors. These mean that the database is unavailable, or a transaction took too long, which is temporary. */
export function isTransientFailure(error: unknown): boolean {
  if (isTransient(error)) return true;
  return error instanceof Error && "code" in error && /^P(1\d{3}|2024|2028|2034)$/.test(String(error.code));
}
