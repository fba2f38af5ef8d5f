import { listDecisions, makeKeys, Problem, rollKey, setBusinessProfile } from "@collect/contracts";
import { startComponents, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { noteDecisions } from "../src/workers/decisions.ts";
import { aMember } from "./dashboard.ts";
import { useMail } from "./world.ts";

const DECIDED = [
  {
    merchant_id: "mer_approved",
    decided_at: new Date(Date.now() - 60_000).toISOString(),
    approved: true,
    reason: null,
  },
  {
    merchant_id: "mer_returned",
    decided_at: new Date(Date.now() - 30_000).toISOString(),
    approved: false,
    reason: "The registration number does not match.",
  },
];
const { world, dashboard, others, mailbox } = await useMail();

test("the owners are told of a live key; not of a test key, nor of one that was refused", async () => {
  const merchantId = "mer_keys";
  const [owner, other, developer] = [
    await aMember(world, dashboard, { merchantId, role: "owner" }),
    await aMember(world, dashboard, { merchantId, role: "owner" }),
    await aMember(world, dashboard, { merchantId, role: "developer" }),
  ];
  const roll = (mode: string) =>
    owner.post(`/api/m/${merchantId}/${mode}/keys/roll`, { kind: "secret", overlap_hours: 0 });
  others.reply(rollKey, () => {
    throw new Problem("conflict", "There is no key to roll.");
  });
  expect((await roll("live")).status).toBe(409);
  others.reply(rollKey, ({ kind }) => Object({ kind, key: "sk_x", previous_expires_at: null }));
  others.reply(makeKeys, () => Object({ keys: {} }));
  expect((await roll("test")).status).toBe(200);
  expect((await roll("live")).status).toBe(200);
  for (const { email } of [owner, other]) {
    const [mail] = await mailbox.untilMailed(email, "A new secret key of Ada Stores");
    expect(mail?.text).toContain(
      `live mode, by Ada Obi (${owner.email.replace("@", " at ").replace(".com", ". com")})`,
    );
    expect(mail?.text).not.toContain("sk_x");
  }
  expect(mailbox.subjectsTo(developer.email)).not.toContain("A new secret key of Ada Stores");
  const { rows } = await world.owner.query("select 1 from notices where merchant_id = $1", [merchantId]);
  const told = mailbox.subjectsTo(owner.email).filter((subject) => subject.includes("key"));
  expect([rows, told]).toEqual([[], ["A new secret key of Ada Stores"]]);
});

test.each(["live", "test"])(
  "owners are told of new contacts for payers, set by a developer under /%s/",
  async (mode) => {
    const merchantId = `mer_profile${mode}`;
    const owner = await aMember(world, dashboard, { merchantId, role: "owner" });
    const developer = await aMember(world, dashboard, { merchantId, role: "developer" });
    const profile = { color: null, support_email: "help@other.example", support_phone: "+234 801 234 5678" };
    const set = () => developer.post(`/api/m/${merchantId}/${mode}/business-profile`, { ...profile, logo: null });
    others.reply(setBusinessProfile, () => {
      throw new Problem("conflict", "The logo cannot be read.");
    });
    expect((await set()).status).toBe(409);
    others.reply(setBusinessProfile, () => ({ ...profile, logo: null, logo_image: null }));
    expect((await set()).status).toBe(200);
    const subject = "What payers see of Ada Stores was changed";
    const [mail] = await mailbox.untilMailed(owner.email, subject);
    expect(mail?.text).toContain(
      "Support email: help at other. example. Support phone: +234 801 234 5678. The logo was removed.",
    );
    expect(mailbox.subjectsTo(owner.email).filter((told) => told === subject)).toEqual([subject]);
  },
);

test("what was done before the process died is mailed, although its outcome is unknown", async () => {
  const merchantId = "mer_died";
  const owner = await aMember(world, dashboard, { merchantId, role: "owner" });
  others.reply(rollKey, () => {
    throw new Problem("service_unavailable", "The answer was lost.");
  });
  const lost = await owner.post(`/api/m/${merchantId}/live/keys/roll`, { kind: "secret", overlap_hours: 0 });
  expect(lost.status).toBe(503);
  await world.owner.query("update notices set due_at = clock_timestamp() where merchant_id = $1", [merchantId]);
  await mailbox.untilMailed(owner.email, "A new secret key of Ada Stores");
});

test("the owners are told once how their verification was decided, and why it was returned", async () => {
  const people = await Promise.all(
    DECIDED.map(({ merchant_id: merchantId }) => aMember(world, dashboard, { merchantId, role: "owner" })),
  );
  others.reply(listDecisions, () => ({ decisions: DECIDED }));
  const { pool, bus, log } = world;
  onTestFinished(await startComponents([noteDecisions({ pool, bus, log, everyMs: 50 })]));
  const [approved, returned] = people.map(({ email }) => email);
  await mailbox.untilMailed(approved ?? "", "Ada Stores is verified");
  const [mail] = await mailbox.untilMailed(returned ?? "", "The verification of Ada Stores needs a change");
  expect(mail?.text).toContain("The registration number does not match.");
  const asked = others.askedOf(listDecisions).length;
  await until("the gateway is asked again", () => others.askedOf(listDecisions).length > asked + 2);
  const told = mailbox.subjectsTo(approved ?? "").filter((subject) => subject.includes("verified"));
  expect(told).toEqual(["Ada Stores is verified"]);
});
