import {
  findImitations,
  makeKeys,
  readStandings,
  resumeMerchant,
  rollKey,
  STANDINGS_MAX,
  suspendMerchant,
  verifyMerchant,
} from "@collect/contracts";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { aShop, call } from "./gateway.ts";
import { about, aSignUp, codeOf, DETAILS } from "./people.ts";
import { decide, gateway, others, save, submit, useVerification, world } from "./verification-world.ts";

useVerification();

const standingsOf = async (...merchant_ids: string[]) =>
  (await world.others.request(readStandings, { merchant_ids })).standings;
const standingOf = async (id: string) => (await standingsOf(id))[0];
const suspend = (merchant_id: string, reason = "Chargebacks") =>
  world.others.request(suspendMerchant, { merchant_id, reason }, { requestId: "req-suspend" });
const resume = (merchant_id: string) =>
  world.others.request(resumeMerchant, { merchant_id, reason: "Resolved" }, { requestId: "req-resume" });
const imitationsOf = async (id: string) =>
  (await world.others.request(findImitations, { merchant_ids: [id] })).imitations[0]?.names;

test("a merchant's standing follows its verification, and is read as committed", async () => {
  const id = await aSignUp(world);
  const standing = async () => (await standingOf(id))?.standing;
  expect(await standing()).toBe("draft");
  await save(id, { registered_name: "Ada" });
  expect(await standing()).toBe("draft");
  await submit(id);
  expect(await standing()).toBe("submitted");
  await decide(id, "returned", "No.");
  expect(await standing()).toBe("returned");
  await submit(id);
  await decide(id, "approved");
  expect(await standingOf(id)).toEqual({ merchant_id: id, standing: "verified", verified: true, suspension: null });
  const shop = await aShop(world);
  expect((await standingsOf(shop.id, "mer_nobody", id)).map(({ merchant_id }) => merchant_id).toSorted()).toEqual(
    [shop.id, id].toSorted(),
  );
  const tooMany = Array.from({ length: STANDINGS_MAX + 1 }, () => randomId("mer"));
  expect(await codeOf(standingsOf(...tooMany))).toBe("validation_failed");
});

test("each order to suspend is recorded with its reason; the first one counts, waits for the payouts, and is ended by a resumption", async () => {
  const { id } = await aShop(world);
  expect(await codeOf(suspend(id, " "))).toBe("validation_failed");
  const suspended = await suspend(id);
  expect(suspended).toMatchObject({ standing: "suspended", verified: true, payouts_in_flight: 0 });
  expect(suspended.suspension).toEqual({ reason: "Chargebacks", since: expect.any(String) });
  expect(others.asked).toContainEqual({ merchant_id: id });
  expect(await suspend(id, "Another reason")).toEqual(suspended);
  expect(await standingOf(id)).toMatchObject({ standing: "suspended", suspension: suspended.suspension });
  expect(await about(world, id).verification()).toMatchObject({ suspension: suspended.suspension });
  expect(await about(world, id).merchant()).toMatchObject({ suspension: suspended.suspension });

  expect(await resume(id)).toMatchObject({ standing: "verified", suspension: null, payouts_released: 0 });
  expect(await resume(id)).toMatchObject({ standing: "verified" });
  const audit = (await about(world, id).audit()).filter(([action]) => /suspended|resumed/.test(String(action)));
  expect(audit).toEqual([
    ["merchant.suspended", { reason: "Chargebacks" }, "req-suspend"],
    ["merchant.suspended", { reason: "Another reason" }, "req-suspend"],
    ["merchant.resumed", { reason: "Resolved" }, "req-resume"],
    ["merchant.resumed", { reason: "Resolved" }, "req-resume"],
  ]);
  expect(await codeOf(suspend("mer_nobody"))).toBe("not_found");
});

test("a suspension holds although payments does not answer, and a repeat asks payments again", async () => {
  const { id } = await aShop(world);
  others.refuseWith("service_unavailable");
  expect(await codeOf(suspend(id))).toBe("service_unavailable");
  expect((await standingOf(id))?.standing).toBe("suspended");
  others.refuseWith(undefined);
  await suspend(id);
  expect(others.asked.filter((asked) => asked.merchant_id === id)).toHaveLength(2);
});

test("twice at once a merchant is suspended once", async () => {
  const { id } = await aShop(world);
  const [first, second] = await Promise.all([suspend(id, "One"), suspend(id, "Two")]);
  expect(first).toEqual(second);
});

test("a suspended merchant reads with its live keys, and gets no new ones; test keys go on", async () => {
  const shop = await aShop(world);
  await suspend(shop.id);
  expect((await call(gateway, "GET", "/balance", { key: shop.sk_live })).status).toBe(200);
  const roll = (mode: "test" | "live") =>
    codeOf(world.others.request(rollKey, { merchant_id: shop.id, mode, kind: "secret", overlap_hours: 0 }));
  expect([await roll("live"), await roll("test")]).toEqual(["merchant_suspended", "fulfilled"]);
  await resume(shop.id);
  expect(await roll("live")).toBe("fulfilled");
});

test("a merchant suspended before its verification stays suspended when it is approved, and has live keys once resumed", async () => {
  const id = await aSignUp(world);
  await suspend(id);
  expect(await standingOf(id)).toMatchObject({ standing: "suspended", verified: false });
  const verify = () => codeOf(world.others.request(verifyMerchant, { merchant_id: id, despite_name: true }));
  expect(await verify()).toBe("merchant_suspended");
  await submit(id);
  await decide(id, "approved");
  expect(await standingOf(id)).toMatchObject({ standing: "suspended", verified: true });
  const make = () => codeOf(world.others.request(makeKeys, { merchant_id: id, mode: "live" }));
  expect(await make()).toBe("merchant_suspended");
  await resume(id);
  expect(await make()).toBe("fulfilled");
});

test("a live key of a business that is not verified is refused, however it came to be", async () => {
  const shop = await aShop(world);
  await world.owner.query("update merchants set verified_at = null where id = $1", [shop.id]);
  const refused = await call(gateway, "GET", "/balance", { key: shop.sk_live });
  expect([refused.status, refused.body.code]).toEqual([403, "verification_required"]);
  expect((await call(gateway, "GET", "/balance", { key: shop.sk_test })).status).toBe(200);
});

test("a name that imitates a bank is reported to the operator, and approved only if that is said", async () => {
  const id = await aSignUp(world, "Fid\u0435lity B\u0430nk Plc");
  expect(await imitationsOf(id)).toEqual(["Fidelity Bank"]);
  await submit(id, { ...DETAILS, registered_name: randomId("Honest Name") });
  const { submitted_at } = await about(world, id).verification();
  const approve = (despite_name: boolean) => codeOf(decide(id, "approved", undefined, despite_name));
  expect(await approve(false)).toBe("conflict");
  expect((await about(world, id).verification()).submitted_at).toBe(submitted_at);
  const verify = codeOf(world.others.request(verifyMerchant, { merchant_id: id }));
  expect([await verify, (await standingOf(id))?.standing]).toEqual(["conflict", "submitted"]);
  expect(await approve(true)).toBe("fulfilled");
  expect(await about(world, id).audit()).toContainEqual([
    "verification.decided",
    { decision: "approved", despite_name: true },
    "req-decide",
  ]);
});

test("the registered name counts too, and a verified merchant's names are protected from then on", async () => {
  const name = randomId("Bimpe");
  const id = await aSignUp(world, name);
  await submit(id, { ...DETAILS, registered_name: `${name} Registered` });
  await decide(id, "approved", undefined, false);
  const imitator = await aSignUp(world, `${name.toUpperCase().replace("B", "\u0412")} LTD`);
  expect(await imitationsOf(imitator)).toEqual([`${name} (${id})`]);
  const other = await aSignUp(world, randomId("Honest"));
  await submit(other, { ...DETAILS, registered_name: `${name} Register3d` });
  expect(await imitationsOf(other)).toEqual([`${name} (${id})`]);
  expect(await codeOf(decide(other, "approved", undefined, false))).toBe("conflict");
  // Its own names are nobody else's.
  expect(await imitationsOf(id)).toEqual([]);
});

test("of two merchants with one name approved at once, one is", async () => {
  const name = randomId("Twins");
  const ids = [await aSignUp(world, name), await aSignUp(world, name)];
  for (const id of ids) await submit(id, { ...DETAILS, registered_name: `${name} Foods` });
  const decided = await Promise.all(ids.map((id) => codeOf(decide(id, "approved", undefined, false))));
  expect(decided.toSorted()).toEqual(["conflict", "fulfilled"]);
});
