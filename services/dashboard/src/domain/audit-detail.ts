/** What the audit log keeps of fields that may hold more than it should. */

/** A URL without what may be a credential in it: user, password, query and fragment. */
export function withoutQuery(url: unknown): string | null {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed && `${parsed.origin}${parsed.pathname}`.slice(0, 300);
}

/** An account by its last four digits. */
export function accountHint(accountNumber: unknown): string {
  return `…${String(accountNumber).slice(-4)}`;
}
