import type { Mode } from "@collect/contracts";

/** The permission to make a key, and so to see it. Keys that can send real money are for owners; what cannot be read can. */
export function permissionToMake(key: { kind: unknown; mode: Mode; scopes?: unknown }): "keys" | "secret_keys" {
  const { kind, mode, scopes } = key;
  const isLimited = kind === "public" || (kind === "restricted" && Array.isArray(scopes) && !scopes.includes(SENDS));
  return mode === "live" && !isLimited ? "secret_keys" : "keys";
}

const SENDS = "transfers:write";
