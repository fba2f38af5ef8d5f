const PUBLIC_KEY = /^pk_(?:test|live)_[0-9A-Za-z]{38}$/;

/**
 * The public key of an `Authorization: Bearer …` header. Anything else is nothing here, a secret key above all: it came from
 * a browser by mistake and goes no further.
 */
export function publicKeyOf(authorization: string | undefined): string | undefined {
  const [, key = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  return PUBLIC_KEY.test(key) ? key : undefined;
}
