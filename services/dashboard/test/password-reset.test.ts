import { tokenIn } from "@collect/testing";
import { expect, test } from "vitest";
import { LIMITS } from "../src/domain/rate-limits.ts";
import { openBrowser, PASSWORD, signedUp, startDashboard, withoutRequestId } from "./dashboard.ts";
import { me, nextCode, withTwoFactor } from "./person.ts";
import { useMail } from "./world.ts";

const { world, dashboard, mailbox } = await useMail();
const NEW = "mangoes dance on tuesdays";

const request = (email: string) => openBrowser(dashboard).post("/api/password-reset/request", { email });
const reset = (token: string, new_password = NEW) =>
  openBrowser(dashboard).post("/api/password-reset", { token, new_password });
const linkTo = async (email: string, count = 1) => {
  await request(email);
  return tokenIn((await mailbox.untilMailed(email, "Reset your password", count)).at(-1));
};

test("a link by mail permits one new password, ends every session, and proves the address", async () => {
  const person = await signedUp(dashboard);
  const token = await linkTo(person.email);
  expect((await openBrowser(dashboard).get(`/reset-password/${token}`)).status).toBe(200);
  expect((await reset(token)).body).toEqual({ status: true });
  expect(await me(person)).toBe(401);
  expect((await openBrowser(dashboard).signIn(person.email)).status).toBe(401);
  expect((await person.signIn(person.email, NEW)).status).toBe(200);
  expect(Object((await person.get("/api/me")).body.user).is_confirmed).toBe(true);
  expect((await reset(token, "another long password")).body.code).toBe("not_found");
});

test("of ten uses of a link at once one sets the password", async () => {
  const token = await linkTo((await signedUp(dashboard)).email);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => reset(token, `${NEW} number ${n}`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a link expires, a newer one replaces it, a weak password does not use it up", async () => {
  const { email, id } = await signedUp(dashboard);
  const [first, second] = [await linkTo(email), await linkTo(email, 2)];
  expect((await reset(first)).body.code).toBe("not_found");
  const weak = await reset(second, "1234567890");
  expect([weak.status, weak.body.errors]).toMatchObject([400, [{ param: "new_password", code: "too_weak" }]]);
  await world.owner.query("update mailed_links set expires_at = clock_timestamp() where user_id = $1", [id]);
  expect((await reset(second)).body.code).toBe("not_found");
  for (const wrong of ["x", "", "a".repeat(43)]) expect((await reset(wrong)).status).toBe(404);
});

test("the response is the same for a known and an unknown address, for comparable work, and as limited", async () => {
  const emails = [(await signedUp(dashboard)).email, "nobody.at.all@example.com"];
  const answers = new Set<string>();
  const times = emails.map((): number[] => []);
  for (let n = 0; n < 2 * LIMITS.reset_account.limit; n++) {
    const started = performance.now();
    const { status, text } = withoutRequestId(await request(emails[n % 2] ?? ""));
    times[n % 2]?.push(performance.now() - started);
    answers.add(`${status} ${text}`);
  }
  expect([...answers]).toEqual(['200 {"status":true}']);
  const [known = 0, unknown = 0] = times.map((all) => all.sort((a, b) => a - b)[1] ?? 0);
  expect(known / unknown).toBeGreaterThan(0.2);
  expect(known / unknown).toBeLessThan(5);
  const limited = await Promise.all(emails.map(request));
  expect(limited.map(({ status, body }) => [status, body.code])).toEqual([
    [429, "rate_limited"],
    [429, "rate_limited"],
  ]);
});

test("a reset is one factor: a proven user's second factor stays; one set up by a squatter goes", async () => {
  const [owner, squatter] = [await signedUp(dashboard), await signedUp(dashboard)];
  await world.owner.query("update users set email_verified = true where id = any ($1)", [[owner.id, squatter.id]]);
  const { uri } = await withTwoFactor(owner, mailbox);
  await withTwoFactor(squatter, mailbox);
  // As it was set up before factors needed a proven address.
  await world.owner.query("update users set email_verified = false where id = $1", [squatter.id]);
  for (const { email } of [owner, squatter]) await reset(await linkTo(email));
  const phone = openBrowser(dashboard);
  expect((await phone.signIn(owner.email, NEW)).body.twoFactorRedirect).toBe(true);
  expect(await me(phone)).toBe(401);
  expect((await phone.post("/api/auth/two-factor/verify-totp", { code: nextCode(uri) })).status).toBe(200);
  const taken = openBrowser(dashboard);
  expect((await taken.signIn(squatter.email, NEW)).body.twoFactorRedirect).toBeUndefined();
  expect([await me(taken), await me(squatter)]).toEqual([200, 401]);
});

test("the user is told of a changed password and second factor; not of the password of the sign-up", async () => {
  const person = await signedUp(dashboard);
  // The mail of the sign-up, by which time its notices are worked off.
  await mailbox.untilMailed(person.email, "Confirm your email address");
  await world.owner.query("update users set created_at = created_at - interval '2 minutes' where id = $1", [person.id]);
  const change = { currentPassword: PASSWORD, newPassword: NEW };
  expect((await person.post("/api/auth/change-password", change)).status).toBe(200);
  const [changed] = await mailbox.untilMailed(person.email, "Your password was changed");
  expect(changed?.text).toMatch(/Lagos time, from node \(10\.\d+\.\d+\.7\)\./);
  await person.post("/api/auth/change-password", { currentPassword: NEW, newPassword: PASSWORD });
  await mailbox.untilMailed(person.email, "Your password was changed", 2);
  await world.owner.query("update users set email_verified = true where id = $1", [person.id]);
  await withTwoFactor(person, mailbox);
  await mailbox.untilMailed(person.email, "Two-factor authentication is on");
  await person.post("/api/auth/two-factor/disable", { password: PASSWORD });
  await mailbox.untilMailed(person.email, "Two-factor authentication is off");
  expect(mailbox.subjectsTo(person.email).filter((subject) => subject === "Your password was changed")).toHaveLength(2);
});

test("a sign-in in a new browser is mailed; the first, a known browser and a changed password are not", async () => {
  const person = await signedUp(dashboard);
  await person.signIn(person.email);
  await person.post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: NEW });
  const thief = openBrowser(dashboard);
  await thief.call("POST", "/api/auth/sign-in/email", {
    body: { email: person.email, password: NEW },
    headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
  });
  // Even if it is signed out again at once.
  await thief.post("/api/auth/sign-out");
  await world.owner.query("update notices set due_at = clock_timestamp()");
  const [mail] = await mailbox.untilMailed(person.email, "New sign-in to your account");
  expect(mail?.text).toContain("Firefox on Linux");
  expect(mailbox.subjectsTo(person.email).filter((subject) => subject.startsWith("New sign-in"))).toHaveLength(1);
});

test("without a mail server the page is told to ask the operator", async () => {
  const silent = await startDashboard(world);
  const asked = await openBrowser(silent).post("/api/password-reset/request", { email: "ada@example.com" });
  expect([asked.status, asked.body.code]).toEqual([409, "conflict"]);
  await silent.stop();
});
