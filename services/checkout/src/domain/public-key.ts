const PUBLIC_KEY = /^pk_(?:test|live)_[0-9A-Za-z]{38}$/;

/**
 * The public key of an `Authorization: Bearer …` header; undefined for anything else. In particular a secret key,
 * which came from a browser by mistake, is not forwarded.
 */
export function publicKeyOf(authorization: string | undefined): string | undefined {
  const [, key = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  return PUBLIC_KEY.test(key) ? key : undefined;
}
