import { createPaymentLink, getBalance, makeKeys, rollKey } from "@collect/contracts";
import { expect, test } from "vitest";
import { aMember } from "./dashboard.ts";
import { MERCHANT, usePeople } from "./world.ts";

const { world, dashboard, others, people } = await usePeople();

test("merchant, name and mode come from the server, whatever the caller sends", async () => {
  const forged = { merchant: { id: "mer_other", mode: "live", name: "Other" }, merchant_id: "mer_other", mode: "live" };
  await people.owner.get(`/api/m/${MERCHANT}/test/balance?merchant=mer_other&mode=live`);
  expect(others.askedOf(getBalance)).toEqual([{ merchant: { id: MERCHANT, mode: "test", name: "Ada Stores" } }]);
  await people.owner.post(`/api/m/${MERCHANT}/test/keys/roll`, {
    ...forged,
    kind: "secret",
    overlap_hours: 1,
    more: 1,
  });
  expect(others.askedOf(rollKey)).toEqual([{ merchant_id: MERCHANT, mode: "test", kind: "secret", overlap_hours: 1 }]);
  await people.owner.post(`/api/m/${MERCHANT}/live/keys/make`, forged);
  expect(others.askedOf(makeKeys)).toEqual([{ merchant_id: MERCHANT, mode: "live" }]);
  const key = crypto.randomUUID();
  await people.owner.post(`/api/m/${MERCHANT}/test/links`, { ...forged, title: "Shoes", key });
  expect(others.askedOf(createPaymentLink)).toEqual([
    { merchant: { id: MERCHANT, mode: "test", name: "Ada Stores" }, title: "Shoes", key },
  ]);
});

test("fields are validated by the contract before a service is called, and each invalid one is named", async () => {
  const answer = await people.owner.post(`/api/m/${MERCHANT}/test/keys/roll`, { kind: "secret", overlap_hours: 100 });
  expect([answer.status, answer.body.errors]).toMatchObject([400, [{ param: "overlap_hours" }]]);
  expect((await people.owner.get(`/api/m/${MERCHANT}/test/collections?limit=x`)).status).toBe(400);
  expect((await people.owner.get(`/api/m/${MERCHANT}/test/events/nonsense`)).body.code).toBe("not_found");
  const broken = await people.owner.post(`/api/m/${MERCHANT}/test/keys/roll`, "{");
  expect(broken.body.code).toBe("malformed_body");
  const large = await people.owner.post(`/api/m/${MERCHANT}/test/verify-signature`, { body: "x".repeat(200_000) });
  expect([large.status, others.asked]).toEqual([413, []]);
});

test("a service's refusal is passed on; not found is always the same response", async () => {
  others.refuse(getBalance, "service_unavailable");
  expect((await people.viewer.get(`/api/m/${MERCHANT}/test/balance`)).status).toBe(503);
  others.refuse(getBalance, "not_found");
  const gone = await people.viewer.get(`/api/m/${MERCHANT}/test/balance`);
  expect(gone.body).toMatchObject({ status: 404, detail: "Nothing was found for this reference." });
  others.refuse(getBalance, undefined);
});

test("a removal, a sign-out or a lower role applies from the next call on", async () => {
  const person = await aMember(world, dashboard, { merchantId: MERCHANT, role: "developer" });
  const path = `/api/m/${MERCHANT}/test/webhook/test`;
  expect((await person.post(path)).status).toBe(200);
  await world.owner.query("update members set role = 'viewer' where user_id = $1", [person.id]);
  expect((await person.post(path)).status).toBe(403);
  await world.owner.query("delete from members where user_id = $1", [person.id]);
  expect((await person.post(path)).status).toBe(404);
  await world.owner.query("delete from sessions where user_id = $1", [person.id]);
  expect((await person.post(path)).status).toBe(401);
});
