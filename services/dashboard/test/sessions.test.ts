import { createPool } from "@collect/database";
import { createKeyring } from "@collect/runtime";
import { expect, test } from "vitest";
import { createAuth } from "../src/adapters/auth.ts";
import { createSecondFactors } from "../src/adapters/second-factors.ts";
import { createPrisma } from "../src/store/prisma.ts";
import { openBrowser, PASSWORD, type Person, signedUp, startDashboard } from "./dashboard.ts";
import { me, sessionOf, signUp } from "./person.ts";
import { useKnownMerchants } from "./world.ts";

const { world, dashboard } = await useKnownMerchants();

test("every sign-in creates a new session, whatever cookie the browser sent, and ends the previous one", async () => {
  const { email } = await signedUp(dashboard);
  const browser = openBrowser(dashboard);
  browser.cookies.set("collect.session_token", "chosen-by-a-stranger");
  await browser.signIn(email);
  const first = sessionOf(browser);
  expect(first).not.toBe("chosen-by-a-stranger");
  const before = openBrowser(dashboard);
  before.cookies.set("collect.session_token", first ?? "");
  await browser.signIn(email);
  expect(sessionOf(browser)).not.toBe(first);
  expect([await me(browser), await me(before)]).toEqual([200, 401]);
});

test("a forged, altered or foreign-signed session cookie is rejected", async () => {
  const person = await signedUp(dashboard);
  const [token = "", signature = ""] = decodeURIComponent(sessionOf(person) ?? "").split(/\.(.*)/s);
  for (const wrong of ["", ".", token, `${token}.`, `${token}.${"A".repeat(44)}`, `x${token}.${signature}`, "%zz"]) {
    const thief = openBrowser(dashboard);
    thief.cookies.set("collect.session_token", wrong === "%zz" ? wrong : encodeURIComponent(wrong));
    expect(await me(thief), wrong).toBe(401);
  }
});

test("a POST that does not come from a dashboard page changes nothing, signed in or not", async () => {
  const person = await signedUp(dashboard);
  const from = (headers: Record<string, string>) =>
    person.call("POST", "/api/auth/sign-out", { body: {}, headers: { origin: "", ...headers } });
  const others: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: `${dashboard.config.APP_URL}.evil.example` },
    { origin: dashboard.config.APP_URL.replace("http:", "https:") },
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
  ];
  for (const headers of others) {
    const refused = await from(headers);
    expect([refused.status, refused.body.code]).toEqual([403, "role_required"]);
  }
  const bare = (headers: Record<string, string>) =>
    fetch(`${dashboard.url}/api/auth/sign-out`, {
      method: "POST",
      headers: { cookie: `collect.session_token=${sessionOf(person)}`, ...headers },
    });
  expect((await bare({})).status).toBe(403);
  for (const site of ["cross-site", "same-site", "none"])
    expect((await bare({ "sec-fetch-site": site })).status, site).toBe(403);
  // A form of another site cannot sign anybody in either.
  const form = await fetch(`${dashboard.url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ email: person.email, password: PASSWORD }),
  });
  expect([form.status, form.headers.getSetCookie()]).toEqual([403, []]);
  expect(await me(person)).toBe(200);
});

test("over https its cookies are __Host-, Secure, HttpOnly and SameSite", async () => {
  const secure = await startDashboard(world, { APP_URL: "https://app.example" });
  const browser = openBrowser(secure);
  await signUp(browser, "secure@example.com");
  const answer = await browser.signIn("secure@example.com");
  const cookies = answer.headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual([
    "__Host-collect.session_token",
    "__Host-collect.device",
  ]);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).toMatch(/; Path=\//);
    expect(cookie).not.toMatch(/domain/i);
  }
  expect((await browser.get("/api/me")).status).toBe(200);
  await secure.stop();
});

test("only the library's endpoints in use are reachable", async () => {
  const { config } = dashboard;
  const secondFactors = createSecondFactors(createKeyring(config.KEYRING), config.AUTH_SECRET);
  const auth = createAuth({ config, prisma: createPrisma(world.pool), log: world.log, secondFactors });
  const paths = Object.values(auth.api).flatMap((endpoint) =>
    "path" in endpoint && endpoint.path ? [String(endpoint.path)] : [],
  );
  expect(paths.length).toBeGreaterThan(30);
  const person = await signedUp(dashboard);
  const there: string[] = [];
  for (const path of [...paths, "/reference", "/sign-in/by-link"]) {
    const url = `/api/auth${path.replace(/:\w+/g, "x")}`;
    const answers = [await person.get(url), await openBrowser(dashboard).post(url)];
    if (answers.some(({ status }) => status !== 404)) there.push(path);
  }
  expect(there.sort()).toEqual(
    [
      "/change-password",
      "/list-sessions",
      "/passkey/delete-passkey",
      "/passkey/generate-authenticate-options",
      "/passkey/generate-register-options",
      "/passkey/list-user-passkeys",
      "/passkey/update-passkey",
      "/passkey/verify-authentication",
      "/passkey/verify-registration",
      "/revoke-other-sessions",
      "/revoke-session",
      "/revoke-sessions",
      "/sign-in/email",
      "/sign-out",
      "/sign-up/email",
      "/two-factor/disable",
      "/two-factor/enable",
      "/two-factor/generate-backup-codes",
      "/two-factor/verify-backup-code",
      "/two-factor/verify-totp",
    ].sort(),
  );
});

test("a user can list and revoke only their own sessions", async () => {
  const person = await signedUp(dashboard);
  const phone = openBrowser(dashboard);
  await phone.signIn(person.email);
  const { text } = await person.get("/api/auth/list-sessions");
  const sessions: { token: string; id: string }[] = JSON.parse(text);
  expect(sessions).toHaveLength(2);
  const here = Object((await person.get("/api/me")).body.session).id;
  const other = sessions.find(({ id }) => id !== here);
  const stranger = await signedUp(dashboard);
  await stranger.post("/api/auth/revoke-session", { token: other?.token });
  expect(await me(phone)).toBe(200);
  await person.post("/api/auth/revoke-session", { token: other?.token });
  expect([await me(phone), await me(person)]).toEqual([401, 200]);
});

test("a changed password signs every other browser out", async () => {
  const person = await signedUp(dashboard);
  const phone = openBrowser(dashboard);
  await phone.signIn(person.email);
  const change = (currentPassword: string) =>
    person.post("/api/auth/change-password", { currentPassword, newPassword: "another long password" });
  const wrong = await change("not the password");
  expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ param: "currentPassword" }]]);
  expect((await change(PASSWORD)).status).toBe(200);
  expect([await me(person), await me(phone)]).toEqual([200, 401]);
  expect((await openBrowser(dashboard).signIn(person.email)).status).toBe(401);
  expect((await openBrowser(dashboard).signIn(person.email, "another long password")).status).toBe(200);
});

test("a cookie header identifies the same session for this service and for the library", async () => {
  const [attacker, victim] = [await signedUp(dashboard), await signedUp(dashboard)];
  const victimPassword = "the victim's own words";
  await victim.post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: victimPassword });
  const [own, stolen] = [sessionOf(attacker), sessionOf(victim)];
  const name = "collect.session_token";
  await world.owner.query("update sessions set confirmed_at = confirmed_at - interval '10 minutes'");
  const authenticatedUntilOf = async (person: Person) =>
    Object((await person.get("/api/me")).body.session).recently_authenticated_until;
  for (const cookie of [
    `${name} =${own}; ${name}=${stolen}`,
    `${name}\t=${own}; ${name}=${stolen}`,
    `\t${name} = ${own};${name}=${stolen}`,
    `${name}= ${own}; ${name}=${stolen}`,
    `${name}=${own}; ${name}=${stolen}`,
    `${name}=${stolen}; ${name}=${own}`,
    `${name}="${own}"; ${name}=${stolen}`,
    `__Secure-${name}=${own}; ${name}=${stolen}`,
  ]) {
    const thief = openBrowser(dashboard);
    await thief.post("/api/reauthenticate", { password: PASSWORD }, { headers: { cookie } });
    expect(await authenticatedUntilOf(victim), cookie).toBeNull();
    const set = await thief.post("/api/auth/revoke-other-sessions", {}, { headers: { cookie } });
    expect(set.headers.getSetCookie().join(), cookie).not.toContain(own);
  }
  expect((await victim.post("/api/reauthenticate", { password: victimPassword })).status).toBe(200);
});

test("a session ends after a time without use, and altogether, and the next call is told why", async () => {
  const age = (person: Person, column: "last_used_at" | "created_at", by: string) =>
    world.owner.query(`update sessions set ${column} = ${column} - $2::interval where user_id = $1`, [person.id, by]);
  const [idle, old, used] = [await signedUp(dashboard), await signedUp(dashboard), await signedUp(dashboard)];
  await age(idle, "last_used_at", "12 hours");
  await age(old, "created_at", "7 days");
  await age(used, "last_used_at", "11 hours 59 minutes");
  const ended = [await idle.get("/api/me?optional=true"), await old.get("/api/me")];
  expect(ended.map(({ status, body }) => [status, body.code, body.detail])).toEqual([
    [401, "session_ended", "You were signed out because you were inactive for 12 hours. Sign in again."],
    [401, "session_ended", "You were signed out because a sign-in lasts 7 days. Sign in again."],
  ]);
  // Nor does better-auth accept it, whose routes know nothing of use.
  expect(
    (await idle.post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: "x".repeat(20) })).status,
  ).toBe(401);
  expect((await idle.get("/api/auth/passkey/generate-authenticate-options")).body.allowCredentials).toBeUndefined();
  expect(await me(used)).toBe(200);
  await age(used, "last_used_at", "11 hours 59 minutes");
  expect(await me(used)).toBe(200);
});

test("a page that refetches while nobody uses it does not keep the session alive", async () => {
  const person = await signedUp(dashboard);
  const lastUsed = async () =>
    (await world.owner.query("select last_used_at from sessions where user_id = $1", [person.id])).rows[0].last_used_at;
  await world.owner.query("update sessions set last_used_at = last_used_at - interval '2 minutes' where user_id = $1", [
    person.id,
  ]);
  const before = await lastUsed();
  await person.get("/api/me", { headers: { "x-unattended": "true" } });
  expect(await lastUsed()).toEqual(before);
  await person.get("/api/me");
  expect(await lastUsed()).not.toEqual(before);
});

test("while the database is unavailable no response says that a password is wrong or the user is signed out", async () => {
  const person = await signedUp(dashboard);
  const pool = createPool({
    url: world.database.service.replace(/:\d+\//, ":1/"),
    service: "dashboard",
    log: world.log,
  });
  const away = await startDashboard({ ...world, pool });
  const browser = openBrowser(away);
  for (const [name, value] of person.cookies) browser.cookies.set(name, value);
  const answers = [
    await browser.signIn(person.email),
    await signUp(browser, "x@example.com"),
    await browser.get("/api/me"),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    answers.map(() => [503, "service_unavailable"]),
  );
  await away.stop();
  await pool.end();
});
