import type { MailText } from "./mail-text.ts";
import { MAILS_TO_TEAMS } from "./mails-to-teams.ts";
import { MAILS_TO_USERS } from "./mails-to-users.ts";

/** Every mail of the product, by its kind. */
const MAILS = { ...MAILS_TO_USERS, ...MAILS_TO_TEAMS };

export type MailKind = keyof typeof MAILS;

/** Throws if the data are not those of the kind. */
export const textOf = (kind: MailKind, detail: unknown): MailText => MAILS[kind](detail);

export const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(MAILS, kind);
