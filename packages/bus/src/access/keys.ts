import type { ServiceName } from "@collect/contracts";
import { nkeys } from "nats";
import type { BrokerKeys } from "./broker-users.ts";
import { type MIGRATE, OPERATOR_PAGES } from "./permissions.ts";

/**
 * The users of a deployment. `operators` is the process that serves the operators' pages: what their table has, it may
 * forward. Further operators are added by name.
 */
export type BrokerUser = ServiceName | typeof MIGRATE | "operator" | "operators";

/** A new private key (an nkey seed), with which one user proves who it is. */
export const createSeed = (): string => new TextDecoder().decode(nkeys.createUser().getSeed());

export const publicKeyOf = (seed: string): string => nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey();

/** Whether it is the public key of a user: its check digits are right, so that a mistyped one is noticed. */
export function isPublicKey(text: string): boolean {
  try {
    nkeys.fromPublic(text);
    return text.startsWith("U");
  } catch {
    return false;
  }
}

/** For each user, what `of` returns for its name. */
export function forEachUser<Value>(of: (user: BrokerUser) => Value): Record<BrokerUser, Value> {
  return {
    gateway: of("gateway"),
    accounts: of("accounts"),
    ledger: of("ledger"),
    payments: of("payments"),
    webhooks: of("webhooks"),
    checkout: of("checkout"),
    dashboard: of("dashboard"),
    statements: of("statements"),
    migrate: of("migrate"),
    operator: of("operator"),
    operators: of("operators"),
  };
}

/** What the broker's configuration says of these seeds, one or more for each user. */
export function publicKeysOf(seeds: Record<BrokerUser, string | string[]>): BrokerKeys {
  const { operator, operators, ...keys } = forEachUser((user) => [seeds[user]].flat().map(publicKeyOf));
  return { ...keys, operators: { operator, [OPERATOR_PAGES]: operators } };
}
