import { rollKey } from "@collect/contracts";
import { afterAll, expect, test } from "vitest";
import { hashKey, newApiKey } from "../src/domain/api-key.ts";
import { aShop, call, startGateway, useGateway, withoutRequestId } from "./gateway.ts";
import { useOthers } from "./others.ts";

const { world, gateway } = await useGateway();
const replica = await startGateway(world);
afterAll(replica.stop);
await useOthers(world);
const shop = await aShop(world);

const balance = (key: string | undefined, on = gateway) => call(on, "GET", "/balance", { key });
const authorized = async (authorization: string, query = "") =>
  (await fetch(`${gateway.url}/balance${query}`, { headers: { authorization } })).status;

test("a secret key works, and anything else gets the same 401", async () => {
  expect((await balance(shop.sk_test)).status).toBe(200);
  const refused = await balance(undefined);
  expect([refused.status, refused.body.code, refused.body.mode]).toEqual([401, "invalid_api_key", undefined]);
  expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  const unknown = newApiKey({ kind: "secret", mode: "test" }, () => 7);
  const mistyped = `${shop.sk_test.slice(0, -1)}${shop.sk_test.endsWith("a") ? "b" : "a"}`;
  for (const key of [unknown, mistyped, "nonsense", shop.sk_test.replace("test", "live"), `${shop.sk_test}x`]) {
    expect(withoutRequestId(await balance(key))).toEqual(withoutRequestId(refused));
  }
});

test("a key is read only from the Authorization header, as a bearer token", async () => {
  expect(await authorized(`bearer ${shop.sk_test}`)).toBe(200);
  expect(await authorized(shop.sk_test)).toBe(401);
  expect(await authorized(`Basic ${btoa(`${shop.sk_test}:`)}`)).toBe(401);
  expect(await authorized("", `?api_key=${shop.sk_test}&access_token=${shop.sk_test}`)).toBe(401);
});

test("a public key is recognized and refused", async () => {
  for (const [mode, key] of [
    ["test", shop.pk_test],
    ["live", shop.pk_live],
  ]) {
    const { status, body, headers } = await balance(key);
    expect([status, body.code, body.mode]).toEqual([401, "secret_key_required", mode]);
    expect(headers.get("www-authenticate")).toBe("Bearer");
  }
});

test("a key that is rolled without overlap is refused immediately by every replica, and the new one works", async () => {
  const { id, sk_test, sk_live } = await aShop(world);
  expect((await balance(sk_test, replica)).status).toBe(200);
  const input = { merchant_id: id, mode: "test", kind: "secret", overlap_hours: 0 } as const;
  const { key } = await world.others.request(rollKey, input);
  expect([(await balance(sk_test, replica)).status, (await balance(sk_test)).status]).toEqual([401, 401]);
  expect([(await balance(key, replica)).status, (await balance(key)).status]).toEqual([200, 200]);
  expect((await balance(sk_live)).status).toBe(200);
});

test("a key that is rolled with an overlap works until the overlap ends", async () => {
  const { id, sk_test } = await aShop(world);
  const input = { merchant_id: id, mode: "test", kind: "secret", overlap_hours: 72 } as const;
  const { key } = await world.others.request(rollKey, input);
  expect([(await balance(sk_test)).status, (await balance(key)).status]).toEqual([200, 200]);
  await world.owner.query("update api_keys set expires_at = clock_timestamp() where hash = $1", [hashKey(sk_test)]);
  expect([(await balance(sk_test)).status, (await balance(key)).status]).toEqual([401, 200]);
});

test("neither the database, except for public keys, nor the logs contain a key", async () => {
  const { sk_test, sk_live, pk_test } = await aShop(world);
  const { rows } = await world.owner.query<{ row: string }>(`
    select k::text as row from api_keys k union all select a::text from audit_entries a union all select m::text from merchants m`);
  const stored = rows.map(({ row }) => row).join("\n");
  expect(stored).toContain(pk_test);
  expect(stored).not.toContain(sk_test.slice(8, -4));
  expect(stored).not.toContain(sk_live.slice(8, -4));

  const lines: object[] = [];
  const keep = (fields: object, message: string) => void lines.push({ ...fields, message });
  const listening = await startGateway({ ...world, log: { info: keep, warn: keep, error: keep } });
  const body = { customer_reference: "cust_log", customer_name: "Zainab Secretive" };
  expect((await call(listening, "POST", "/customer_accounts", { key: sk_test, body })).status).toBe(201);
  expect((await call(listening, "POST", "/customer_accounts", { key: sk_live, body: "{broken" })).status).toBe(400);
  expect((await balance(`${sk_test}x`, listening)).status).toBe(401);
  await listening.stop();
  const logged = JSON.stringify(lines);
  expect(logged).toContain('"merchant_id":"mer_');
  for (const secret of [sk_test.slice(8), sk_live.slice(8), "Zainab", "broken"]) expect(logged).not.toContain(secret);
});
