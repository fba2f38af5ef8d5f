import {
  type Actor,
  createRestrictedKey,
  KEY_SCOPES,
  makeKeys,
  Problem,
  revokeRestrictedKey,
  rollKey,
  showMerchant,
  type WireInput,
} from "@collect/contracts";
import { readApiContract, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import type { Endpoint } from "../src/domain/endpoint.ts";
import { ENDPOINTS } from "../src/endpoints.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import { aRestrictedKey, aShop, call, requestLogOf, restrictedKeysOf, startGateway, useGateway } from "./gateway.ts";
import { aCall } from "./operations.ts";
import { useOthers } from "./others.ts";
import { aSignUp } from "./people.ts";

const { world, gateway } = await useGateway();
const replica = await startGateway(world);
afterAll(replica.stop);
const others = await useOthers(world);
const shop = await aShop(world, { accounts: 10_000, reads: 10_000 });
const contract = readApiContract(openApiDocument(ENDPOINTS));

const ADA: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };
const create = (merchant_id: string, given: Partial<WireInput<typeof createRestrictedKey>> = {}) => {
  const input: WireInput<typeof createRestrictedKey> = {
    merchant_id,
    mode: "test",
    name: "ERP",
    scopes: ["balance"],
    ...given,
  };
  return world.others.request(createRestrictedKey, input, { actor: ADA });
};
const revoke = (merchant_id: string, key_id: string, mode: "test" | "live" = "test") =>
  world.others.request(revokeRestrictedKey, { merchant_id, mode, key_id });
const refusalOf = (call: Promise<unknown>) => call.then(String, (error) => error instanceof Problem && error.code);
const balance = async (key: string, on = gateway) => {
  const { status, body } = await call(on, "GET", "/balance", { key });
  return [status, body.code];
};
const OPEN = [200, undefined];
const keysOf = async (merchant_id: string) => (await world.others.request(showMerchant, { merchant_id })).keys;

const aShopKey = restrictedKeysOf(world, shop.id);
const withSecretKey = ENDPOINTS.filter(({ key }) => key === "secret");

test.each(withSecretKey)("$name takes a restricted key with the scope $scope, and with no other", async (endpoint) => {
  const send = async (key: string) => {
    const operation = contract.operations.find(({ operationId }) => operationId === endpoint.name);
    if (!operation) throw new Error(`${endpoint.name} is not documented`);
    const { path, body } = await aCall(contract, operation, { shop, gateway });
    return call(gateway, endpoint.method, path, { key, body: endpoint.method === "POST" ? body : undefined });
  };
  const isNeeded = (scope: string) => scope === endpoint.scope;
  const right = await send(await aShopKey({ scopes: KEY_SCOPES.filter(isNeeded) }));
  expect(right.body.code, right.text).not.toBe("insufficient_scope");
  expect(right.status, right.text).toBe((await send(shop.sk_test)).status);
  const key = await aShopKey({ scopes: KEY_SCOPES.filter((scope) => !isNeeded(scope)) });
  others.asked.length = 0;
  const wrong = await send(key);
  expect([wrong.status, wrong.body.code, wrong.body.mode]).toEqual([403, "insufficient_scope", "test"]);
  expect(wrong.body.detail).toContain(`the scope ${endpoint.scope}.`);
});

test.each<Endpoint>(ENDPOINTS.filter(({ key }) => key === "public"))(
  "$name refuses a restricted key like an unknown one",
  async ({ method, path }) => {
    const { status, body } = await call(gateway, method, path, {
      key: await aRestrictedKey(world, shop.id),
      body: { amount: 2500 },
    });
    expect([status, body.code]).toEqual([401, "invalid_api_key"]);
  },
);

test("a restricted key works in its mode only, and simulations take no live one", async () => {
  const live = await aRestrictedKey(world, shop.id, { mode: "live" });
  expect(live).toMatch(/^rk_live_[0-9A-Za-z]{38}$/);
  expect((await call(gateway, "GET", "/balance", { key: live })).body.mode).toBe("live");
  expect(await balance(live.replace("live", "test"))).toEqual([401, "invalid_api_key"]);
  expect((await call(gateway, "POST", "/sandbox/pay", { key: live, body: {} })).body.code).toBe("test_key_required");
});

test("a key with addresses works from them alone, and from an IPv4 address also when it arrives as IPv6", async () => {
  const shop = await aShop(world);
  const here = await aRestrictedKey(world, shop.id, { addresses: ["102.89.0.0/16", "127.0.0.1/8"] });
  const mapped = await aRestrictedKey(world, shop.id, { addresses: ["::ffff:127.0.0.1"] });
  const elsewhere = await aRestrictedKey(world, shop.id, { addresses: ["102.89.0.0/16", "2001:db8::/32", "::1"] });
  const onBoth = await startGateway(world, { HOST: "::" });
  for (const on of [gateway, onBoth]) {
    expect([await balance(here, on), await balance(mapped, on)]).toEqual([OPEN, OPEN]);
    expect(await balance(elsewhere, on)).toEqual([403, "address_not_allowed"]);
  }
  const forged = await fetch(`${gateway.url}/balance`, {
    headers: { authorization: `Bearer ${elsewhere}`, "x-forwarded-for": "102.89.3.4", forwarded: "for=102.89.3.4" },
  });
  expect(forged.status).toBe(403);
  const onIpv6 = { ...onBoth, url: onBoth.url.replace("127.0.0.1", "[::1]") };
  expect([await balance(elsewhere, onIpv6), await balance(here, onIpv6)]).toEqual([OPEN, [403, "address_not_allowed"]]);
  await onBoth.stop();
});

test("a call that a restricted key may not make costs no budget; one that it may make does, the merchant's own", async () => {
  const { id, sk_test } = await aShop(world, { reads: 2 });
  const [key, elsewhere, blind] = [
    await aRestrictedKey(world, id),
    await aRestrictedKey(world, id, { addresses: ["102.89.3.4"] }),
    await aRestrictedKey(world, id, { scopes: ["accounts"] }),
  ];
  for (let n = 0; n < 3; n++) {
    expect(await balance(elsewhere)).toEqual([403, "address_not_allowed"]);
    expect(await balance(blind)).toEqual([403, "insufficient_scope"]);
  }
  expect([await balance(key), await balance(sk_test)]).toEqual([OPEN, OPEN]);
  expect([await balance(key), await balance(sk_test)]).toEqual([
    [429, "rate_limited"],
    [429, "rate_limited"],
  ]);
});

test("a restricted key is shown with all but itself, logged by its ends, and its last use is noted", async () => {
  const { id } = await aShop(world);
  const { key, key_id } = await create(id, { scopes: ["balance", "accounts", "balance"], addresses: ["127.0.0.1/8"] });
  expect(await balance(key)).toEqual(OPEN);
  const shown = await until("the use is written", async () => {
    const found = (await keysOf(id)).find((one) => one.id === key_id);
    return found?.last_used_at && found;
  });
  expect(shown).toMatchObject({
    kind: "restricted",
    mode: "test",
    prefix: "rk_test_",
    last_four: key.slice(-4),
    public_key: null,
    name: "ERP",
    scopes: ["balance", "accounts"],
    addresses: ["127.0.0.0/8"],
    made_by: ADA,
    expires_at: null,
  });
  const { rows } = await world.owner.query(
    "select k::text as row from api_keys k union all select a::text from audit_log a",
  );
  expect(JSON.stringify(rows)).not.toContain(key.slice(8, -4));
  const [logged] = await requestLogOf(world).logged(id, 1);
  expect(logged?.key).toBe(`rk_test_…${key.slice(-4)}`);
});

test("a revoked key is refused at once by every replica, and the others keep working; a repeat changes nothing", async () => {
  const { id, sk_test } = await aShop(world);
  const [gone, kept] = [await create(id, { name: "gone" }), await create(id, { name: "kept" })];
  expect(await balance(gone.key, replica)).toEqual(OPEN);
  const first = await revoke(id, gone.key_id);
  expect([await balance(gone.key, replica), await balance(gone.key)]).toEqual([
    [401, "invalid_api_key"],
    [401, "invalid_api_key"],
  ]);
  expect([await balance(kept.key), await balance(sk_test)]).toEqual([OPEN, OPEN]);
  expect(await revoke(id, gone.key_id)).toEqual(first);
});

test("only a restricted key of the merchant and mode is revoked this way", async () => {
  const { id } = await aShop(world);
  const other = await aShop(world);
  const { key, key_id } = await create(id);
  const secret = (await keysOf(id)).find(({ kind, mode }) => kind === "secret" && mode === "test");
  expect(await refusalOf(revoke(other.id, key_id))).toBe("not_found");
  expect(await refusalOf(revoke(id, key_id, "live"))).toBe("not_found");
  expect(await refusalOf(revoke(id, secret?.id ?? ""))).toBe("not_found");
  expect(await refusalOf(revoke(id, "999999999"))).toBe("not_found");
  expect(await balance(key)).toEqual(OPEN);
});

test("of concurrent requests for one name one makes a key; the name is free again once it is revoked", async () => {
  const { id } = await aShop(world);
  const tried = await Promise.all(Array.from({ length: 6 }, () => refusalOf(create(id))));
  expect(tried.filter((outcome) => outcome === "conflict")).toHaveLength(5);
  expect(await refusalOf(create(id, { mode: "live" }))).toBe("[object Object]");
  const made = (await keysOf(id)).find(({ kind, mode }) => kind === "restricted" && mode === "test");
  await revoke(id, made?.id ?? "");
  expect(await refusalOf(create(id))).toBe("[object Object]");
});

test("at most 50 are active at once, however many were revoked, and the secret keys stay among those that are shown", async () => {
  const { id } = await aShop(world);
  await world.owner.query(
    `insert into api_keys (merchant_id, mode, kind, hash, last_four, name, scopes, expires_at)
     select $1, 'test', 'restricted', sha256(gen_random_uuid()::text::bytea), 'abcd', 'key ' || n, '{balance}', clock_timestamp()
     from generate_series(1, 120) n`,
    [id],
  );
  for (let n = 0; n < 50; n++) await create(id, { name: `key ${n}` });
  expect(await refusalOf(create(id, { name: "one more" }))).toBe("conflict");
  const shown = await keysOf(id);
  expect([shown.length, shown.filter(({ kind, expires_at }) => kind === "secret" && !expires_at).length]).toEqual([
    100, 2,
  ]);
});

test.each([
  ["no scope", { scopes: [] }],
  ["an unknown scope", { scopes: ["everything" as "balance"] }],
  ["no name", { name: "  " }],
  ["a name of control characters", { name: "a\u0000" }],
  ["an address that is none", { addresses: ["shop.example"] }],
  ["an address that people read differently", { addresses: ["0x7f.1"] }],
  ["21 addresses", { addresses: Array.from({ length: 21 }, (_none, n) => `10.0.0.${n}`) }],
])("a key with %s is refused", async (_what, given) => {
  expect(await refusalOf(create(shop.id, { name: "wrong", ...given }))).toBe("validation_failed");
});

test("a live restricted key needs a verified merchant; restricted keys do not stand in the way of the first pair", async () => {
  const id = await aSignUp(world);
  expect(await refusalOf(create(id, { mode: "live" }))).toBe("verification_required");
  await create(id);
  const { made } = await world.others.request(makeKeys, { merchant_id: id, mode: "test" }, { actor: ADA });
  expect(made?.secret).toMatch(/^sk_test_/);
  const rolled = { merchant_id: id, mode: "test", kind: "secret", overlap_hours: 0 } as const;
  await world.others.request(rollKey, rolled);
  const keys = await keysOf(id);
  expect(keys.map(({ kind, expires_at, made_by }) => [kind, expires_at === null, made_by?.kind])).toEqual([
    ["secret", true, "system"],
    ["public", true, "member"],
    ["restricted", true, "member"],
    ["secret", false, "member"],
  ]);
});
