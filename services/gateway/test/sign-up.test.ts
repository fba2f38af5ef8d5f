import { readMerchants, registerMerchant, rollKey, verifyMerchant } from "@collect/contracts";
import { randomId, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { call, startGateway, useGateway } from "./gateway.ts";
import { useOthers } from "./others.ts";
import { about, aSignUp, codeOf } from "./people.ts";

const { world, gateway } = await useGateway();
const replica = await startGateway(world);
afterAll(replica.stop);
await useOthers(world);

const register = (merchant_id: string, name: string) => world.others.request(registerMerchant, { merchant_id, name });
const verify = (merchant_id: string) => world.others.request(verifyMerchant, { merchant_id, despite_name: true });
const balance = async (key: string) => (await call(gateway, "GET", "/balance", { key })).status;

test("a merchant is registered once per id, without keys, also when repeated with another name", async () => {
  const merchant_id = randomId("mer");
  const answers = await Promise.all(["Ada", "Ben", "Ada", "Chi"].map((name) => register(merchant_id, name)));
  const [first] = answers;
  expect(new Set(answers.map(({ name }) => name)).size).toBe(1);
  expect(await register(merchant_id, "Somebody else")).toEqual(first);
  const { merchant } = about(world, merchant_id);
  expect(await merchant()).toMatchObject({ name: first?.name, verified_at: null, keys: [] });
});

test("an id with another format than ours is refused", async () => {
  for (const merchant_id of ["mer_1", "usr_0123456789abcdef", `mer_${"a".repeat(41)}`, "mer_0123456789abcde'"])
    expect(await codeOf(register(merchant_id, "Ada"))).toBe("validation_failed");
  expect(await codeOf(register(randomId("mer"), " "))).toBe("validation_failed");
});

test("merchants are read by their ids, and unknown ones are omitted", async () => {
  const [plain, verified] = [await aSignUp(world, "Plain"), await aSignUp(world, "Verified")];
  await verify(verified);
  const asked = { merchant_ids: [plain, "mer_nobody", verified] };
  const { merchants } = await world.others.request(readMerchants, asked);
  expect(merchants.sort((one, other) => one.name.localeCompare(other.name))).toEqual([
    { merchant_id: plain, name: "Plain", verified_at: null },
    { merchant_id: verified, name: "Verified", verified_at: expect.any(String) },
  ]);
  expect(await world.others.request(readMerchants, { merchant_ids: [] })).toEqual({ merchants: [] });
  const tooMany = { merchant_ids: Array.from({ length: 101 }, () => plain) };
  expect(await codeOf(world.others.request(readMerchants, tooMany))).toBe("validation_failed");
});

test("the first keys of a mode are created once: of concurrent requests one gets them, the others get none", async () => {
  const merchant_id = await aSignUp(world);
  const { make, merchant } = about(world, merchant_id);
  const answers = await Promise.all(Array.from({ length: 8 }, () => make("test")));
  const [made, ...more] = answers.flatMap((answer) => answer.made ?? []);
  expect(more).toEqual([]);
  expect([await balance(made?.secret ?? ""), await balance(made?.public ?? "")]).toEqual([200, 401]);
  expect(await make("test")).toEqual({ made: null });
  const { keys } = await merchant();
  expect(keys).toMatchObject([
    { kind: "public", mode: "test", public_key: made?.public },
    { kind: "secret", mode: "test", public_key: null, last_four: made?.secret.slice(-4) },
  ]);
});

test("keys that have all expired are not created again", async () => {
  const merchant_id = await aSignUp(world);
  const { make } = about(world, merchant_id);
  await make("test");
  for (const kind of ["secret", "public"] as const)
    await world.others.request(rollKey, { merchant_id, mode: "test", kind, overlap_hours: 0 });
  await world.owner.query("update api_keys set expires_at = clock_timestamp() where merchant_id = $1", [merchant_id]);
  expect(await make("test")).toEqual({ made: null });
});

test("live keys are created only for a verified merchant, and each mode has its own first keys", async () => {
  const merchant_id = await aSignUp(world);
  const { make, merchant } = about(world, merchant_id);
  expect(await codeOf(make("live"))).toBe("verification_required");
  expect((await merchant()).keys).toEqual([]);
  await world.owner.query("update merchants set verified_at = clock_timestamp() where id = $1", [merchant_id]);
  const { made } = await make("live");
  expect(made?.secret).toMatch(/^sk_live_/);
  expect((await make("test")).made?.secret).toMatch(/^sk_test_/);
  expect(await codeOf(about(world, "mer_nobody").make("test"))).toBe("not_found");
});

test("the operator's verify creates live keys if the approval has not, and never a second pair", async () => {
  const [approved, both] = [await aSignUp(world), await aSignUp(world)];
  for (const id of [approved, both])
    await world.owner.query("update merchants set verified_at = clock_timestamp() where id = $1", [id]);
  expect((await verify(approved)).keys.sk_live).toMatch(/^sk_live_/);
  expect(await codeOf(verify(approved))).toBe("conflict");
  expect(await about(world, approved).make("live")).toEqual({ made: null });

  const raced = await Promise.all([
    codeOf(verify(both)),
    about(world, both)
      .make("live")
      .then(({ made }) => made !== null),
  ]);
  expect([
    ["fulfilled", false],
    ["conflict", true],
  ]).toContainEqual(raced);
  expect((await about(world, both).merchant()).keys).toHaveLength(2);
});

test("a key's last use is recorded with a resolution of one minute, from every replica and endpoint", async () => {
  const merchant_id = await aSignUp(world);
  const { make, merchant } = about(world, merchant_id);
  const { made } = await make("test");
  expect((await merchant()).keys.map(({ last_used_at }) => last_used_at)).toEqual([null, null]);
  await call(replica, "GET", "/balance", { key: made?.secret ?? "" });
  await call(gateway, "POST", "/checkout", { key: made?.public ?? "", body: { amount: 2500 } });
  const used = await until("both uses are written", async () => {
    const { keys } = await merchant();
    return keys.every(({ last_used_at }) => last_used_at) && keys;
  });
  for (const { last_used_at } of used) expect(last_used_at).toMatch(/T\d\d:\d\d:00\.000\+00:00$/);
});
