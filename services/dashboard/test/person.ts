import type { openMailbox } from "@collect/testing";
import { expect } from "vitest";
import { type Browser, PASSWORD } from "./dashboard.ts";
import { totpOf } from "./totp.ts";

type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/** What people do in a browser, as tests of sign-in say it. */

export const signUp = (browser: Browser, email: string, password = PASSWORD, name = "Ada Obi") =>
  browser.post("/api/auth/sign-up/email", { name, email, password });

export const sessionOf = (browser: Pick<Browser, "cookies">) => browser.cookies.get("collect.session_token");

export const me = async (browser: Pick<Browser, "get">) => (await browser.get("/api/me")).status;

/** The code after the present one, which is taken already; never the one that the factor was enabled with. */
export const nextCode = (uri: string) => totpOf(uri, Date.now() + 25_000);

/** The password again and, before a first second factor, the code: shown where no mail is sent, else in the mail. */
export async function mayEnrol(browser: Pick<Browser, "post">, mailbox?: Mailbox) {
  const begun = await browser.post("/api/second-factor/begin", { password: PASSWORD });
  expect(begun.status).toBe(200);
  const { code: shown, sent_to } = begun.body;
  const code = shown ?? (mailbox && sent_to && codeIn((await mailbox.untilMailed(String(sent_to), CODE_MAIL)).at(-1)));
  if (code) expect((await browser.post("/api/second-factor/confirm", { code })).status).toBe(200);
}

export const CODE_MAIL = "Your code to set up a second factor";
export const codeIn = (mail: { text: string } | undefined) => /\b\d{4} \d{4}\b/.exec(mail?.text ?? "")?.[0] ?? "";

export async function withTwoFactor(browser: Pick<Browser, "post">, mailbox?: Mailbox) {
  await mayEnrol(browser, mailbox);
  const enabled = await browser.post("/api/auth/two-factor/enable", { password: PASSWORD });
  const uri = String(enabled.body.totpURI);
  // The code before the present one, which is still taken; each is taken once.
  const code = totpOf(uri, Date.now() - 20_000);
  expect((await browser.post("/api/auth/two-factor/verify-totp", { code })).status).toBe(200);
  const codes: string[] = Object(enabled.body.backupCodes);
  return { uri, codes };
}
