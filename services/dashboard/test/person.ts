import { expect } from "vitest";
import { type Browser, PASSWORD } from "./dashboard.ts";
import { totpOf } from "./totp.ts";

/** What people do in a browser, as tests of sign-in say it. */

export const signUp = (browser: Browser, email: string, password = PASSWORD, name = "Ada Obi") =>
  browser.post("/api/auth/sign-up/email", { name, email, password });

export const sessionOf = (browser: Pick<Browser, "cookies">) => browser.cookies.get("collect.session_token");

export const me = async (browser: Pick<Browser, "get">) => (await browser.get("/api/me")).status;

/** The code after the present one, which is taken already; never the one that the factor was enabled with. */
export const nextCode = (uri: string) => totpOf(uri, Date.now() + 25_000);

export async function withTwoFactor(browser: Browser) {
  const enabled = await browser.post("/api/auth/two-factor/enable", { password: PASSWORD });
  const uri = String(enabled.body.totpURI);
  // The code before the present one, which is still taken; each is taken once.
  const code = totpOf(uri, Date.now() - 20_000);
  expect((await browser.post("/api/auth/two-factor/verify-totp", { code })).status).toBe(200);
  const codes: string[] = Object(enabled.body.backupCodes);
  return { uri, codes };
}
