import {
  decideVerification,
  listVerifications,
  saveVerification,
  submitVerification,
  verifyMerchant,
} from "@collect/contracts";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ENQUIRIES } from "../src/domain/verification.ts";
import { aShop, type Gateway, openGatewayWorld, startGateway } from "./gateway.ts";
import { type Others, playOthers } from "./others.ts";
import { about, aSignUp, codeOf, DETAILS } from "./people.ts";

let world: World;
let gateway: Gateway;
let others: Others;

beforeAll(async () => {
  world = await openGatewayWorld();
  gateway = await startGateway(world);
  others = await playOthers(world);
});
afterAll(async () => {
  await gateway.stop();
  await others.stop();
  await world.close();
});
beforeEach(() => {
  others.asked.length = 0;
  others.refuseWith(undefined);
});

type Details = Partial<typeof DETAILS>;
const save = (merchant_id: string, details: Details) =>
  world.others.request(saveVerification, { merchant_id, details }, "req-save");
const submit = (merchant_id: string, details = DETAILS) =>
  world.others.request(submitVerification, { merchant_id, details }, "req-submit");
/** About what is submitted at the moment. */
async function decide(merchant_id: string, decision: "approved" | "returned", reason?: string) {
  const { submitted_at } = await about(world, merchant_id).verification();
  return world.others.request(decideVerification, { merchant_id, submitted_at, decision, reason }, "req-decide");
}
const list = (state?: "draft" | "submitted" | "approved" | "returned") =>
  world.others.request(listVerifications, { state }).then(({ verifications }) => verifications);

test("a merchant that has not begun has an empty draft", async () => {
  const id = await aSignUp(world);
  expect(await about(world, id).verification()).toEqual({
    merchant_id: id,
    merchant_name: "Ada Stores",
    state: "draft",
    details: {},
    settlement_account_name: null,
    settlement_bank_name: null,
    reason: null,
    submitted_at: null,
    decided_at: null,
  });
  expect(await codeOf(about(world, "mer_nobody").verification())).toBe("not_found");
});

test("a draft keeps what was filled in last, and takes no field that is wrong", async () => {
  const id = await aSignUp(world);
  await save(id, { registered_name: "  Ada   Stores ", rc_number: "RC 1" }).catch(() => {});
  expect((await about(world, id).verification()).details).toEqual({});
  await save(id, { registered_name: "  Ada   Stores ", address: "12 Marina" });
  const saved = await save(id, { registered_name: "Ada Stores Ltd", contact_phone: "08031234567" });
  expect(saved).toMatchObject({ state: "draft", submitted_at: null });
  expect(saved.details).toEqual({ registered_name: "Ada Stores Ltd", contact_phone: "08031234567" });
  expect(await about(world, id).verification()).toEqual(saved);
  expect(others.asked).toEqual([]);
  const wrong: Details[] = [
    { rc_number: "12345x" },
    { contact_email: "ada" },
    { contact_phone: "call me" },
    { settlement_bank_code: "58" },
    { settlement_account_number: "1" },
    { address: "Lag" },
    { contact_name: "" },
  ];
  for (const details of wrong) expect(await codeOf(save(id, details))).toBe("validation_failed");
});

test("what is submitted is complete, and stands with the name that the bank gave", async () => {
  const id = await aSignUp(world);
  for (const missing of Object.keys(DETAILS)) {
    const details = Object.fromEntries(Object.entries(DETAILS).filter(([name]) => name !== missing));
    const asked = world.others.request(submitVerification, { merchant_id: id, details: Object(details) });
    expect(await codeOf(asked), missing).toBe("validation_failed");
  }
  expect([others.asked, (await about(world, id).verification()).state]).toEqual([[], "draft"]);

  const submitted = await submit(id);
  expect(submitted).toMatchObject({
    state: "submitted",
    details: DETAILS,
    settlement_account_name: expect.stringMatching(/./),
    settlement_bank_name: expect.stringMatching(/./),
    submitted_at: expect.any(String),
    decided_at: null,
  });
  expect(others.asked).toEqual([
    { merchant: { id, name: "Ada Stores", mode: "live" }, bank_code: "058", account_number: "0123456789" },
  ]);
  expect(await about(world, id).verification()).toEqual(submitted);
});

test("an account that the bank does not know, or a bank that does not answer, submits nothing and keeps the draft", async () => {
  const id = await aSignUp(world);
  for (const refusal of ["account_unresolved", "provider_timeout"] as const) {
    others.refuseWith(refusal);
    expect(await codeOf(submit(id))).toBe(refusal);
    expect(await about(world, id).verification()).toMatchObject({
      state: "draft",
      details: DETAILS,
      settlement_account_name: null,
      submitted_at: null,
    });
  }
  others.refuseWith(undefined);
  expect((await submit(id)).state).toBe("submitted");
});

test("while it is with the operator nothing about it changes, and of several who submit at once one does", async () => {
  const id = await aSignUp(world);
  const at_once = await Promise.all(Array.from({ length: 4 }, () => codeOf(submit(id))));
  expect(at_once.sort()).toEqual(["conflict", "conflict", "conflict", "fulfilled"]);
  const before = await about(world, id).verification();
  expect(await codeOf(save(id, { registered_name: "Other" }))).toBe("conflict");
  expect(await codeOf(submit(id, { ...DETAILS, registered_name: "Other" }))).toBe("conflict");
  expect(await about(world, id).verification()).toEqual(before);
  expect((await about(world, id).audit()).filter(([action]) => action === "verification.submitted")).toHaveLength(1);
});

test("what is returned says why, can be mended and submitted again, and then has no reason any more", async () => {
  const id = await aSignUp(world);
  await submit(id);
  expect(await codeOf(decide(id, "returned"))).toBe("validation_failed");
  expect(await codeOf(decide(id, "returned", "   "))).toBe("validation_failed");
  const returned = await decide(id, "returned", "The name differs.");
  expect(returned).toMatchObject({
    state: "returned",
    reason: "The name differs.",
    details: DETAILS,
    decided_at: expect.any(String),
  });
  const saved = await save(id, { ...DETAILS, registered_name: "Ada Obi" });
  expect(saved).toMatchObject({ state: "returned", reason: "The name differs." });
  expect(await codeOf(decide(id, "approved"))).toBe("conflict");
  const again = await submit(id, { ...DETAILS, registered_name: "Ada Obi" });
  expect(again).toMatchObject({ state: "submitted", reason: null, decided_at: null });
  expect(again.details.registered_name).toBe("Ada Obi");
});

test("what was submitted after the operator looked is not decided about unseen", async () => {
  const id = await aSignUp(world);
  const seen = await submit(id);
  await decide(id, "returned", "The account is another's.");
  const again = await submit(id, { ...DETAILS, settlement_account_number: "9876543210" });
  const decideAbout = (submitted_at: string | null, decision: "approved" | "returned") =>
    codeOf(
      world.others.request(decideVerification, { merchant_id: id, submitted_at, decision, reason: "No." }, "req-late"),
    );
  for (const submitted_at of [seen.submitted_at, null])
    for (const decision of ["approved", "returned"] as const)
      expect(await decideAbout(submitted_at, decision)).toBe("conflict");
  expect(await about(world, id).verification()).toEqual(again);
  expect((await about(world, id).merchant()).verified_at).toBeNull();
  expect((await about(world, id).audit()).filter(([, , requestId]) => requestId === "req-late")).toEqual([]);
  const writtenOtherwise = again.submitted_at?.replace(/T(.*)\+00:00$/, "T$1Z") ?? null;
  expect(await decideAbout(writtenOtherwise, "approved")).toBe("fulfilled");
});

test("an approval verifies the merchant and makes no key; its live keys are made once, when they are asked for", async () => {
  const id = await aSignUp(world);
  const { make, merchant, verification } = about(world, id);
  await submit(id);
  expect(await codeOf(make("live"))).toBe("conflict");
  expect(await decide(id, "approved", "looks fine")).toMatchObject({ state: "approved", reason: null });
  const { verified_at, keys } = await merchant();
  expect([verified_at, keys]).toEqual([(await verification()).decided_at, []]);
  expect(verified_at).not.toBeNull();
  expect((await make("live")).made?.secret).toMatch(/^sk_live_/);
  expect(await make("live")).toEqual({ made: null });
  const late = [save(id, {}), submit(id), decide(id, "returned", "No."), decide(id, "approved")].map(codeOf);
  expect(new Set(await Promise.all(late))).toEqual(new Set(["conflict"]));
});

test("only what is submitted is decided about, once, whoever decides at the same moment", async () => {
  const id = await aSignUp(world);
  expect(await codeOf(decide(id, "approved"))).toBe("conflict");
  await save(id, {});
  expect(await codeOf(decide(id, "returned", "No."))).toBe("conflict");
  expect((await about(world, id).merchant()).verified_at).toBeNull();
  await submit(id);
  const decided = await Promise.all([codeOf(decide(id, "approved")), codeOf(decide(id, "returned", "No."))]);
  expect(decided.sort()).toEqual(["conflict", "fulfilled"]);
  const { state } = await about(world, id).verification();
  expect((await about(world, id).merchant()).verified_at !== null).toBe(state === "approved");
  expect(await codeOf(decide("mer_nobody", "approved"))).toBe("not_found");
});

test("who is verified on the command line is approved, whatever had been filled in, and waits for nobody", async () => {
  const { id: bare } = await aShop(world);
  const waiting = await aSignUp(world);
  await submit(waiting);
  await world.others.request(verifyMerchant, { merchant_id: waiting });
  for (const id of [bare, waiting]) {
    expect(await about(world, id).verification()).toMatchObject({ state: "approved", decided_at: expect.any(String) });
    expect(await codeOf(save(id, {}))).toBe("conflict");
    expect(await codeOf(decide(id, "returned", "No."))).toBe("conflict");
  }
  // As the release before this one verifies while this one is being rolled out.
  const older = await aSignUp(world);
  await submit(older);
  await world.owner.query("update merchants set verified_at = clock_timestamp() where id = $1", [older]);
  expect(await about(world, older).verification()).toMatchObject({ state: "approved" });
  const submitted = (await list()).map(({ merchant_id }) => merchant_id);
  for (const id of [bare, waiting, older]) expect(submitted).not.toContain(id);
});

test("those in a state are listed longest waiting first, whole", async () => {
  const ids = [await aSignUp(world), await aSignUp(world), await aSignUp(world)];
  const [first = "", second = "", third = ""] = ids;
  for (const id of [second, third, first]) await submit(id);
  const ours = async (state?: "returned" | "draft") =>
    (await list(state)).map(({ merchant_id }) => merchant_id).filter((id) => ids.includes(id));
  expect(await ours()).toEqual([second, third, first]);
  await decide(third, "returned", "No.");
  expect([await ours(), await ours("returned"), await ours("draft")]).toEqual([[second, first], [third], []]);
  expect((await list()).find(({ merchant_id }) => merchant_id === first)).toEqual(
    await about(world, first).verification(),
  );
});

test("every change stands in the audit log, with what was decided and nothing of what was filled in", async () => {
  const id = await aSignUp(world);
  await save(id, { registered_name: "Ada Stores Limited" });
  await submit(id);
  await decide(id, "returned", "The name differs.");
  await submit(id);
  await decide(id, "approved");
  const audit = await about(world, id).audit();
  const fields = Object.keys(DETAILS);
  expect(audit).toEqual([
    ["merchant.registered", {}, "req-1"],
    ["verification.saved", { fields: ["registered_name"] }, "req-save"],
    ["verification.saved", { fields }, "req-submit"],
    ["verification.submitted", {}, "req-submit"],
    ["verification.returned", { reason: "The name differs." }, "req-decide"],
    ["verification.saved", { fields }, "req-submit"],
    ["verification.submitted", {}, "req-submit"],
    ["verification.approved", {}, "req-decide"],
  ]);
  expect(JSON.stringify(audit)).not.toContain("Ada Stores Limited");
});

test("a decision and its audit row are one: when the row cannot be written nobody is verified", async () => {
  const id = await aSignUp(world);
  await submit(id);
  await world.owner.query("revoke insert on audit_log from collect_gateway");
  try {
    expect(await codeOf(decide(id, "approved"))).toBe("internal_error");
  } finally {
    await world.owner.query("grant insert on audit_log to collect_gateway");
  }
  expect((await about(world, id).merchant()).verified_at).toBeNull();
  expect((await about(world, id).verification()).state).toBe("submitted");
});

test("names cannot be read out of the bank one by one: a merchant submits so often an hour", async () => {
  const id = await aSignUp(world);
  others.refuseWith("account_unresolved");
  for (let times = 0; times < ENQUIRIES.max; times++) expect(await codeOf(submit(id))).toBe("account_unresolved");
  expect(await codeOf(submit(id))).toBe("rate_limited");
  expect(others.asked).toHaveLength(ENQUIRIES.max);
  others.refuseWith(undefined);
  expect((await submit(await aSignUp(world))).state).toBe("submitted");
  await world.owner.query(
    "update merchant_verifications set enquiries_since = enquiries_since - interval '1 hour' where merchant_id = $1",
    [id],
  );
  expect((await submit(id)).state).toBe("submitted");
});
