/** Reduces fields that may contain sensitive data to what the audit log may store. */

/** A URL without the parts that may contain credentials: user, password, query and fragment. */
export function withoutQuery(url: unknown): string | null {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed && `${parsed.origin}${parsed.pathname}`.slice(0, 300);
}

/** The last four digits of an account number. */
export function accountHint(accountNumber: unknown): string {
  return `…${String(accountNumber).slice(-4)}`;
}

/** The details of a business, without personal data; of the account only the last four digits. */
export function businessHint({ details }: Record<string, unknown>): Record<string, unknown> {
  const given = new Map(Object.entries(typeof details === "object" && details !== null ? details : {}));
  const account = given.get("settlement_account_number");
  const logged = ["registered_name", "rc_number", "settlement_bank_code"].filter((name) => given.has(name));
  return {
    ...Object.fromEntries(logged.map((name) => [name, given.get(name)])),
    ...(account !== undefined && { settlement_account: accountHint(account) }),
  };
}

/** How a business shows itself to payers, without the bytes of its logo. */
export function profileDetail({ color, support_email, support_phone, logo }: Record<string, unknown>) {
  const change = logo === undefined ? "kept" : logo === null ? "removed" : "replaced";
  return { color, support_email, support_phone, logo: change };
}
