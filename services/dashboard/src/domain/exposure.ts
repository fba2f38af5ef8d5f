import type { KeyScope, MemberRole, Mode } from "@collect/contracts";
import { permissionToMake } from "./key-permission.ts";
import { isAllowed, type Permission } from "./role.ts";

/** A person's role in a team, and until when; `present` is what they are now, null for a person who has left. Lists are newest first. */
export type FormerRole = {
  user_id: string;
  name: string;
  email: string;
  role: MemberRole;
  until: string;
  present: MemberRole | null;
};

/** A key, as far as it matters who has seen it. */
export type SeenKey = {
  id: string;
  kind: "secret" | "public" | "restricted";
  mode: Mode;
  scopes: readonly KeyScope[];
  created_at: string;
  expires_at: string | null;
  made_by: { kind: string; user_id?: string } | null;
};

/** A person who could see a secret and may not any more. Who made it, or was shown it, saw it; others only may have. */
export type Exposure = Pick<FormerRole, "user_id" | "name" | "email" | "until" | "present"> & { made_it: boolean };

/**
 * Who could see a key that still works, and has since lost the permission to: the key should be rolled. Who made it saw it; if that
 * was no member, whoever could have made it since may have. A public key is no secret, and one that expires has been rolled or
 * revoked. `kept` has the people for whom an owner decided to keep the key, `shownTo` those who were shown it again.
 */
export function exposuresOf(
  key: SeenKey,
  former: readonly FormerRole[],
  { kept, shownTo }: Record<"kept" | "shownTo", ReadonlySet<string>>,
): Exposure[] {
  if (key.kind === "public" || key.expires_at) return [];
  const { made_by, created_at } = key;
  const needed = permissionToMake(key);
  const couldSee = ({ user_id, role, until }: FormerRole) =>
    made_by?.kind === "member"
      ? made_by.user_id === user_id || shownTo.has(user_id)
      : isAllowed(role, needed) && Date.parse(until) > Date.parse(created_at);
  const seen = former.filter((person) => couldSee(person) && !kept.has(person.user_id));
  return exposed(seen, { needed, madeBy: made_by?.user_id });
}

/** Who was shown the signing secret and has since lost the permission to see it. */
export function exposuresOfSecret(shownTo: ReadonlySet<string>, former: readonly FormerRole[]): Exposure[] {
  const seen = former.filter(({ user_id }) => shownTo.has(user_id));
  return exposed(seen, { needed: "webhooks", madeBy: undefined });
}

/** Each person once, as of their newest former role, unless the present one has the permission. */
function exposed(
  seen: readonly FormerRole[],
  { needed, madeBy }: { needed: Permission; madeBy: string | undefined },
): Exposure[] {
  const byUser = new Map<string, Exposure>();
  for (const { role: _role, ...person } of seen) {
    const { user_id, present } = person;
    if (byUser.has(user_id) || (present && isAllowed(present, needed))) continue;
    byUser.set(user_id, { ...person, made_it: madeBy === user_id });
  }
  return [...byUser.values()];
}
