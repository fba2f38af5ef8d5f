import { answer, type Request } from "@collect/bus";
import { reencryptSecrets } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import type { Logger } from "@collect/runtime";
import type { SecondFactors } from "../adapters/second-factors.ts";
import { lockTwoFactors, type StoredTwoFactor, storeTwoFactors } from "../store/two-factors.ts";

type Deps = { pool: Pool; secondFactors: SecondFactors; log: Logger };
const BATCH = 200;

/** Brings second factors into the form in which they are stored now: after an upgrade, and after a new key. */
export function secretRequests({ pool, secondFactors, log }: Deps): Request[] {
  return [
    answer(reencryptSecrets.dashboard, ({ after }) =>
      transaction(pool, async (tx) => {
        const rows = await lockTwoFactors(tx, { after: after ?? "", limit: BATCH });
        const renewed = await Promise.all(rows.map((row) => renew({ secondFactors, log }, row)));
        const stale = renewed.filter((row, index) => row !== undefined && row !== rows[index]);
        await storeTwoFactors(
          tx,
          stale.filter((row) => row !== undefined),
        );
        return {
          checked: rows.length,
          reencrypted: stale.length,
          unreadable: rows.filter((_, index) => renewed[index] === undefined).map(({ user_id }) => user_id),
          next: (rows.length === BATCH && rows.at(-1)?.user_id) || null,
        };
      }),
    ),
  ];
}

/** The same row if it is current, and undefined if it cannot be decrypted: it stays as it is. */
async function renew(
  { secondFactors, log }: Omit<Deps, "pool">,
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
