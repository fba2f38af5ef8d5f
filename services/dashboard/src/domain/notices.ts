import { deviceName } from "./device-name.ts";
import { isMailKind } from "./mail-texts.ts";
import { VALID_MINUTES } from "./mails-to-users.ts";

/** Something that people are notified of by mail, with their addresses. */
export type Notice = {
  id: bigint;
  key: string | null;
  kind: string;
  user_id: string | null;
  merchant_id: string | null;
  detail: Record<string, unknown>;
  at: string;
  recipients: string[];
  business: string | null;
  /** For a user: whether the address is proven, and whether the account is older than the notice. */
  is_confirmed: boolean | null;
  is_settled: boolean | null;
};

/** The mail about a notice; one goes to each of its recipients. `confirms`: the user whose address the link in it proves. */
export type PlannedMail = {
  occasion: string;
  recipients: string[];
  kind: string;
  detail: object;
  confirms?: { userId: string; validMinutes: number };
};

/** Null where no mail is due. */
export function mailAbout({ id, key, kind, detail: noted, at, ...about }: Notice): PlannedMail | null {
  const occasion = key ?? `notice:${id}`;
  const { recipients, user_id: userId, merchant_id, business } = about;
  const { user_agent, ...detail } = noted;
  const place = user_agent === undefined ? {} : { device: deviceName(user_agent) };
  const mail = { occasion, recipients, kind, detail: { at, ...detail, ...place } };
  switch (kind) {
    case "user_created":
      if (about.is_confirmed || userId === null) return null;
      return {
        ...mail,
        kind: "confirm_address",
        detail: {},
        confirms: { userId, validMinutes: VALID_MINUTES.confirm_address },
      };
    case "password_changed":
      // The password of the sign-up itself.
      return about.is_settled ? mail : null;
  }
  if (!isMailKind(kind)) return null;
  return merchant_id === null ? mail : { ...mail, detail: { ...mail.detail, merchant_id, business: business ?? "" } };
}
