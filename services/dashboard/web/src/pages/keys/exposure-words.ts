import type { ReadResponse } from "../../api/calls.ts";
import { dateOf } from "../../components/lagos-time.ts";
import { roleLabel } from "../team/roles.ts";

export type Key = ReadResponse<"keys">["keys"][number];
export type Exposure = Key["exposed_to"][number];

/** `sk_live_…3xYz`, with the name of a restricted key before it. */
export function keyWords({ name, prefix, last_four }: Pick<Key, "name" | "prefix" | "last_four">): string {
  const masked = `${prefix}…${last_four}`;
  return name ? `“${name}” (${masked})` : masked;
}

/** Why somebody should not know a key any more: “Ada Obi left on 3 May 2026 and made this key.” */
export function exposureWords(exposure: Exposure): string {
  return `${lossWords(exposure)} and ${exposure.made_it ? "made" : "may have seen"} this key.`;
}

/** The same of a signing secret. */
export const shownWords = (exposure: Exposure): string => `${lossWords(exposure)} and was shown this secret.`;

/** What changed, without an end: “Ada Obi left on 3 May 2026”. */
export function lossWords({ name, until, present }: Exposure): string {
  const on = dateOf(until);
  return present ? `${name} became ${roleLabel(present).toLowerCase()} on ${on}` : `${name} left on ${on}`;
}
