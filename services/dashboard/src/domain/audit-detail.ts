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

/** What was filled in about a business, without what is about its people; the account by its last four digits. */
export function businessHint({ details }: Record<string, unknown>): Record<string, unknown> {
  const given = new Map(Object.entries(typeof details === "object" && details !== null ? details : {}));
  const account = given.get("settlement_account_number");
  const told = ["registered_name", "rc_number", "settlement_bank_code"].filter((name) => given.has(name));
  return {
    ...Object.fromEntries(told.map((name) => [name, given.get(name)])),
    ...(account !== undefined && { settlement_account: accountHint(account) }),
  };
}
