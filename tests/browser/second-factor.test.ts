import { openMailbox, tokenIn } from "@collect/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { expectFit } from "../stack/fit.ts";
import { startStack } from "../stack.ts";

/** A new owner's way to live mode, by mail and with a passkey of the browser's own. */

const mailbox = await openMailbox();
const stack = await startStack({ env: { dashboard: { SMTP_URL: mailbox.url, LIVE_SECOND_FACTOR: "required" } } });
// Passkeys belong to a host name; an address such as 127.0.0.1 has none.
const app = stack.dashboardUrl.replace("127.0.0.1", "localhost");
await stack.service("dashboard").restart({ env: { APP_URL: app } });
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
  await mailbox.close();
});

/** Chromium's virtual authenticator: a phone that knows its owner's finger. */
async function withAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const EMAIL = "ngozi@example.com";
const PASSWORD = "mangoes dance on tuesdays";

test("from a sign-up to live mode: a strong password, a confirmed address, a passkey; then signed in by it alone", async () => {
  const { page, faults, close } = await openPage(browser, { expected: [400, 401, 403, 404, 409] });
  await withAuthenticator(page);
  await page.goto(`${app}/sign-up`);
  await page.getByLabel("Your name").fill("Ngozi Eze");
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill("1234567890");
  await page.getByText("Very easy to guess").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByText("Very strong").waitFor();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByLabel("Business name").fill("Eze Textiles");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Confirm your email address").waitFor();

  const [mail] = await mailbox.untilMailed(EMAIL, "Confirm your email address");
  await page.goto(`${app}/confirm-address/${tokenIn(mail)}`);
  await page.getByRole("button", { name: `Confirm ${EMAIL}` }).waitFor();
  await expectFit(page);
  await page.getByRole("button", { name: `Confirm ${EMAIL}` }).click();
  await page.waitForURL(/\/m\/mer_\w+\/test/);
  await expect.poll(() => page.getByText("Confirm your email address").count()).toBe(0);

  await page.getByRole("radiogroup", { name: "Mode" }).getByText("Live").click();
  await page.getByRole("heading", { name: "Live mode needs a second factor" }).waitFor();
  await expectFit(page);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  const [sent] = await mailbox.untilMailed(EMAIL, "Your code to set up a second factor");
  await page.getByText(`We sent a code to ${EMAIL}`).waitFor();
  await expectFit(page);
  await page.getByLabel("Code from the email").fill(/\b\d{4} \d{4}\b/.exec(sent?.text ?? "")?.[0] ?? "");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Passkey name").fill("My laptop");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByText("My laptop").waitFor();
  await page.getByRole("button", { name: "Continue to live mode" }).click();
  await expect.poll(() => page.getByText("Live mode needs a second factor").count()).toBe(0);
  await mailbox.untilMailed(EMAIL, "A passkey was added");

  await page.context().clearCookies();
  await page.goto(`${app}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(/\/m\/mer_\w+\/test/);
  await page.getByRole("radiogroup", { name: "Mode" }).getByText("Live").click();
  await page.waitForURL(/\/live/);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  expect(await page.getByText("Live mode needs a second factor").count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test("a forgotten password is reset by mail, and the page of an ended session says why", async () => {
  const { page, faults, close } = await openPage(browser, { expected: [401] });
  await page.goto(`${app}/sign-in`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // The page before has a field of that name, too.
  await page.getByRole("button", { name: "Send the link" }).waitFor();
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByText("Check your email").waitFor();
  await expectFit(page);
  const [mail] = await mailbox.untilMailed(EMAIL, "Reset your password");
  await page.goto(`${app}/reset-password/${tokenIn(mail)}`);
  await page.getByLabel("New password").fill("four quiet rivers meet");
  await expectFit(page);
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill("four quiet rivers meet");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/m\/mer_\w+\/test/);
  // Otherwise a call of the open page could learn it first, and the reload would forget it.
  const home = page.url();
  await page.goto("about:blank");
  await stack.database("dashboard").query("update sessions set last_used_at = clock_timestamp() - interval '12 hours'");
  await page.goto(home);
  await page.getByText("You were signed out because you were inactive for 12 hours.").waitFor();
  expect(faults).toEqual([]);
  await close();
});
