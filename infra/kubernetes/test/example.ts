import { newSecret } from "../../docker/src/new-secret.ts";

/** A value for a setting that is a secret. */
export function exampleOf(setting: string): string {
  if (setting === "SMTP_URL") return "smtps://user:word@smtp.example.com";
  return newSecret(setting === "KEYRING" ? "X_KEYRING" : setting);
}
