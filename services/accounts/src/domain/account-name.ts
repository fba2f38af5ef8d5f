/** The maximum length that a bank displays; a customer's name has at most 100 characters, so at least 25 remain for the business. */
const ACCOUNT_NAME_MAX = 128;
const SEPARATOR = " / ";

/** `"{Business} / {customer}"`: the customer's name is verbatim; the business name is shortened. */
export function accountName(business: string, customer: string): string {
  const lengthMax = ACCOUNT_NAME_MAX - SEPARATOR.length - [...customer].length;
  return `${truncate(business, lengthMax)}${SEPARATOR}${customer}`;
}

/** A collection account is in the name of the business. */
export function collectionAccountName(business: string): string {
  return truncate(business, ACCOUNT_NAME_MAX);
}

function truncate(name: string, lengthMax: number): string {
  const characters = [...name];
  if (characters.length <= lengthMax) return name;
  const kept = characters.slice(0, lengthMax - 1).join("");
  return `${kept.trimEnd()}…`;
}
