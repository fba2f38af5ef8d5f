import { decideVerification, verifyMerchant } from "@collect/contracts";
import { expect, test } from "vitest";
import { aShop } from "./gateway.ts";
import { about, aSignUp, codeOf, DETAILS } from "./people.ts";
import { decide, list, save, submit, useVerification, world } from "./verification-world.ts";

useVerification();

test("a returned verification has a reason, can be corrected and resubmitted, and then has no reason", async () => {
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

test("a decision does not apply to a submission newer than the one the operator reviewed", async () => {
  const id = await aSignUp(world);
  const seen = await submit(id);
  await decide(id, "returned", "The account is another's.");
  const again = await submit(id, { ...DETAILS, settlement_account_number: "9876543210" });
  const decideAbout = (submitted_at: string | null, decision: "approved" | "returned") =>
    codeOf(
      world.others.request(
        decideVerification,
        { merchant_id: id, submitted_at, decision, reason: "No.", despite_name: true },
        { requestId: "req-late" },
      ),
    );
  for (const submitted_at of [seen.submitted_at, null])
    for (const decision of ["approved", "returned"] as const)
      expect(await decideAbout(submitted_at, decision)).toBe("conflict");
  expect(await about(world, id).verification()).toEqual(again);
  expect((await about(world, id).merchant()).verified_at).toBeNull();
  const writtenOtherwise = again.submitted_at?.replace(/T(.*)\+00:00$/, "T$1Z") ?? null;
  expect(await decideAbout(writtenOtherwise, "approved")).toBe("fulfilled");
});

test("an approval verifies the merchant and creates no key; its live keys are created once, on request", async () => {
  const id = await aSignUp(world);
  const { make, merchant, verification } = about(world, id);
  await submit(id);
  expect(await codeOf(make("live"))).toBe("verification_required");
  expect(await decide(id, "approved", "looks fine")).toMatchObject({ state: "approved", reason: null });
  const { verified_at, keys } = await merchant();
  expect([verified_at, keys]).toEqual([(await verification()).decided_at, []]);
  expect(verified_at).not.toBeNull();
  expect((await make("live")).made?.secret).toMatch(/^sk_live_/);
  expect(await make("live")).toEqual({ made: null });
  const late = [save(id, {}), submit(id), decide(id, "returned", "No."), decide(id, "approved")].map(codeOf);
  expect(new Set(await Promise.all(late))).toEqual(new Set(["conflict"]));
});

test("only a submitted verification can be decided, once, also by concurrent decisions", async () => {
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

test("a merchant verified on the command line is approved, whatever its draft, and is not pending", async () => {
  const { id: bare } = await aShop(world);
  const waiting = await aSignUp(world);
  await submit(waiting);
  await world.others.request(verifyMerchant, { merchant_id: waiting, despite_name: true });
  for (const id of [bare, waiting]) {
    expect(await about(world, id).verification()).toMatchObject({ state: "approved", decided_at: expect.any(String) });
    expect(await codeOf(save(id, {}))).toBe("conflict");
    expect(await codeOf(decide(id, "returned", "No."))).toBe("conflict");
  }
  // As the previous release verifies while this one is being rolled out.
  const older = await aSignUp(world);
  await submit(older);
  await world.owner.query("update merchants set verified_at = clock_timestamp() where id = $1", [older]);
  expect(await about(world, older).verification()).toMatchObject({ state: "approved" });
  const submitted = (await list()).map(({ merchant_id }) => merchant_id);
  for (const id of [bare, waiting, older]) expect(submitted).not.toContain(id);
});

test("verifications in a state are listed oldest first, with all details", async () => {
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

test("no decision without a record of it: if the entry cannot be written, the merchant is not verified", async () => {
  const id = await aSignUp(world);
  await submit(id);
  await world.owner.query("revoke insert on audit_entries from collect_gateway");
  try {
    expect(await codeOf(decide(id, "approved"))).toBe("internal_error");
  } finally {
    await world.owner.query("grant insert on audit_entries to collect_gateway");
  }
  expect((await about(world, id).merchant()).verified_at).toBeNull();
  expect((await about(world, id).verification()).state).toBe("submitted");
});
