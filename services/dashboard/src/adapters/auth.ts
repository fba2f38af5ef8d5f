import { prismaAdapter } from "@better-auth/prisma-adapter";
import { isTransient } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { betterAuth } from "better-auth";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Config } from "../config.ts";
import { PASSWORD_LENGTH } from "../domain/password.ts";
import type { Prisma } from "../store/prisma.ts";
import { signInByLink } from "./sign-in-by-link.ts";

/** Where better-auth is mounted. Which of its endpoints can be reached at all is said in http/sign-in-routes.ts. */
export const AUTH_PATH = "/api/auth";
/** The header in which the address of the caller is handed on; what a client says in it is overwritten. */
export const ADDRESS_HEADER = "x-caller-address";

export type Auth = ReturnType<typeof createAuth>;

/** Sign-in by better-auth: passwords (scrypt), second factors, sessions. It calls no service outside. */
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
    // Its words are for developers and name addresses: nothing below an error, and only the first line of that.
    logger: {
      level: "error",
      log: (_level, message) => log.warn({ said: String(message).slice(0, 200) }, "better-auth"),
    },
    // What is not a refusal is ours to render.
    onAPIError: { throw: true },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      // A sign-up answers alike whether or not the address is taken: docs/decisions/0015.
      autoSignIn: false,
    },
    session: { expiresIn: 7 * 86_400, updateAge: 86_400, cookieCache: { enabled: false } },
    // Counted by the house's own limits, by account and by address.
    rateLimit: { enabled: false },
    plugins: [twoFactor({ issuer: "Collect" }), signInByLink()],
    advanced: {
      // `__Host-` wants Secure, the path / and no domain, which a neighbouring host cannot set.
      useSecureCookies: false,
      cookiePrefix: isSecure ? "__Host-collect" : "collect",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", secure: isSecure, path: "/" },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
  });
}

/** Prisma wraps what PostgreSQL said; a database that is away passes by itself. */
export function isTransientFailure(error: unknown): boolean {
  if (isTransient(error)) return true;
  return error instanceof Error && "code" in error && /^P(1\d{3}|2024|2034)$/.test(String(error.code));
}
