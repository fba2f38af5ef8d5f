/** As long as a bank shows a name; a customer's name has at most 100 characters, so at least 25 are left for the business. */
const ACCOUNT_NAME_MAX = 128;
const SEPARATOR = " / ";

/** `"{Business} / {customer}"`: the customer's part verbatim; the business part is what gets shortened. */
export function accountName(business: string, customer: string): string {
  const room = ACCOUNT_NAME_MAX - SEPARATOR.length - [...customer].length;
  const characters = [...business];
  const shown =
    characters.length <= room
      ? business
      : `${characters
          .slice(0, room - 1)
          .join("")
          .trimEnd()}…`;
  return `${shown}${SEPARATOR}${customer}`;
}
