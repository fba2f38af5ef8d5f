/** As long as a bank shows a name; a customer's name has at most 100 characters, so at least 25 are left for the business. */
const ACCOUNT_NAME_MAX = 128;
const SEPARATOR = " / ";

/** `"{Business} / {customer}"`: the customer's part verbatim; the business part is what gets shortened. */
export function accountName(business: string, customer: string): string {
  const room = ACCOUNT_NAME_MAX - SEPARATOR.length - [...customer].length;
  return `${shortened(business, room)}${SEPARATOR}${customer}`;
}

/** An account of the business itself stands in its own name. */
export function collectionAccountName(business: string): string {
  return shortened(business, ACCOUNT_NAME_MAX);
}

function shortened(name: string, room: number): string {
  const characters = [...name];
  if (characters.length <= room) return name;
  const kept = characters.slice(0, room - 1).join("");
  return `${kept.trimEnd()}…`;
}
