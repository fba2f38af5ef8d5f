import { showMerchant, type WireResult } from "@collect/contracts";
import type { Others } from "./others.ts";

/** The keys of a team, as the gateway has them. */

type Key = WireResult<typeof showMerchant>["keys"][number];
export const CREATED = "2026-05-01T10:00:00.000+00:00";

export function replyKeys(others: Others, keys: Partial<Key>[]): void {
  others.reply(showMerchant, ({ merchant_id }) => ({
    merchant_id,
    name: "Ada Stores",
    verified_at: null,
    suspension: null,
    rate_limits: { accounts: 1, reads: 1 },
    created_at: CREATED,
    keys: keys.map((key, index) => ({ ...A_KEY, id: String(index + 1), ...key })),
  }));
}

const A_KEY: Key = {
  id: "1",
  kind: "secret",
  mode: "test",
  prefix: "sk_test_",
  last_four: "abcd",
  public_key: null,
  last_used_at: null,
  created_at: CREATED,
  expires_at: null,
  name: null,
  scopes: [],
  addresses: [],
  made_by: null,
};
