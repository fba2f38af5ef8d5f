import { submitVerification } from "@collect/contracts";
import { expect, test } from "vitest";
import { ENQUIRIES } from "../src/domain/verification.ts";
import { about, aSignUp, codeOf, DETAILS } from "./people.ts";
import { type Details, decide, others, save, submit, useVerification, world } from "./verification-world.ts";

useVerification();

test("a merchant that has not started has an empty draft", async () => {
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
    suspension: null,
  });
  expect(await codeOf(about(world, "mer_nobody").verification())).toBe("not_found");
});

test("a draft stores the latest values, and refuses invalid fields", async () => {
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

test("a submission must be complete, and is stored with the account name from the bank", async () => {
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
  expect(others.asked).toEqual([{ bank_code: "058", account_number: "0123456789" }]);
  expect(await about(world, id).verification()).toEqual(submitted);
});

test("an unknown account, or a bank that does not respond, prevents the submission and keeps the draft", async () => {
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

test("a submitted verification cannot change, and of concurrent submissions one succeeds", async () => {
  const id = await aSignUp(world);
  const at_once = await Promise.all(Array.from({ length: 4 }, () => codeOf(submit(id))));
  expect(at_once.sort()).toEqual(["conflict", "conflict", "conflict", "fulfilled"]);
  const before = await about(world, id).verification();
  expect(await codeOf(save(id, { registered_name: "Other" }))).toBe("conflict");
  expect(await codeOf(submit(id, { ...DETAILS, registered_name: "Other" }))).toBe("conflict");
  expect(await about(world, id).verification()).toEqual(before);
});

test("a decision is in the audit log with its reason", async () => {
  const id = await aSignUp(world);
  await submit(id);
  await decide(id, "returned", "The name differs.");
  await submit(id);
  await decide(id, "approved");
  expect(await about(world, id).audit()).toEqual([
    ["verification.decided", { decision: "returned", reason: "The name differs.", despite_name: true }, "req-decide"],
    ["verification.decided", { decision: "approved", despite_name: true }, "req-decide"],
  ]);
});

test("account names cannot be enumerated: a merchant's submissions per hour are limited", async () => {
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
