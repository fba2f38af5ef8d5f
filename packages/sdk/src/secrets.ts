import { WebhookVerificationError } from "./errors.ts";

/** The signing secrets of a setting, or the reason why one cannot be right. */
export function checkedSecrets(given: string | readonly string[]): string[] {
  const secrets = [given].flat();
  if (secrets.length === 0) throw wrongSecret("There is no signing secret in the list: are the settings loaded?");
  return secrets.map(checkedSecret);
}

function checkedSecret(secret: unknown): string {
  if (typeof secret !== "string" || secret === "")
    throw wrongSecret("The signing secret is empty: is the setting loaded?");
  if (/\s/.test(secret))
    throw wrongSecret("The signing secret contains white space: copy it again, without a line break.");
  if (/^[sp]k_/.test(secret)) throw wrongSecret("This is an API key. The signing secret begins with whsec_.");
  if (!secret.startsWith("whsec_"))
    throw wrongSecret("The signing secret begins with whsec_: use it exactly as displayed.");
  return secret;
}

const wrongSecret = (what: string) => new WebhookVerificationError("secret_invalid", what);
