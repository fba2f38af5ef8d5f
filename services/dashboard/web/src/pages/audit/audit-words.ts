/** Readable labels of actions. An unknown action is shown by its name. */
const ACTIONS: Record<string, string> = {
  "customer.retired": "Retired a customer account",
  "transfer.made": "Created a transfer",
  "link.made": "Created a payment link",
  "link.changed": "Turned a payment link on or off",
  "keys.made": "Created the API keys",
  "key.rolled": "Rolled an API key",
  "webhook.set": "Set the webhook URL",
  "webhook.secret_revealed": "Revealed the signing secret",
  "webhook.secret_staged": "Staged a new signing secret",
  "webhook.secret_activated": "Activated the new signing secret",
  "webhook.secret_cancelled": "Discarded the new signing secret",
  "event.replayed": "Resent an event",
  "replay.started": "Started a replay of events",
  "replay.cancelled": "Stopped a replay of events",
  "verification.saved": "Saved a draft of the business verification",
  "verification.submitted": "Submitted the business verification",
  "member.invited": "Invited a member to the team",
  "member.role_changed": "Changed a role",
  "member.set_by_operator": "Set a member's role (operator)",
  "member.removed": "Removed a member from the team",
  "invitation.revoked": "Revoked an invitation",
  "invitation.accepted": "Accepted an invitation",
};

export const actionWords = (action: string): string => ACTIONS[action] ?? action.replaceAll(/[._]/g, " ");

/** The detail of an action on one line: `role: owner, email: ada@example.com`. Current members are shown by name. */
export function detailWords(detail: Record<string, unknown>, names: ReadonlyMap<string, string>): string {
  const known = Object.entries(detail).filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (known.length === 0) return "–";
  return known
    .map(([name, value]) =>
      name === "user_id"
        ? (names.get(String(value)) ?? String(value))
        : `${name.replaceAll("_", " ")}: ${valueWords(value)}`,
    )
    .join(", ");
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
