import type { MerchantScope } from "@collect/contracts";
import type { Keyring } from "@collect/runtime";

/** Signing secrets as the database holds them. One that was copied to another merchant or mode cannot be opened there. */
export type SealedSecrets = {
  seal(merchant: MerchantScope, secret: string): string;
  open(merchant: MerchantScope, stored: string): string;
  isCurrent: Keyring["isCurrent"];
};

/** Opening takes as long as signing, and one secret signs many deliveries. */
const OPENED_MAX = 4_096;

export function createSealedSecrets(keyring: Keyring): SealedSecrets {
  const contextOf = ({ id, mode }: MerchantScope) => `the signing secret of ${id} in ${mode}`;
  const opened = new Map<string, string>();

  function open(merchant: MerchantScope, stored: string): string {
    const key = `${contextOf(merchant)} ${stored}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    const secret = keyring.open(stored, contextOf(merchant));
    if (opened.size >= OPENED_MAX) opened.clear();
    opened.set(key, secret);
    return secret;
  }

  return {
    open,
    seal: (merchant, secret) => keyring.seal(secret, contextOf(merchant)),
    isCurrent: keyring.isCurrent,
  };
}

/** The secrets of a row, opened. */
export function openRow<Row extends { secret: string; staged_secret: string | null }>(
  secrets: SealedSecrets,
  merchant: MerchantScope,
  row: Row,
): Row {
  const { secret, staged_secret: staged } = row;
  return {
    ...row,
    secret: secrets.open(merchant, secret),
    staged_secret: staged === null ? null : secrets.open(merchant, staged),
  };
}
