/** The pages of the records that a request can be about. */
export const TRACED = ["customers", "sessions", "collections", "transfers", "settlements"] as const;
type Kind = (typeof TRACED)[number];

const BY_PREFIX: Record<string, Kind> = {
  pay: "sessions",
  col: "collections",
  trf: "transfers",
  stl: "settlements",
};
const BY_NOUN: Record<string, Kind> = {
  customer_accounts: "customers",
  payments: "sessions",
  collections: "collections",
  transfers: "transfers",
  settlements: "settlements",
};

/** Paths of ours that name no record. */
const NAMELESS: Record<string, string> = { payments: "crypto", transfers: "resolve" };

/**
 * The record that a call is about: what its response names, or else what its path does. Our references say their kind; any
 * other is the merchant's own, and of the kind of the path.
 */
export function recordOf({
  path,
  made,
}: {
  path: string;
  made: string | null;
}): { kind: Kind; reference: string } | null {
  const [, noun = "", named] = /^\/v1\/([a-z_]+)(?:\/([A-Za-z0-9._:-]+))?/.exec(path) ?? [];
  const reference = made ?? (NAMELESS[noun] === named ? undefined : named);
  const [, prefix = ""] = /^([a-z]{3})_/.exec(reference ?? "") ?? [];
  const kind = BY_PREFIX[prefix] ?? BY_NOUN[noun];
  return kind && reference ? { kind, reference } : null;
}
