import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { generateRandomString } from "better-auth/crypto";
import { z } from "zod";

const CHALLENGE_SECONDS = 600;
/** Only called within the process: the endpoint is not routed, so no caller can choose the user of a link. */
export const SIGN_IN_BY_LINK = "/sign-in/by-link";

/**
 * Signs in the user of a link that was just used. A user with a second factor must still provide it, in the same way as
 * after a password, so the page continues at `/two-factor/verify-totp`.
 */
export function signInByLink() {
  return {
    id: "sign-in-by-link",
    endpoints: {
      signInByLink: createAuthEndpoint.serverOnly(
        { method: "POST", body: z.object({ userId: z.string() }) },
        async (ctx) => {
          const { internalAdapter, createAuthCookie, secret } = ctx.context;
          const user = await internalAdapter.findUserById(ctx.body.userId);
          if (!user) throw new APIError("UNAUTHORIZED");
          if ("twoFactorEnabled" in user && user.twoFactorEnabled) {
            const identifier = `2fa-${generateRandomString(20)}`;
            const expiresAt = new Date(Date.now() + CHALLENGE_SECONDS * 1_000);
            await internalAdapter.createVerificationValue({ value: user.id, identifier, expiresAt });
            await internalAdapter.createVerificationValue({
              value: "0",
              identifier: `2fa-attempts-${identifier}`,
              expiresAt,
            });
            const cookie = createAuthCookie("two_factor", { maxAge: CHALLENGE_SECONDS });
            await ctx.setSignedCookie(cookie.name, identifier, secret, cookie.attributes);
            return ctx.json({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
          }
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(ctx, { session, user });
          return ctx.json({ twoFactorRedirect: false, twoFactorMethods: [] });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}
