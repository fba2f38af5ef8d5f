import { answer, type Request } from "@collect/bus";
import { reencryptSecrets } from "@collect/contracts";
import { type Pool, type Transaction, transaction } from "@collect/database";
import type { Keyring, Logger } from "@collect/runtime";
import type { SecondFactors } from "../adapters/second-factors.ts";
import { lockTestKeys, resealTestKeys, type StoredTestKey, testKeyOf } from "../store/test-keys.ts";
import { lockTwoFactors, type StoredTwoFactor, storeTwoFactors } from "../store/two-factors.ts";

type Deps = { pool: Pool; secondFactors: SecondFactors; keyring: Keyring; log: Logger };
const BATCH = 200;
/** A cursor among the test keys, which come after the second factors, begins with this. No id of a user does. */
const TEST_KEYS = "test key:";

type Batch = { checked: number; reencrypted: number; unreadable: string[]; next: string | null };

/** Brings second factors and test keys into the form in which they are stored now: after an upgrade, and after a new key. */
export function secretRequests({ pool, ...deps }: Deps): Request[] {
  return [
    answer(reencryptSecrets.dashboard, ({ after }) =>
      transaction(pool, (tx) =>
        after?.startsWith(TEST_KEYS)
          ? renewTestKeys(deps, tx, after.slice(TEST_KEYS.length))
          : renewSecondFactors(deps, tx, after ?? ""),
      ),
    ),
  ];
}

async function renewSecondFactors(deps: Omit<Deps, "pool">, tx: Transaction, after: string): Promise<Batch> {
  const rows = await lockTwoFactors(tx, { after, limit: BATCH });
  const renewed = await Promise.all(rows.map((row) => renew(deps, row)));
  const stale = renewed.filter((row, index) => row !== undefined && row !== rows[index]);
  await storeTwoFactors(
    tx,
    stale.filter((row) => row !== undefined),
  );
  const factors = {
    checked: rows.length,
    reencrypted: stale.length,
    unreadable: rows.filter((_, index) => renewed[index] === undefined).map(({ user_id }) => user_id),
  };
  if (rows.length === BATCH) return { ...factors, next: rows.at(-1)?.user_id ?? null };
  const keys = await renewTestKeys(deps, tx, "");
  return {
    checked: factors.checked + keys.checked,
    reencrypted: factors.reencrypted + keys.reencrypted,
    unreadable: [...factors.unreadable, ...keys.unreadable],
    next: keys.next,
  };
}

async function renewTestKeys({ keyring, log }: Omit<Deps, "pool">, tx: Transaction, after: string): Promise<Batch> {
  const rows = await lockTestKeys(tx, { after, limit: BATCH });
  const unreadable: string[] = [];
  const stale: StoredTestKey[] = [];
  // Nothing is stored unsealed: while nothing is sealed, what is there stays.
  for (const row of keyring.isSealing ? rows.filter(({ sealed }) => !keyring.isCurrent(sealed)) : []) {
    const context = testKeyOf(row.merchant_id);
    try {
      stale.push({ ...row, sealed: keyring.seal(keyring.open(row.sealed, context), context) });
    } catch (error) {
      log.error({ alarm: "secret", merchant_id: row.merchant_id, err: error }, "a test key cannot be decrypted");
      unreadable.push(row.merchant_id);
    }
  }
  await resealTestKeys(tx, stale);
  const last = rows.length === BATCH && rows.at(-1);
  return {
    checked: rows.length,
    reencrypted: stale.length,
    unreadable,
    next: last ? `${TEST_KEYS}${last.merchant_id}` : null,
  };
}

/** The same row if it is current, and undefined if it cannot be decrypted: it stays as it is. */
async function renew(
  { secondFactors, log }: Pick<Deps, "secondFactors" | "log">,
  row: StoredTwoFactor,
): Promise<StoredTwoFactor | undefined> {
  const { user_id: userId, secret, backup_codes: codes } = row;
  const { toStored, isCurrent } = secondFactors;
  try {
    const renewed = {
      ...row,
      secret: await toStored(userId, "secret", secret),
      backup_codes: await toStored(userId, "backupCodes", codes),
    };
    return isCurrent(secret) && isCurrent(codes) ? row : renewed;
  } catch (error) {
    log.error({ alarm: "secret", user_id: userId, err: error }, "a second factor cannot be decrypted");
    return undefined;
  }
}
