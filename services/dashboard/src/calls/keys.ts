import { createRestrictedKey, makeKeys, revokeRestrictedKey, rollKey } from "@collect/contracts";
import { z } from "zod";
import { permissionToMake } from "../domain/key-permission.ts";
import { act, announced, composedAct, type Declaration, only } from "./declaration.ts";

const NONE = z.object({});

/** The acts on API keys, among those of a merchant. */
export const KEY_ACTS = {
  // Test keys are created when the API keys page is first opened, without asking.
  "keys/make": composedAct("keys", {
    input: NONE,
    output: makeKeys.output,
    alsoNeeds: (_fields, mode) => permissionToMake({ kind: "secret", mode }),
    recentlyAuthenticated: "live",
    confirmed: "live",
    audit: { action: "keys.made" },
    announces: announced("key_changed", "New API keys"),
  }),
  "keys/roll": composedAct("keys", {
    input: rollKey.input.omit({ merchant_id: true, mode: true }),
    output: rollKey.output,
    alsoNeeds: ({ kind }, mode) => permissionToMake({ kind, mode }),
    recentlyAuthenticated: true,
    confirmed: "live",
    audit: { action: "key.rolled", detail: only("kind", "overlap_hours") },
    announces: announced("key_changed", ({ kind }) => `A new ${kind} key`),
  }),
  "keys/reveal": composedAct("keys", {
    input: NONE,
    output: z.object({ key_id: z.string(), key: z.string() }),
    audit: { action: "key.revealed" },
  }),
  "keys/restricted": act("keys", createRestrictedKey, {
    alsoNeeds: ({ scopes }, mode) => permissionToMake({ kind: "restricted", mode, scopes }),
    recentlyAuthenticated: true,
    confirmed: "live",
    audit: { action: "restricted_key.made", detail: only("name", "scopes", "addresses") },
    announces: announced("key_changed", "A new restricted key"),
  }),
  "keys/:key_id/revoke": act("keys", revokeRestrictedKey, {
    recentlyAuthenticated: true,
    audit: { action: "restricted_key.revoked", detail: only("key_id") },
  }),
  "keys/:key_id/keep": composedAct("secret_keys", {
    input: z.object({ key_id: z.string().regex(/^\d{1,18}$/), user_id: z.string().max(80) }),
    output: z.object({ key_id: z.string() }),
    recentlyAuthenticated: true,
    audit: { action: "key.kept", detail: only("key_id", "user_id") },
  }),
} satisfies Record<string, Declaration>;
