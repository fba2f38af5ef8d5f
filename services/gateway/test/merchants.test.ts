import { createMerchant, Problem, rollKey, showMerchant, suspendMerchant, verifyMerchant } from "@collect/contracts";
import { expect, test } from "vitest";
import { aShop, useGateway } from "./gateway.ts";

const { world } = await useGateway();

const create = (name = "Ada Stores") => world.others.request(createMerchant, { name }, { requestId: "req-1" });
const show = (merchant_id: string) => world.others.request(showMerchant, { merchant_id });
const codeOf = (call: Promise<unknown>) => call.then(String, (error) => error instanceof Problem && error.code);

test("a new merchant has its test keys, the default limits and a normalized name", async () => {
  const { merchant_id, name, keys } = await create("  Ada   Stores ");
  expect([merchant_id, name]).toEqual([expect.stringMatching(/^mer_[0-9A-Za-z]{22}$/), "Ada Stores"]);
  expect(Object.keys(keys)).toEqual(["sk_test", "pk_test"]);
  const shown = await show(merchant_id);
  expect(shown).toMatchObject({ name, verified_at: null, rate_limits: { accounts: 300, reads: 600 } });
  expect(shown.keys).toMatchObject([
    { kind: "public", mode: "test", prefix: "pk_test_", last_four: keys.pk_test.slice(-4), expires_at: null },
    { kind: "secret", mode: "test", prefix: "sk_test_", last_four: keys.sk_test.slice(-4), expires_at: null },
  ]);
  expect(JSON.stringify(shown)).not.toContain(keys.sk_test.slice(8, -4));
});

test("a merchant's limits can be changed, one or both", async () => {
  const merchant = { name: "Busy", rate_limits: { reads: 5_000 } };
  const { merchant_id } = await world.others.request(createMerchant, merchant);
  expect((await show(merchant_id)).rate_limits).toEqual({ accounts: 300, reads: 5_000 });
  const wrong = { name: "Busy", rate_limits: { reads: 0 } };
  expect(await codeOf(world.others.request(createMerchant, wrong))).toBe("validation_failed");
});

test("live keys exist only once the business is verified, which happens once", async () => {
  const { merchant_id } = await create();
  const live = { merchant_id, mode: "live", kind: "secret", overlap_hours: 0 } as const;
  expect(await codeOf(world.others.request(rollKey, live))).toBe("verification_required");
  expect((await show(merchant_id)).keys).toHaveLength(2);

  const twice = await Promise.allSettled(
    [1, 2].map(() => world.others.request(verifyMerchant, { merchant_id, despite_name: true })),
  );
  expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await codeOf(world.others.request(verifyMerchant, { merchant_id, despite_name: true }))).toBe("conflict");
  const { verified_at, keys } = await show(merchant_id);
  expect(verified_at).not.toBeNull();
  expect(keys.filter(({ mode }) => mode === "live")).toHaveLength(2);
});

test("every request for an unknown merchant gets not_found", async () => {
  const merchant_id = "mer_nobody";
  expect(await codeOf(show(merchant_id))).toBe("not_found");
  expect(await codeOf(world.others.request(verifyMerchant, { merchant_id, despite_name: true }))).toBe("not_found");
  const roll = { merchant_id, mode: "test", kind: "secret", overlap_hours: 0 } as const;
  expect(await codeOf(world.others.request(rollKey, roll))).toBe("not_found");
});

test("rolling affects only the keys of its kind and mode, and never extends one", async () => {
  const { id } = await aShop(world);
  const roll = { merchant_id: id, mode: "live", kind: "public" } as const;
  const first = await world.others.request(rollKey, { ...roll, overlap_hours: 1 });
  const second = await world.others.request(rollKey, { ...roll, overlap_hours: 72 });
  expect(second.old_keys_expire_at > first.old_keys_expire_at).toBe(true);
  const { keys } = await show(id);
  const expiries = (kind: string, mode: string) =>
    keys.filter((key) => key.kind === kind && key.mode === mode).map(({ expires_at }) => expires_at);
  expect(expiries("public", "live")).toEqual([null, second.old_keys_expire_at, first.old_keys_expire_at]);
  expect([expiries("secret", "live"), expiries("public", "test"), expiries("secret", "test")]).toEqual([
    [null],
    [null],
    [null],
  ]);
});

test("after concurrent rolls only one key remains", async () => {
  const { id } = await aShop(world);
  const roll = { merchant_id: id, mode: "test", kind: "secret", overlap_hours: 0 } as const;
  await Promise.all(Array.from({ length: 8 }, () => world.others.request(rollKey, roll)));
  const { rows } = await world.owner.query(
    "select count(*) from api_keys where merchant_id = $1 and mode = 'test' and kind = 'secret' and (expires_at is null or expires_at > clock_timestamp())",
    [id],
  );
  expect(rows).toEqual([{ count: 1n }]);
});

test("no act of an operator without a record of it: if the entry cannot be written, nothing is changed", async () => {
  const { merchant_id } = await create();
  await world.owner.query("revoke insert on audit_entries from collect_gateway");
  try {
    const verify = { merchant_id, despite_name: true };
    expect(await codeOf(world.others.request(verifyMerchant, verify))).toBe("internal_error");
    const suspend = { merchant_id, reason: "A test." };
    expect(await codeOf(world.others.request(suspendMerchant, suspend))).toBe("internal_error");
  } finally {
    await world.owner.query("grant insert on audit_entries to collect_gateway");
  }
  const { verified_at, suspension, keys } = await show(merchant_id);
  expect([verified_at, suspension, keys.length]).toEqual([null, null, 2]);
});
