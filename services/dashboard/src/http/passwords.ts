import { Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { SCORE_MIN, strengthOf } from "../domain/password-strength.ts";
import { listMemberships } from "../store/sessions.ts";

/** Refuses a password that is easy to guess, with the reason. `personal`: what others know about the user. */
export async function assertStrong(
  password: string,
  { param, personal }: { param: string; personal: string[] },
): Promise<void> {
  const { score, hint } = await strengthOf(password, personal);
  if (score >= SCORE_MIN) return;
  const message = `is easy to guess${hint ? ` (${hint})` : ""}; three or four random words work well`;
  throw new Problem("validation_failed", `The password ${message}.`, {
    errors: [{ param, code: "too_weak", message }],
  });
}

/** The names and the address of a user, and the names of their businesses. */
export async function personalWordsOf(
  pool: Pool,
  { user_id, name, email }: { user_id: string; name: string; email: string },
): Promise<string[]> {
  const memberships = await listMemberships(pool, user_id);
  return [name, email, ...memberships.map((membership) => membership.name)];
}
