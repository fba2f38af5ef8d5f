import { isRefusal } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Endpoint } from "../endpoints.ts";
import { addNotice, releaseNotice, withdrawNotice } from "../store/notices.ts";
import type { SentCall } from "./call.ts";

/** Longer than an act takes: then the team is notified, although its outcome is unknown. */
const HELD_FOR_S = 120;

/**
 * Notifies members of the team by mail of an act that concerns live mode. The notice is committed before the act, so that no
 * crash loses it, and is withdrawn if the act was refused.
 */
export async function announced<Answer>(
  { announces, audit }: Endpoint,
  { member, fields, client, context: { requestId } }: SentCall,
  pool: Pool,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const { merchant, name, email } = member;
  if (!announces || (merchant.mode !== "live" && !audit?.bothModes)) return act();
  const { kind, to: roles, outcome } = announces;
  const key = `act:${requestId}`;
  const detail = { ...announces.detail?.(fields), ...client, who: `${name} (${email})`, mode: merchant.mode };
  await addNotice(pool, { key, kind, merchantId: merchant.id, roles, detail, heldForS: HELD_FOR_S });
  try {
    const answer = await act();
    const known = outcome ? outcome(answer) : {};
    await (known ? releaseNotice(pool, key, known) : withdrawNotice(pool, key));
    return answer;
  } catch (error) {
    if (isRefusal(error)) await withdrawNotice(pool, key);
    throw error;
  }
}
