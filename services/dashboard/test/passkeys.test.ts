import { expect, test } from "vitest";
import { type Authenticator, createAuthenticator } from "./authenticator.ts";
import { type Browser, openBrowser, PASSWORD, signedUp } from "./dashboard.ts";
import { mayEnrol, me, nextCode, withTwoFactor } from "./person.ts";
import { useKnownMerchants } from "./world.ts";

const { world, dashboard } = await useKnownMerchants();

const challengeOf = async (browser: Pick<Browser, "get">, purpose: "register" | "authenticate") =>
  String((await browser.get(`/api/auth/passkey/generate-${purpose}-options`)).body.challenge);

async function register(browser: Browser, isVerified = true, name = "My phone") {
  await mayEnrol(browser);
  const authenticator = createAuthenticator(dashboard.config.APP_URL);
  const response = authenticator.register(await challengeOf(browser, "register"), isVerified);
  const answer = await browser.post("/api/auth/passkey/verify-registration", { response, name });
  return { authenticator, answer };
}

async function signInWith(authenticator: Authenticator, browser = openBrowser(dashboard), isVerified = true) {
  const response = authenticator.authenticate(await challengeOf(browser, "authenticate"), isVerified);
  return { browser, answer: await browser.post("/api/auth/passkey/verify-authentication", { response }), response };
}

const grow = (id: string) =>
  world.owner.query("update sessions set confirmed_at = confirmed_at - interval '10 minutes' where user_id = $1", [id]);

async function founder() {
  const person = await signedUp(dashboard);
  const { body } = await person.post("/api/merchants", { name: "Ada Stores" });
  const live = (browser: Pick<Browser, "get">) => browser.get(`/api/m/${body.merchant_id}/live/members`);
  const test = (browser: Pick<Browser, "get">) => browser.get(`/api/m/${body.merchant_id}/test/members`);
  return { ...person, live, test };
}

test("a passkey is registered, listed, named and removed, and signs in without a password", async () => {
  const person = await founder();
  const { authenticator, answer } = await register(person);
  expect([answer.status, Object.keys(answer.body).sort()]).toEqual([200, ["createdAt", "id", "name"]]);
  const phone = await signInWith(authenticator);
  expect([phone.answer.status, await me(phone.browser)]).toEqual([200, 200]);
  expect(
    (await phone.browser.post("/api/auth/passkey/update-passkey", { id: answer.body.id, name: "Work phone" })).status,
  ).toBe(200);
  const { text } = await person.get("/api/auth/passkey/list-user-passkeys");
  expect(JSON.parse(text)).toEqual([{ id: answer.body.id, name: "Work phone", createdAt: expect.any(String) }]);
  expect((await person.post("/api/auth/passkey/delete-passkey", { id: answer.body.id })).status).toBe(200);
  expect((await signInWith(authenticator)).answer.status).toBe(401);
});

test("an authenticator that did not verify its user is refused, at registration and at sign-in", async () => {
  const person = await founder();
  expect((await register(person, false)).answer.status).toBeGreaterThanOrEqual(400);
  const { authenticator } = await register(person);
  const unverified = await signInWith(authenticator, openBrowser(dashboard), false);
  expect([unverified.answer.status, await me(unverified.browser)]).toEqual([401, 401]);
});

test("a response is accepted once, only by the browser that asked, and only from our own origin", async () => {
  const person = await founder();
  const { authenticator } = await register(person);
  const { response, browser } = await signInWith(authenticator);
  for (const replay of [browser, openBrowser(dashboard)])
    expect((await replay.post("/api/auth/passkey/verify-authentication", { response })).status).toBe(409);
  const phished = createAuthenticator("https://evil.example");
  const asked = await challengeOf(person, "register");
  const forged = await person.post("/api/auth/passkey/verify-registration", {
    response: phished.register(asked),
    name: "x",
  });
  expect(forged.status).toBeGreaterThanOrEqual(400);
});

test("another user's passkey can be neither renamed nor removed", async () => {
  const [person, stranger] = [await founder(), await founder()];
  const { answer } = await register(person);
  for (const act of ["delete-passkey", "update-passkey"])
    expect(
      (await stranger.post(`/api/auth/passkey/${act}`, { id: answer.body.id, name: "Mine" })).status,
    ).toBeGreaterThanOrEqual(400);
  expect(JSON.parse((await person.get("/api/auth/passkey/list-user-passkeys")).text)).toMatchObject([
    { name: "My phone" },
  ]);
});

test("an owner enters live mode with a second factor only, whichever: an authenticator app or a passkey", async () => {
  const [withApp, withPasskey] = [await founder(), await founder()];
  for (const person of [withApp, withPasskey]) {
    const refused = await person.live(person);
    expect([refused.status, refused.body.code]).toEqual([403, "second_factor_required"]);
    expect((await person.test(person)).status).toBe(200);
  }
  await withTwoFactor(withApp);
  await register(withPasskey);
  for (const person of [withApp, withPasskey]) expect((await person.live(person)).status).toBe(200);
  // Without the factor the session has nothing to show again.
  await withApp.post("/api/auth/two-factor/disable", { password: PASSWORD });
  expect((await withApp.live(withApp)).body.code).toBe("second_factor_required");
});

test("the password of a user with a passkey enters test mode, and proves nothing else", async () => {
  const person = await founder();
  const { authenticator, answer } = await register(person);
  const thief = openBrowser(dashboard);
  expect((await thief.signIn(person.email)).status).toBe(200);
  expect((await person.test(thief)).status).toBe(200);
  expect((await person.live(thief)).body.code).toBe("second_factor_required");
  const attempts = [
    await thief.post("/api/reauthenticate", { password: PASSWORD }),
    await thief.post("/api/auth/two-factor/enable", { password: PASSWORD }),
    await thief.get("/api/auth/passkey/generate-register-options"),
    await thief.post("/api/auth/passkey/delete-passkey", { id: answer.body.id }),
  ];
  expect(attempts.map(({ status, body }) => [status, body.code])).toEqual([
    [403, "second_factor_required"],
    [403, "second_factor_required"],
    [403, "reauthentication_required"],
    [403, "reauthentication_required"],
  ]);
  // A changed password does not make it more than it was.
  await thief.post("/api/auth/change-password", {
    currentPassword: PASSWORD,
    newPassword: "mangoes dance on tuesdays",
  });
  expect((await person.live(thief)).body.code).toBe("second_factor_required");
  expect((await thief.get("/api/auth/passkey/generate-register-options")).body.code).toBe("reauthentication_required");
  // The passkey does, in the same browser.
  expect((await signInWith(authenticator, thief)).answer.status).toBe(200);
  expect((await person.live(thief)).status).toBe(200);
});

test("a session that was recently authenticated without the second factor cannot change the factors either", async () => {
  const person = await founder();
  const old = openBrowser(dashboard);
  await old.signIn(person.email);
  await mayEnrol(old);
  const enabled = await old.post("/api/auth/two-factor/enable", { password: PASSWORD });
  await register(person);
  expect((await old.get("/api/auth/passkey/generate-register-options")).body.code).toBe("second_factor_required");
  // Nor finish turning on an authenticator that it began before.
  const code = nextCode(String(enabled.body.totpURI));
  expect((await old.post("/api/auth/two-factor/verify-totp", { code })).body.code).toBe("second_factor_required");
  expect((await person.live(old)).body.code).toBe("second_factor_required");
});

test("a code or a passkey in a session reauthenticates it", async () => {
  const person = await founder();
  const { authenticator } = await register(person);
  await grow(person.id);
  expect((await person.get("/api/auth/passkey/generate-register-options")).body.code).toBe("reauthentication_required");
  expect((await signInWith(authenticator, person)).answer.status).toBe(200);
  await mayEnrol(person);
  expect((await person.get("/api/auth/passkey/generate-register-options")).status).toBe(200);
  const { uri } = await withTwoFactor(person);
  await grow(person.id);
  expect((await person.post("/api/reauthenticate", { code: nextCode(uri) })).status).toBe(200);
});
