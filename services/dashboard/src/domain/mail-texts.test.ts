import { expect, test } from "vitest";
import { messageId, messageOf } from "./mail-message.ts";
import { isFinal, retryAfterS } from "./mail-schedule.ts";
import { unlinked } from "./mail-text.ts";
import { isMailKind, textOf } from "./mail-texts.ts";
import type { MAILS_TO_TEAMS } from "./mails-to-teams.ts";

const APP = "https://app.example";
const at = "2026-11-22T09:30:00.000Z";

test("a mail says what happened in Lagos time and what to do, with its link written out", () => {
  const text = textOf("password_changed", { at });
  expect(text.paragraphs[0]).toBe("The password of your account was changed on 22 November 2026 at 10:30, Lagos time.");
  const { text: plain, html } = messageOf(text, APP);
  expect(plain).toContain("Reset your password:\nhttps://app.example/forgot-password");
  expect(html).toContain('<a href="https://app.example/forgot-password"');
});

test("a name that someone else chose is neither markup nor a link", () => {
  const business = `<b>Win</b> https://evil.example & "prizes"`;
  const text = textOf("invitation", { token: "t", business, inviter: "a@evil.example", role: "viewer" });
  const { html, text: plain } = messageOf(text, APP);
  expect(html).not.toContain("<b>");
  expect(`${plain} ${text.subject}`).not.toMatch(/evil\.example|https:\/\/evil/);
  expect(unlinked("Ada Obi & Sons Ltd.")).toBe("Ada Obi & Sons Ltd.");
});

const act = { at, ip: "102.89.1.2", device: "Chrome on Android", who: "Ada Obi (ada@example.com)" };
const inBusiness = { business: "Eze Textiles", merchant_id: "mer_1" };
const payee = {
  account: "4579",
  bank: "First Bank",
  name: "CHIDI EZE",
  amount: 1_500,
  reference: "o-1",
  ordered_by: "x",
};

/** What each kind of mail about a business is given. */
const ABOUT_BUSINESSES: Record<keyof typeof MAILS_TO_TEAMS, object> = {
  key_changed: { ...act, ...inBusiness, what: "A new secret key", mode: "live" },
  webhook_changed: { ...act, ...inBusiness, what: "New URL", url: "https://shop.example/hook", mode: "live" },
  business_profile_changed: { ...act, ...inBusiness, email: "ada@example.com", phone: null, logo: "kept" },
  payout_limits_changed: { ...act, ...inBusiness },
  member_role_changed: { ...act, ...inBusiness, member: "Bola", from: "viewer", role: "owner" },
  member_removed: { ...act, ...inBusiness, member: "Bola", from: "viewer" },
  member_joined: { ...act, ...inBusiness, role: "viewer" },
  new_payees: { at, ...inBusiness, count: 1, payees: [{ ...payee, at }] },
  webhook_failing: { at, ...inBusiness, host: "shop.example", failure: "HTTP 503", waiting: 1_200 },
  webhook_recovered: { at, ...inBusiness, host: "shop.example" },
  report: { at, ...inBusiness, every: "monthly", from: "2026-10-31T23:00:00Z", before: "2026-11-30T23:00:00Z" },
  verification_approved: { at, ...inBusiness },
  verification_returned: { at, ...inBusiness, reason: "The number does not match." },
};

test.each(Object.entries(ABOUT_BUSINESSES))(
  "the mail %s names the business in its subject, and says when and from where",
  (kind, detail) => {
    if (!isMailKind(kind)) throw new Error(`${kind} is no mail`);
    const { subject, ...text } = textOf(kind, detail);
    expect(subject).toContain("Eze Textiles");
    const { text: plain, html } = messageOf({ subject, ...text }, APP);
    for (const said of [plain, html]) {
      expect(said).toContain("22 November 2026 at 10:30, Lagos time");
      if ("ip" in detail) expect(said).toContain("from Chrome on Android (102.89.1.2)");
      expect(said).toContain(`${APP}/m/mer_1/live/`);
      expect(said).not.toMatch(/undefined|null|\[object|ada@example|shop\.example/);
    }
  },
);

test("a report names its period in Lagos, and leads to where it is downloaded", () => {
  const week = { from: "2026-11-15T23:00:00.000+00:00", before: "2026-11-22T23:00:00.000+00:00" };
  const weekly = textOf("report", { at, ...inBusiness, every: "weekly", ...week });
  expect(weekly.subject).toBe("Settlements from 16 November 2026 to 22 November 2026 of Eze Textiles");
  expect(weekly.button?.path).toBe(`/m/mer_1/live/settlements?${new URLSearchParams(week)}`);
  const monthly = textOf("report", ABOUT_BUSINESSES.report);
  expect(monthly.subject).toBe("Statement for November 2026 of Eze Textiles");
  expect(monthly.button?.path).toBe("/m/mer_1/live/statements?month=2026-11");
});

const ABOUT_USERS = {
  password_changed: act,
  two_factor_on: act,
  two_factor_off: act,
  passkey_added: { ...act, name: "My phone" },
  passkey_removed: { ...act, name: null },
  signed_in: act,
  enrol_factor: { ...act, code: "4821 7730" },
  your_role_changed: { ...act, ...inBusiness, role: "viewer" },
  removed_from_team: { ...act, ...inBusiness },
};

test.each(Object.entries(ABOUT_USERS))("the mail %s says when, from where, and what to do", (kind, detail) => {
  if (!isMailKind(kind)) throw new Error(`${kind} is no mail`);
  const { text, html } = messageOf(textOf(kind, detail), APP);
  for (const said of [text, html]) {
    expect(said).toContain("on 22 November 2026 at 10:30, Lagos time, from Chrome on Android (102.89.1.2)");
    expect(said.replaceAll("&#39;", "'")).toMatch(/If (this wasn't you|you don't expect this), /);
    expect(said).not.toMatch(/undefined|null|\[object/);
  }
});

test("where the place is not known the sentence reads without it", () => {
  const [said] = textOf("password_changed", { at }).paragraphs;
  expect(said).toMatch(/Lagos time\.$/);
  const [byNetwork] = textOf("password_changed", { at, ip: "102.89.1.2" }).paragraphs;
  expect(byNetwork).toMatch(/, from 102\.89\.1\.2\.$/);
});

test("the same mail has the same id at every attempt, and another one has another", () => {
  const mail = { occasion: "notice:1", recipient: "ada@example.com" };
  expect(messageId(mail, APP)).toBe(messageId(mail, APP));
  expect(messageId({ ...mail, recipient: "obi@example.com" }, APP)).not.toBe(messageId(mail, APP));
});

test("a mail is retried with growing pauses for a day, then given up; a refused recipient at once", () => {
  const pauses = Array.from({ length: 9 }, (_, n) => retryAfterS(n + 1));
  expect(pauses.slice(0, 3)).toEqual([30, 120, 600]);
  expect(pauses.at(-1)).toBeNull();
  expect(isFinal({ code: "EENVELOPE", responseCode: 550 })).toBe(true);
  expect(isFinal({ code: "EENVELOPE", responseCode: 451 })).toBe(false);
  // A wrong password of ours is not the recipient's fault.
  expect(isFinal({ code: "EAUTH", responseCode: 535 })).toBe(false);
});
