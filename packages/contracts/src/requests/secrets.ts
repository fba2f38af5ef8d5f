import { z } from "zod";
import { request } from "../message.ts";

/** The services whose databases hold secrets that they must be able to read again: signing secrets, second factors, test keys. */
export const SECRET_SERVICES = ["webhooks", "dashboard"] as const;
export type SecretService = (typeof SECRET_SERVICES)[number];

const reencrypt = (service: SecretService) =>
  request({
    subject: `${service}.secrets.reencrypt`,
    callers: ["operator"],
    operator: { action: "secrets.reencrypted" },
    meaning:
      "Encrypt the next rows of secrets with the first key of the keyring, unless they are already. Safe to repeat.",
    deadlineMs: 10_000,
    input: z.object({
      /** The `next` of the last response; null begins. */
      after: z.string().nullable(),
    }),
    output: z.object({
      checked: z.int(),
      reencrypted: z.int(),
      /** Rows that no key opens: tampered with, copied from another row, or under a key that was removed. */
      unreadable: z.array(z.string()),
      /** Null when these were the last. */
      next: z.string().nullable(),
    }),
  });

export const reencryptSecrets = {
  webhooks: reencrypt("webhooks"),
  dashboard: reencrypt("dashboard"),
} satisfies Record<SecretService, unknown>;
