import { z } from "zod";
import { Happened, happened, type MailText, mail, unlinked } from "./mail-text.ts";

/** The mails about a user's own account. No mail contains a secret but a link or a code that works once. */

const NONE = z.object({});
const ByToken = z.object({ token: z.string() });
const AboutPasskey = Happened.extend({ name: z.string().nullish() });
const InTeam = Happened.extend({ business: z.string(), merchant_id: z.string(), who: z.string() });

/** The links and codes of a mail expire; this is what the mail says about it. */
export const VALID_MINUTES = { confirm_address: 24 * 60, reset_password: 30, enrol_factor: 15 } as const;

const WARNING = "If this wasn't you, reset your password now, then sign out all devices on the Security page.";
const RESET = { label: "Reset your password", path: "/forgot-password" };
const IGNORE = "If you didn't ask for this, you can ignore this email.";

export const MAILS_TO_USERS = {
  confirm_address: mail(ByToken, ({ token }) => ({
    subject: "Confirm your email address",
    paragraphs: [
      "Someone signed up for Collect with this address. If it was you, confirm it in the browser you signed up with.",
      "The link works once, for 24 hours. If you didn't sign up, you can ignore this email.",
    ],
    button: { label: "Confirm this address", path: `/confirm-address/${token}` },
  })),
  already_registered: mail(NONE, () => ({
    subject: "You already have an account",
    paragraphs: [
      "Someone tried to sign up for Collect with this address, but it already has an account. Nothing was changed.",
      "If it was you, sign in instead. If you forgot your password, you can reset it.",
    ],
    button: RESET,
  })),
  reset_password: mail(ByToken, ({ token }) => ({
    subject: "Reset your password",
    paragraphs: [
      "With this link you can choose a new password. It works once, for 30 minutes, and signs you out everywhere.",
      IGNORE,
    ],
    button: { label: "Choose a new password", path: `/reset-password/${token}` },
  })),
  enrol_factor: mail(Happened.extend({ code: z.string() }), ({ code, ...when }) => ({
    subject: "Your code to set up a second factor",
    paragraphs: [
      `Your code is ${code}. Enter it on the page where you are setting up a passkey or an authenticator app.`,
      `It was requested with your password ${happened(when)}. It works once, on that page only, for ${VALID_MINUTES.enrol_factor} minutes. We never ask for it by phone or chat.`,
      "If this wasn't you, someone else knows your password: don't pass the code on, and reset your password now.",
    ],
    button: RESET,
  })),
  invitation: mail(
    ByToken.extend({ business: z.string(), inviter: z.string(), role: z.string() }),
    ({ token, business, inviter, role }) => ({
      subject: `You're invited to ${unlinked(business)}`,
      paragraphs: [
        `${unlinked(inviter)} invites you to join the team of ${unlinked(business)} on Collect, with the role of ${role}.`,
        "The link works once, for 7 days. Use it with an account that has this email address.",
        "If you don't know them, you can ignore this email.",
      ],
      button: { label: "See the invitation", path: `/invitation/${token}` },
    }),
  ),
  signed_in: mail(Happened, (when) => ({
    subject: "New sign-in to your account",
    paragraphs: [`You signed in with a browser that we haven't seen before, ${happened(when)}.`, WARNING],
    button: RESET,
  })),
  password_changed: mail(Happened, (when) => ({
    subject: "Your password was changed",
    paragraphs: [`The password of your account was changed ${happened(when)}.`, WARNING],
    button: RESET,
  })),
  two_factor_on: mail(Happened, (when) => factorMail("Two-factor authentication is on", "was turned on", when)),
  two_factor_off: mail(Happened, (when) => factorMail("Two-factor authentication is off", "was turned off", when)),
  passkey_added: mail(AboutPasskey, (given) => passkeyMail("added", "to", given)),
  passkey_removed: mail(AboutPasskey, (given) => passkeyMail("removed", "from", given)),
  your_role_changed: mail(InTeam.extend({ role: z.string() }), ({ business, merchant_id, who, role, ...when }) => ({
    subject: `Your role in ${unlinked(business)} was changed`,
    paragraphs: [
      `${unlinked(who)} changed your role in the team of ${unlinked(business)} to ${role}, ${happened(when)}.`,
      "If you don't expect this, ask another owner of the business about it.",
    ],
    button: { label: "Open the business", path: `/m/${merchant_id}/test` },
  })),
  removed_from_team: mail(InTeam, ({ business, who, ...when }) => ({
    subject: `You were removed from ${unlinked(business)}`,
    paragraphs: [
      `${unlinked(who)} removed you from the team of ${unlinked(business)}, ${happened(when)}.`,
      "If you don't expect this, ask another owner of the business about it; if there is none, contact our support.",
    ],
  })),
};

function factorMail(subject: string, verb: string, when: z.output<typeof Happened>): MailText {
  return {
    subject,
    paragraphs: [`Two-factor authentication of your account ${verb} ${happened(when)}.`, WARNING],
    button: RESET,
  };
}

function passkeyMail(verb: string, preposition: string, { name, ...when }: z.output<typeof AboutPasskey>): MailText {
  return {
    subject: `A passkey was ${verb}`,
    paragraphs: [
      `The passkey "${unlinked(name ?? "Passkey")}" was ${verb} ${preposition} your account ${happened(when)}.`,
      WARNING,
    ],
    button: RESET,
  };
}
