import type { Mode } from "@collect/contracts";

const PUBLIC_KEY = /^pk_(?:test|live)_[0-9A-Za-z]{38}$/;

/** The mode that a key says it is of. */
export function modeOf(key: string | undefined): Mode {
  return key?.startsWith("pk_test_") ? "test" : "live";
}

/**
 * The public key of an `Authorization: Bearer …` header. Anything else is nothing here, a secret key above all: it came from
 * a browser by mistake and goes no further.
 */
export function publicKeyOf(authorization: string | undefined): string | undefined {
  const [, key = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  return PUBLIC_KEY.test(key) ? key : undefined;
}
