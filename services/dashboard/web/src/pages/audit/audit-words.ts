/** Readable labels of actions. An unknown action is shown by its name. */
const ACTIONS: Record<string, string> = {
  "customer.issued": "Issued a customer account",
  "customer.retired": "Retired a customer account",
  "collection.attached": "Attached unmatched money",
  "transfer.made": "Created a transfer",
  "transfer.sent_again": "Sent a failed transfer again",
  "inbox.assigned": "Changed who an Inbox item is assigned to",
  "inbox.done": "Marked an Inbox item as done",
  "inbox.reopened": "Reopened an Inbox item",
  "transfer.approved": "Approved a transfer",
  "transfer.declined": "Declined a transfer",
  "beneficiary.saved": "Saved a beneficiary",
  "beneficiary.removed": "Removed a beneficiary",
  "transfer_batch.uploaded": "Uploaded a bulk transfer",
  "transfer_batch.confirmed": "Confirmed a bulk transfer",
  "transfer_batch.approved": "Approved a bulk transfer",
  "transfer_batch.reopened": "Opened the refused lines of a bulk transfer again",
  "transfer_batch.discarded": "Discarded a bulk transfer",
  "payout_limits.set": "Changed the transfer limits",
  "session.created": "Created a payment session",
  "account.resolved": "Looked up the name of a bank account",
  "list.exported": "Exported a list",
  "link.made": "Created a payment link",
  "link.changed": "Turned a payment link on or off",
  "keys.made": "Created the API keys",
  "key.rolled": "Rolled an API key",
  "restricted_key.made": "Created a restricted key",
  "restricted_key.revoked": "Revoked a restricted key",
  "key.kept": "Kept a key that a former member may know",
  "key.revealed": "Showed the test secret key again",
  "test_clock.advanced": "Advanced the test clock",
  "scenario.played": "Played a scenario with test money",
  "webhook.set": "Set the webhook URL",
  "webhook.paused": "Paused the webhook",
  "webhook.resumed": "Resumed or retried the webhook",
  "webhook.challenged": "Sent the webhook challenge again",
  "webhook.secret_revealed": "Revealed the signing secret",
  "webhook.secret_staged": "Staged a new signing secret",
  "webhook.secret_activated": "Activated the new signing secret",
  "webhook.secret_cancelled": "Discarded the new signing secret",
  "checkout_settings.set": "Changed what the public key may do",
  "business_profile.set": "Changed the business profile",
  "mails.set": "Changed which emails to get",
  "event.replayed": "Resent an event",
  "test_event.sent": "Sent a test event",
  "collections.resent": "Resent the events of collections",
  "replay.started": "Started resending a range of events",
  "replay.cancelled": "Stopped resending a range of events",
  "verification.saved": "Saved a draft of the business verification",
  "verification.submitted": "Submitted the business verification",
  "member.invited": "Invited a member to the team",
  "member.role_changed": "Changed a role",
  "member.set_by_operator": "Set a member's role",
  "merchant.registered": "Created the business",
  "merchant.created": "Created the business",
  "merchant.verified": "Verified the business",
  "merchant.suspended": "Suspended the business",
  "merchant.resumed": "Lifted the suspension of the business",
  "verification.decided": "Reviewed the business verification",
  "fee.set": "Set the fee",
  "amount_limit.set": "Set the limit per payment",
  "settlement.run": "Settled the collected balance",
  "settlement_schedule.set": "Set the settlement schedule",
  "transfer.allocated": "Credited unallocated money",
  "partner.chosen": "Chose the partner bank of new accounts",
  "payout_partner.chosen": "Chose the partner bank of payouts",
  "partner.opening_settled": "Settled an unanswered account opening",
  "customer.erased": "Erased a customer's personal data",
  "payer.erased": "Erased a payer's personal data",
  "erasures.repeated": "Repeated erasures of personal data",
  "transfers.redriven": "Reprocessed incoming transfers",
  "reversal.reported": "Took back a transfer that the bank took back",
  "reversal.closed": "Closed a reversal that the ledger refuses",
  "credit.never_came": "Took back a transfer that the bank never had",
  "credit.came_late": "Credited a transfer again that came after all",
  "transfer.reported": "Credited a transfer of a bank's statement",
  "transfer.report_withdrawn": "Took back the offer of a transfer of a bank's statement",
  "bank_account.set": "Changed an account at a bank",
  "bank_account.ended": "Ended an account at a bank",
  "bank_account.continued": "Took back the end of an account at a bank",
  "bank_account.removed": "Removed an account at a bank",
  "statements.imported": "Imported statements of a bank",
  "statement.withdrawn": "Withdrew a statement of a bank",
  "lines.matched": "Matched lines of a bank's statement",
  "match.undone": "Undid a match of a bank's statement",
  "day.explained": "Explained a difference with a bank",
  "day.closed": "Closed a day",
  "day.reopened": "Reopened a day",
  "payouts.stopped": "Stopped all payouts",
  "payouts.started": "Started payouts again",
  "payout.ended": "Ended a transfer that the bank did not answer",
  "payout.repeated": "Sent a transfer to the bank again",
  "payout.returned": "Gave back a transfer that the bank returned",
  "payout.return_taken_back": "Took back the return of a transfer",
  "dead_letters.retried": "Retried a failed message",
  "dead_letters.discarded": "Discarded a failed message",
  "recovery.started": "Started recovering a restored database",
  "recovery.ended": "Finished recovering a restored database",
  "secrets.reencrypted": "Re-encrypted stored secrets",
  "operator.added": "Added an operator",
  "operator.removed": "Removed an operator",
  "operator.sign_in_set_up": "Set up the sign-in of an operator",
  "operator.signed_in": "Signed in as an operator",
  "operator.sign_in_reset": "Reset the sign-in of an operator",
  "proposal.created": "Proposed an action to another operator",
  "proposal.cancelled": "Canceled a proposed action",
  signed_in: "Signed in",
  "sign_in.failed": "Failed to sign in",
  "sign_in_link.made": "Created a sign-in link",
  "sign_in_link.used": "Signed in with a link",
  "session.ended": "Signed out a device",
  "sessions.ended": "Signed out other devices",
  "password.set": "Set a password",
  "password.changed": "Changed the password",
  "password.change_failed": "Failed to change the password",
  "second_factor.code_sent": "Confirmed the password to set up a second factor",
  "second_factor.set_up": "Started setting up a second factor",
  "second_factor.enabled": "Turned on a second factor",
  "second_factor.disabled": "Turned off the second factor",
  "backup_codes.made": "Created backup codes",
  "passkey.added": "Added a passkey",
  "passkey.removed": "Removed a passkey",
  "password.reset": "Reset the password by email",
  "member.removed": "Removed a member from the team",
  "invitation.revoked": "Revoked an invitation",
  "invitation.accepted": "Accepted an invitation",
};

/** Who acted: a member or a key by name, one of our operators, or nobody who was signed in. */
export function whoWords({ kind, name }: { kind: string; name: string }): string {
  if (kind === "operator") return `Operator (${name})`;
  if (kind === "anonymous") return "A visitor who was not signed in";
  return name;
}

/** Whether an action has words of its own. */
export const hasWords = (action: string): boolean => Object.hasOwn(ACTIONS, action);

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
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
