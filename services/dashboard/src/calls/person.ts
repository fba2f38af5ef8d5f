import { Id, Instant, MemberRole, Name } from "@collect/contracts";
import { z } from "zod";
import { Email } from "../domain/email.ts";
import { NewPassword, PASSWORD_LENGTH, Password } from "../domain/password.ts";
import { PERMISSIONS } from "../domain/role.ts";

/**
 * Every call below `/api` that concerns the user rather than one merchant, by path. Those below `auth/` are better-auth's,
 * which returns more than is declared here.
 */

const NONE = z.object({});
const ByToken = z.object({ token: z.string().max(200) });
const Done = z.looseObject({ status: z.boolean() });
const Code = z
  .string()
  .trim()
  .transform((code) => code.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^[0-9A-Za-z-]{6,20}$/, "must be a code"));

/** Signed in, or redirected to the second factor first. */
const SignedIn = z.looseObject({ twoFactorRedirect: z.boolean().optional() });

/** What the browser's authenticator returned; better-auth checks it. */
const Credential = z.looseObject({ id: z.string().min(1).max(1_500) });
const PasskeyName = z.string().trim().min(1, "must not be empty").max(60, "must be at most 60 characters");
const Passkey = z.looseObject({ id: z.string(), name: z.string().nullish(), createdAt: z.string().nullish() });

const Membership = z.object({
  merchant_id: Id,
  name: z.string(),
  role: MemberRole,
  /** What the role may do: the pages offer nothing else. */
  permissions: z.array(z.enum(PERMISSIONS)),
  verified_at: Instant.nullable(),
});

const Me = z.object({
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    two_factor_enabled: z.boolean(),
    has_password: z.boolean(),
    has_passkey: z.boolean(),
    is_confirmed: z.boolean(),
  }),
  /** Until then the session can take sensitive actions without reauthentication. */
  session: z.object({
    id: z.string(),
    recently_authenticated_until: Instant.nullable(),
    /** Whether a second factor was given in it. */
    second_factor: z.boolean(),
  }),
  /** What this installation does: whether it sends mail, needs a second factor in live mode, and has a test receiver. */
  rules: z.object({ sends_mail: z.boolean(), live_second_factor: z.boolean(), test_receiver: z.boolean() }),
  merchants: z.array(Membership),
  /** The public URLs of the merchant API and the checkout. */
  urls: z.object({ api: z.string(), checkout: z.string() }),
});

const Session = z.looseObject({
  id: z.string(),
  /** Useless for signing in without its signature; identifies the session to revoke. */
  token: z.string(),
  createdAt: z.string(),
  ipAddress: z.string().nullish(),
  userAgent: z.string().nullish(),
});

export const PERSON_READS = {
  /** `optional`: null if the browser is signed out, which is not an error. */
  me: { input: z.object({ optional: z.boolean().optional() }), output: Me.nullable() },
  /** Those of the user, and failed attempts under the user's address, newest first. */
  "sign-ins": {
    input: NONE,
    output: z.array(
      z.object({
        at: Instant,
        is_successful: z.boolean(),
        address: z.string().nullable(),
        is_new_device: z.boolean(),
      }),
    ),
  },
  "auth/list-sessions": { input: NONE, output: z.array(Session) },
  "auth/passkey/list-user-passkeys": { input: NONE, output: z.array(Passkey) },
  /** The options of the WebAuthn calls, as better-auth makes them. */
  "auth/passkey/generate-register-options": { input: NONE, output: z.looseObject({}) },
  "auth/passkey/generate-authenticate-options": { input: NONE, output: z.looseObject({}) },
};

export const PERSON_ACTS = {
  reauthenticate: {
    input: z.object({ password: z.string().max(PASSWORD_LENGTH.max).optional(), code: z.string().max(20).optional() }),
    output: z.object({ recently_authenticated_until: Instant }),
  },
  password: { input: z.object({ new_password: NewPassword }), output: Done },
  /** The same response, whether or not the address is known. */
  "password-reset/request": { input: z.object({ email: Email }), output: Done },
  "password-reset": { input: ByToken.extend({ new_password: NewPassword }), output: Done },
  /** Before a second factor is set up. `code`: only where no mail is sent. */
  "second-factor/begin": {
    input: z.object({ password: Password }),
    output: z.object({
      sent_to: z.string().nullable(),
      code: z.string().nullable(),
      permitted_until: Instant.nullable(),
    }),
  },
  "second-factor/confirm": {
    input: z.object({ code: z.string().max(20) }),
    output: z.object({ permitted_until: Instant }),
  },
  "address/send": { input: NONE, output: Done },
  "address/confirm": { input: ByToken, output: Done },
  merchants: { input: z.object({ name: Name }), output: z.object({ merchant_id: Id, name: z.string() }) },
  "sign-in-link": { input: ByToken, output: SignedIn },
  /** Anyone with the link can read it, so it does not name the address that it was sent to. */
  "invitations/show": {
    input: ByToken,
    output: z.object({ business: z.string(), inviter: z.string(), role: MemberRole }),
  },
  "invitations/accept": { input: ByToken, output: z.object({ merchant_id: Id, name: z.string() }) },
  "auth/sign-up/email": { input: z.object({ name: Name, email: Email, password: NewPassword }), output: Done },
  "auth/sign-in/email": {
    input: z.object({ email: Email, password: Password, rememberMe: z.boolean().optional() }),
    output: SignedIn,
  },
  "auth/two-factor/verify-totp": { input: z.object({ code: Code }), output: z.looseObject({}) },
  "auth/two-factor/verify-backup-code": { input: z.object({ code: Code }), output: z.looseObject({}) },
  "auth/sign-out": { input: NONE, output: z.looseObject({}) },
  "auth/revoke-session": { input: z.object({ token: z.string().min(1).max(100) }), output: Done },
  "auth/revoke-other-sessions": { input: NONE, output: Done },
  "auth/revoke-sessions": { input: NONE, output: Done },
  "auth/change-password": {
    input: z.object({ currentPassword: Password, newPassword: NewPassword }),
    output: z.looseObject({}),
  },
  "auth/passkey/verify-registration": {
    input: z.object({ response: Credential, name: PasskeyName }),
    output: z.looseObject({ id: z.string() }),
  },
  "auth/passkey/verify-authentication": { input: z.object({ response: Credential }), output: z.looseObject({}) },
  "auth/passkey/update-passkey": {
    input: z.object({ id: z.string().max(80), name: PasskeyName }),
    output: z.looseObject({}),
  },
  "auth/passkey/delete-passkey": { input: z.object({ id: z.string().max(80) }), output: Done },
  "auth/two-factor/enable": {
    input: z.object({ password: Password }),
    output: z.looseObject({ totpURI: z.string(), backupCodes: z.array(z.string()) }),
  },
  "auth/two-factor/disable": { input: z.object({ password: Password }), output: Done },
  "auth/two-factor/generate-backup-codes": {
    input: z.object({ password: Password }),
    output: z.looseObject({ backupCodes: z.array(z.string()) }),
  },
};
