import { expect, test } from "vitest";
import { openBrowser, PASSWORD, signedUp } from "./dashboard.ts";
import { me, nextCode, withTwoFactor } from "./person.ts";
import { useKnownMerchants } from "./world.ts";

const { world, dashboard } = await useKnownMerchants();

test("a code is accepted once: to sign in, to reauthenticate, or by one of two concurrent requests; a wrong one stays wrong", async () => {
  const person = await signedUp(dashboard);
  const { uri } = await withTwoFactor(person);
  const code = nextCode(uri);
  const phones = [openBrowser(dashboard), openBrowser(dashboard)];
  for (const phone of phones) await phone.signIn(person.email);
  const answers = await Promise.all(phones.map((phone) => phone.post("/api/auth/two-factor/verify-totp", { code })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const statuses = await Promise.all(phones.map(me));
  expect(statuses.sort()).toEqual([200, 401]);
  const confirmed = await person.post("/api/reauthenticate", { code: `${code.slice(0, 3)} ${code.slice(3)}` });
  expect([confirmed.status, confirmed.body.errors]).toMatchObject([400, [{ param: "code" }]]);
  for (let n = 0; n < 2; n++)
    expect((await person.post("/api/reauthenticate", { code: "000000" })).body.detail).toBe("The code is incorrect.");
});

test("a changed password does not reauthenticate where there is a second factor: the new session counts as the old one did", async () => {
  const person = await signedUp(dashboard);
  const change = (currentPassword: string, newPassword: string) =>
    person.post("/api/auth/change-password", { currentPassword, newPassword });
  const authenticatedUntil = async () =>
    Object((await person.get("/api/me")).body.session).recently_authenticated_until;
  const grow = (minutes: number) =>
    world.owner.query("update sessions set confirmed_at = confirmed_at - $2 * interval '1 minute' where user_id = $1", [
      person.id,
      minutes,
    ]);
  await grow(10);
  expect((await change(PASSWORD, "of one factor alone")).status).toBe(200);
  expect(await authenticatedUntil()).not.toBeNull();
  expect((await change("of one factor alone", PASSWORD)).status).toBe(200);

  await withTwoFactor(person);
  await grow(5);
  const before = await authenticatedUntil();
  expect((await change(PASSWORD, "another long password")).status).toBe(200);
  expect(await authenticatedUntil()).toBe(before);
  await grow(5);
  expect((await change("another long password", PASSWORD)).status).toBe(200);
  expect(await authenticatedUntil()).toBeNull();
});

test("with a second factor the password alone does not sign in; a code does, a backup code once", async () => {
  const person = await signedUp(dashboard);
  const { uri, codes } = await withTwoFactor(person);
  expect(Object((await person.get("/api/me")).body.user).two_factor_enabled).toBe(true);
  const phone = openBrowser(dashboard);
  const half = await phone.signIn(person.email);
  expect(half.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
  expect(await me(phone)).toBe(401);
  const wrong = await phone.post("/api/auth/two-factor/verify-totp", { code: "000000" });
  expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ param: "code" }]]);
  expect((await phone.post("/api/auth/two-factor/verify-totp", { code: nextCode(uri) })).status).toBe(200);
  expect(await me(phone)).toBe(200);

  const again = async (code: string) => {
    const browser = openBrowser(dashboard);
    await browser.signIn(person.email);
    const { status } = await browser.post("/api/auth/two-factor/verify-backup-code", { code });
    return [status, await me(browser)];
  };
  expect(await again(codes[0] ?? "")).toEqual([200, 200]);
  expect(await again(codes[0] ?? "")).toEqual([400, 401]);
});

test("codes cannot be guessed: after a few the sign-in starts over, then the factor is locked for a while", async () => {
  const person = await signedUp(dashboard);
  const { uri } = await withTwoFactor(person);
  const tries: number[] = [];
  for (let round = 0; round < 3; round++) {
    const thief = openBrowser(dashboard);
    await thief.signIn(person.email);
    for (let n = 0; n < 6; n++)
      tries.push((await thief.post("/api/auth/two-factor/verify-totp", { code: String(100_000 + n) })).status);
  }
  expect(tries.filter((status) => status === 400).length).toBeLessThanOrEqual(12);
  expect(tries).toContain(429);
  const thief = openBrowser(dashboard);
  await thief.signIn(person.email);
  expect((await thief.post("/api/auth/two-factor/verify-totp", { code: nextCode(uri) })).status).toBe(429);
});

test("recently authenticated for ten minutes after signing in; then reauthenticated by the password or, with a second factor, only by its code", async () => {
  const person = await signedUp(dashboard);
  const authenticatedUntil = async () =>
    Object((await person.get("/api/me")).body.session).recently_authenticated_until;
  const grow = (minutes: number) =>
    world.owner.query("update sessions set confirmed_at = confirmed_at - $2 * interval '1 minute' where user_id = $1", [
      person.id,
      minutes,
    ]);
  expect(Date.parse(await authenticatedUntil()) - Date.now()).toBeGreaterThan(9 * 60_000);
  await grow(10);
  expect(await authenticatedUntil()).toBeNull();
  const wrong = await person.post("/api/reauthenticate", { password: "not the password" });
  expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ param: "password" }]]);
  expect(await authenticatedUntil()).toBeNull();
  const confirmed = await person.post("/api/reauthenticate", { password: PASSWORD });
  expect(confirmed.body.recently_authenticated_until).toBe(await authenticatedUntil());

  const { uri } = await withTwoFactor(person);
  await grow(10);
  expect((await person.post("/api/reauthenticate", { password: PASSWORD })).status).toBe(400);
  expect((await person.post("/api/auth/two-factor/disable", { password: PASSWORD })).body.code).toBe(
    "reauthentication_required",
  );
  expect(await authenticatedUntil()).toBeNull();
  expect((await person.post("/api/reauthenticate", { code: nextCode(uri) })).status).toBe(200);
  expect((await person.post("/api/auth/two-factor/disable", { password: PASSWORD })).status).toBe(200);
});
