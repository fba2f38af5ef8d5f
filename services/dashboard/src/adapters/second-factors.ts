import { isSealed, type Keyring, type SharedSecret } from "@collect/runtime";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";

/** The two secrets of a user's second factor. */
export type TwoFactorColumn = "secret" | "backupCodes";

/**
 * Second factors in their two forms. better-auth knows one, encrypted with the first AUTH_SECRET. The database holds another,
 * sealed by the keyring for this user and column: it survives a change of AUTH_SECRET, and opens in no other user's row.
 */
export type SecondFactors = {
  toStored(userId: string, column: TwoFactorColumn, text: string): Promise<string>;
  fromStored(userId: string, column: TwoFactorColumn, stored: string): Promise<string>;
  /** Whether two texts of one user, each in any form, hold the same. */
  areSame(userId: string, column: TwoFactorColumn, one: string, other: string): Promise<boolean>;
  isCurrent: Keyring["isCurrent"];
};

export function createSecondFactors(keyring: Keyring, authSecrets: SharedSecret): SecondFactors {
  const contextOf = (userId: string, column: TwoFactorColumn) => `the ${column} of the second factor of ${userId}`;

  async function plainOf(userId: string, column: TwoFactorColumn, text: string): Promise<string> {
    return isSealed(text) ? keyring.open(text, contextOf(userId, column)) : decryptWithAny(authSecrets, text);
  }

  return {
    async toStored(userId, column, text) {
      const plain = await plainOf(userId, column, text);
      if (!keyring.isSealing) return symmetricEncrypt({ key: authSecrets[0], data: plain });
      return keyring.seal(plain, contextOf(userId, column));
    },
    async fromStored(userId, column, stored) {
      return symmetricEncrypt({ key: authSecrets[0], data: await plainOf(userId, column, stored) });
    },
    areSame: async (userId, column, one, other) =>
      (await plainOf(userId, column, one)) === (await plainOf(userId, column, other)),
    isCurrent: keyring.isCurrent,
  };
}

/** What better-auth encrypted, with the present or the former AUTH_SECRET: each detects that it is the wrong one. */
async function decryptWithAny(secrets: SharedSecret, text: string): Promise<string> {
  const failures: unknown[] = [];
  for (const key of secrets) {
    try {
      return await symmetricDecrypt({ key, data: text });
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, "no AUTH_SECRET decrypts a second factor");
}
