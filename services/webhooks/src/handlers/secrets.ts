import { answer, type Request } from "@collect/bus";
import { reencryptSecrets } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { lockStoredSecrets, type StoredSecrets, storeSecrets } from "../store/stored-secrets.ts";
import { openRow, type SealedSecrets } from "../use-cases/sealed-secrets.ts";

const BATCH = 200;

type Deps = { pool: Pool; secrets: SealedSecrets; log: Logger };

/** Brings the secrets that are stored into the form in which they are stored now: after an upgrade, and after a new key. */
export function secretRequests({ pool, secrets, log }: Deps): Request[] {
  return [
    answer(reencryptSecrets.webhooks, ({ after }) =>
      transaction(pool, async (tx) => {
        const rows = await lockStoredSecrets(tx, { after: keyOf(after), limit: BATCH });
        const opened = rows.map((row) => openedBy({ secrets, log }, row));
        const readable = opened.filter((row) => row !== undefined);
        const isStale = new Set(rows.filter((row) => !areCurrent(secrets, row)).map(nameOf));
        const renewed = readable.filter((row) => isStale.has(nameOf(row))).map((row) => sealedBy(secrets, row));
        await storeSecrets(tx, renewed);
        const unreadable = rows.filter((_, index) => opened[index] === undefined).map(nameOf);
        const last = rows.length === BATCH ? rows.at(-1) : undefined;
        return { checked: rows.length, reencrypted: renewed.length, unreadable, next: last ? nameOf(last) : null };
      }),
    ),
  ];
}

/** A row's key in a response, and where the next batch begins. */
const nameOf = ({ merchant_id, mode }: StoredSecrets): string => `${merchant_id} ${mode}`;
function keyOf(name: string | null): readonly [string, string] {
  const [merchantId = "", mode = ""] = name?.split(" ") ?? [];
  return [merchantId, mode];
}

function areCurrent({ isCurrent }: SealedSecrets, { secret, staged_secret: staged }: StoredSecrets): boolean {
  return isCurrent(secret) && (staged === null || isCurrent(staged));
}

/** Undefined if the row cannot be decrypted: it stays as it is. */
function openedBy({ secrets, log }: Pick<Deps, "secrets" | "log">, row: StoredSecrets): StoredSecrets | undefined {
  const merchant = { id: row.merchant_id, mode: row.mode };
  try {
    return openRow(secrets, merchant, row);
  } catch (error) {
    const about = { alarm: "secret", merchant_id: merchant.id, mode: merchant.mode, err: error };
    log.error(about, "a signing secret cannot be decrypted");
    return undefined;
  }
}

function sealedBy(secrets: SealedSecrets, row: StoredSecrets): StoredSecrets {
  const merchant = { id: row.merchant_id, mode: row.mode };
  const { secret, staged_secret: staged } = row;
  return {
    ...row,
    secret: secrets.seal(merchant, secret),
    staged_secret: staged === null ? null : secrets.seal(merchant, staged),
  };
}
