import { createSignInLink, importActs } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { openBrowser, PASSWORD, signedUp } from "./dashboard.ts";
import { nextCode, withTwoFactor } from "./person.ts";
import { useKnownMerchants } from "./world.ts";

const { world, dashboard, others } = await useKnownMerchants();
let teams = 0;
const aTeamMember = async () => {
  const merchantId = `mer_people${++teams}`;
  const person = await signedUp(dashboard);
  await world.owner.query("insert into businesses (id, name) values ($1, 'Ada')", [merchantId]);
  await world.owner.query("insert into members (merchant_id, user_id, role) values ($1, $2, 'owner')", [
    merchantId,
    person.id,
  ]);
  const actions = () =>
    others.audited
      .filter(({ merchant_id }) => merchant_id === merchantId)
      .map(({ action, outcome }) => [action, outcome]);
  return {
    merchantId,
    person,
    actions,
    untilActs: (count: number) => until(`${count} acts`, () => actions().length >= count),
  };
};

test("a sign-in is recorded in the teams of the user, also one that fails, and from a browser that is new", async () => {
  const { merchantId, person, untilActs } = await aTeamMember();
  const browser = openBrowser(dashboard);
  await browser.post("/api/auth/sign-in/email", { email: person.email, password: "not the password" });
  await browser.post("/api/auth/sign-in/email", { email: "nobody@example.com", password: "not the password" });
  await browser.signIn(person.email);
  await browser.signIn(person.email);
  const before = others.audited.length;
  await untilActs(3);
  const acts = others.audited.filter(({ merchant_id }) => merchant_id === merchantId).slice(-3);
  expect(acts).toMatchObject([
    { action: "sign_in.failed", outcome: "refused", actor: { kind: "anonymous" }, detail: { new_device: true } },
    {
      action: "signed_in",
      outcome: "done",
      actor: { kind: "member", user_id: person.id },
      detail: { new_device: true },
    },
    { action: "signed_in", outcome: "done", actor: { kind: "member", user_id: person.id } },
  ]);
  expect(acts[2]?.detail).not.toHaveProperty("new_device");
  expect(
    others.audited
      .slice(before)
      .map(({ detail }) => JSON.stringify(detail))
      .join(),
  ).not.toContain("nobody@");
});

test("a user sees the own sign-ins and failed attempts, each once, and a signed-out caller none", async () => {
  const { person } = await aTeamMember();
  await world.owner.query("insert into businesses (id, name) values ('mer_second', 'Second')");
  await world.owner.query("insert into members (merchant_id, user_id, role) values ('mer_second', $1, 'viewer')", [
    person.id,
  ]);
  const { person: other } = await aTeamMember();
  const seen = async (browser: typeof person) => (await browser.get("/api/sign-ins")).body;
  const before = Object(await seen(person)).length;
  const browser = openBrowser(dashboard);
  await browser.post("/api/auth/sign-in/email", { email: person.email, password: "not the password" });
  await browser.signIn(person.email);
  const shown = Object(await seen(person));
  expect(shown).toHaveLength(before + 2);
  expect(shown.slice(0, 2)).toMatchObject([
    { is_successful: true, is_new_device: true, address: expect.stringMatching(/^[\da-f.:]+$/) },
    { is_successful: false, is_new_device: true },
  ]);
  expect(JSON.stringify(await seen(other))).not.toContain(shown[0].at);
  expect((await openBrowser(dashboard).get("/api/sign-ins")).status).toBe(401);
});

test("with a second factor the password alone is no sign-in; turning the factor on and changing the password are recorded", async () => {
  const { person, actions, untilActs } = await aTeamMember();
  const already = () => actions().map(([action]) => action);
  const { uri } = await withTwoFactor(person);
  const phone = openBrowser(dashboard);
  await phone.signIn(person.email);
  await phone.post("/api/auth/two-factor/verify-totp", { code: nextCode(uri) });
  await person.post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: "another long password" });
  await untilActs(5);
  await until("the password is recorded", () => already().includes("password.changed"));
  expect(already().slice(-5)).toEqual([
    "second_factor.code_sent",
    "second_factor.set_up",
    "second_factor.enabled",
    "signed_in",
    "password.changed",
  ]);
  expect(JSON.stringify(others.audited)).not.toContain("another long password");
});

test("an operator's sign-in link and its use are in the log of the user's teams", async () => {
  const { person, actions } = await aTeamMember();
  const { url } = await world.others.request(createSignInLink, { email: person.email });
  await openBrowser(dashboard).post("/api/sign-in-link", { token: url.split("/").at(-1) });
  await until("its use is recorded", () => actions().some(([action]) => action === "sign_in_link.used"));
  expect(others.audited.find(({ action }) => action === "sign_in_link.made")?.actor).toEqual({
    kind: "operator",
    name: "tester",
  });
});

test("what is recorded with a change reaches the log once the gateway answers again, each act once", async () => {
  const { person, actions } = await aTeamMember();
  others.refuse(importActs, "service_unavailable");
  await openBrowser(dashboard).signIn(person.email);
  const waiting = async () => (await world.owner.query("select from audit_log where copied_at is null")).rowCount;
  expect(await waiting()).toBeGreaterThan(0);
  others.refuse(importActs, undefined);
  await until("the outbox is empty", async () => (await waiting()) === 0);
  await world.owner.query("update audit_log set copied_at = null");
  const before = actions();
  await until("everything was sent again", async () => (await waiting()) === 0);
  expect(actions()).toEqual(before);
});
