import type { Kobo } from "@collect/money";
import type { End, Transfer } from "./transfer.ts";

/** A success of at least this much, ₦100, shows the holder's name: who tries accounts by paying them pays for each. */
export const NAMED_FROM: Kobo = 10_000n;

type Named = Pick<Transfer, "accountName" | "nameWithheld" | "amount">;

/**
 * The holder's name as the merchant sees it in this status. A name that came with more orders to unknown accounts than an
 * hour allows is withheld until the money was sent: an order can be declined, or be for one kobo.
 */
export function shownName({ accountName, nameWithheld, amount }: Named, status: "pending" | End): string {
  const isPaid = status === "success" && amount >= NAMED_FROM;
  return nameWithheld && !isPaid ? maskedName(accountName) : accountName;
}

/** The initials, by which a list can still be checked: NGOZI EZE is N*** E***. */
const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== "")
    .map(([initial]) => `${initial}***`)
    .join(" ");
