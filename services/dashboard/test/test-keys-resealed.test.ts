import { reencryptSecrets } from "@collect/contracts";
import { createKeyring, KeyringKeys } from "@collect/runtime";
import { afterAll, expect, test } from "vitest";
import { testKeyOf } from "../src/store/test-keys.ts";
import { aKeyringKey, KEYRING, startDashboard } from "./dashboard.ts";
import { useDashboardWorld } from "./world.ts";

const world = await useDashboardWorld();
const NEXT = `${aKeyringKey("k2")},${KEYRING}`;
const [former, next] = [KEYRING, NEXT].map((keys) => createKeyring(KeyringKeys.parse(keys)));
const dashboard = await startDashboard(world, { KEYRING: NEXT });
afterAll(dashboard.stop);

test("a new key of the keyring seals test keys again, all in batches, but for one that was copied from another row", async () => {
  const merchants = Array.from({ length: 203 }, (_, n) => `mer_${String(n).padStart(3, "0")}`);
  const sealed = merchants.map((id, n) => former?.seal(`sk_test_${id}`, testKeyOf(n === 7 ? "mer_other" : id)));
  await world.owner.query("insert into businesses (id, name) select id, id from unnest($1::text[]) id", [merchants]);
  await world.owner.query(
    "insert into test_keys (merchant_id, last_four, sealed) select id, '3xYz', sealed from unnest($1::text[], $2::text[]) t (id, sealed)",
    [merchants, sealed],
  );
  const reencrypt = (after: string | null) => world.others.request(reencryptSecrets.dashboard, { after });
  const first = await reencrypt(null);
  expect(first).toEqual({ checked: 200, reencrypted: 199, unreadable: ["mer_007"], next: "test key:mer_199" });
  expect(await reencrypt(first.next)).toEqual({ checked: 3, reencrypted: 3, unreadable: [], next: null });
  const { rows } = await world.owner.query("select merchant_id, sealed from test_keys order by merchant_id");
  for (const { merchant_id: id, sealed } of rows)
    if (id !== "mer_007")
      expect([next?.isCurrent(sealed), next?.open(sealed, testKeyOf(id))]).toEqual([true, `sk_test_${id}`]);
  expect((await reencrypt(null)).reencrypted).toBe(0);
});
