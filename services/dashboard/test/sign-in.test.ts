import { addMember, createSignInLink } from "@collect/contracts";
import { createPool } from "@collect/database";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuth } from "../src/adapters/auth.ts";
import { LIMITS } from "../src/domain/rate-limits.ts";
import { createPrisma } from "../src/store/prisma.ts";
import {
  anAddress,
  type Browser,
  type Dashboard,
  openBrowser,
  openDashboardWorld,
  PASSWORD,
  type Person,
  somebody,
  startDashboard,
  withoutRequestId,
} from "./dashboard.ts";
import { type Others, playOthers } from "./others.ts";
import { totpOf } from "./totp.ts";

let world: World;
let dashboard: Dashboard;
let others: Others;
beforeAll(async () => {
  world = await openDashboardWorld();
  dashboard = await startDashboard(world);
  others = await playOthers(world);
  others.knowMerchants();
});
afterAll(async () => {
  await dashboard.stop();
  others.stop();
  await world.close();
});

const signUp = (browser: Browser, email: string, password = PASSWORD, name = "Ada Obi") =>
  browser.post("/api/auth/sign-up/email", { name, email, password });
const sessionOf = (browser: Pick<Browser, "cookies">) => browser.cookies.get("collect.session_token");
const me = async (browser: Pick<Browser, "get">) => (await browser.get("/api/me")).status;

test("somebody signs up, signs in and out again; nothing of it may be stored", async () => {
  const browser = openBrowser(dashboard);
  expect((await signUp(browser, "first@example.com")).status).toBe(200);
  expect(await me(browser)).toBe(401);
  const asked = await browser.get("/api/me?optional=true");
  expect([asked.status, asked.text]).toEqual([200, "null"]);
  const signedIn = await browser.signIn("First@Example.com ");
  expect([signedIn.status, signedIn.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  expect(signedIn.text).not.toContain(decodeURIComponent(sessionOf(browser) ?? "").split(".")[0]);
  const shown = await browser.get("/api/me");
  expect(shown.body).toMatchObject({
    user: { name: "Ada Obi", email: "first@example.com", two_factor_enabled: false },
    merchants: [],
    urls: { api: "http://localhost:4000/v1", checkout: "http://localhost:4100" },
  });
  const stolen = openBrowser(dashboard);
  for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
  expect(await me(stolen)).toBe(200);
  await browser.post("/api/auth/sign-out");
  expect([await me(browser), await me(stolen)]).toEqual([401, 401]);
});

test("a password is 10 to 128 characters, a name is a name, and each refusal says which field", async () => {
  const params = (body: Record<string, unknown>) =>
    Object(body.errors?.valueOf()).map(({ param }: { param: string }) => param);
  const browser = openBrowser(dashboard);
  const short = await signUp(browser, "short@example.com", "123456789");
  expect([short.status, params(short.body)]).toEqual([400, ["password"]]);
  expect(params((await signUp(browser, "short@example.com", "x".repeat(129))).body)).toEqual(["password"]);
  expect(params((await signUp(browser, "nonsense")).body)).toEqual(["email"]);
  expect(params((await signUp(browser, "short@example.com", PASSWORD, "a\u0000b")).body)).toEqual(["name"]);
  expect((await signUp(browser, "short@example.com", "1234567890")).status).toBe(200);
});

test("signing up tells nobody whether an address is known: the same answer, and the first password stays", async () => {
  const stranger = openBrowser(dashboard);
  const fresh = withoutRequestId(await signUp(stranger, "unknown@example.com", "a password of mine"));
  const known = await signUp(stranger, "unknown@example.com", "another password");
  expect(withoutRequestId(known)).toEqual(fresh);
  expect(known.headers.getSetCookie()).toEqual([]);
  expect((await stranger.signIn("unknown@example.com", "another password")).status).toBe(401);
  expect((await stranger.signIn("unknown@example.com", "a password of mine")).status).toBe(200);
  const { rows } = await world.owner.query("select count(*)::int as n from users where email = 'unknown@example.com'");
  expect(rows).toEqual([{ n: 1 }]);
});

test("signing in tells nobody whether an address is known: the same answer, for comparable work", async () => {
  await signUp(openBrowser(dashboard), "known@example.com");
  const emails = ["known@example.com", "nobody@example.com"];
  const answers = new Set<string>();
  const times = emails.map((): number[] => []);
  // In turn, so that whatever else the machine does slows both.
  for (let n = 0; n < 14; n++) {
    const started = performance.now();
    const { status, text } = withoutRequestId(
      await openBrowser(dashboard).signIn(emails[n % 2] ?? "", "not the password"),
    );
    times[n % 2]?.push(performance.now() - started);
    answers.add(`${status} ${text}`);
  }
  expect([...answers]).toEqual([expect.stringMatching(/^401 .*sign_in_required/)]);
  const [known = 0, unknown = 0] = times.map((all) => all.sort((a, b) => a - b)[3] ?? 0);
  // Without the work an unknown address is answered in a tenth of the time.
  expect(known / unknown).toBeGreaterThan(0.25);
  expect(known / unknown).toBeLessThan(4);
});

test("a session is new at every sign-in, whatever the browser came with, and the one it had is over", async () => {
  const { email } = await somebody(dashboard);
  const browser = openBrowser(dashboard);
  browser.cookies.set("collect.session_token", "chosen-by-somebody-else");
  await browser.signIn(email);
  const first = sessionOf(browser);
  expect(first).not.toBe("chosen-by-somebody-else");
  const before = openBrowser(dashboard);
  before.cookies.set("collect.session_token", first ?? "");
  await browser.signIn(email);
  expect(sessionOf(browser)).not.toBe(first);
  expect([await me(browser), await me(before)]).toEqual([200, 401]);
});

test("a session cookie that was made up, altered or signed with another key opens nothing", async () => {
  const person = await somebody(dashboard);
  const [token = "", signature = ""] = decodeURIComponent(sessionOf(person) ?? "").split(/\.(.*)/s);
  for (const wrong of ["", ".", token, `${token}.`, `${token}.${"A".repeat(44)}`, `x${token}.${signature}`, "%zz"]) {
    const thief = openBrowser(dashboard);
    thief.cookies.set("collect.session_token", wrong === "%zz" ? wrong : encodeURIComponent(wrong));
    expect(await me(thief), wrong).toBe(401);
  }
});

test("after ten wrong passwords an account takes no more from strangers for a while, the right one neither", async () => {
  const { email } = await somebody(dashboard);
  const { limit, windowMs } = LIMITS.sign_in_account;
  const statuses: number[] = [];
  for (let n = 0; n <= limit; n++)
    statuses.push((await openBrowser(dashboard).signIn(email, `guess number ${n}`)).status);
  expect(statuses).toEqual([...Array.from({ length: limit }, () => 401), 429]);
  const refused = await openBrowser(dashboard).signIn(email);
  expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(windowMs / 1_000);
  // The same for an address that nobody has.
  const unknown: number[] = [];
  for (let n = 0; n <= limit; n++)
    unknown.push((await openBrowser(dashboard).signIn("nobody.here@example.com", `guess ${n}`)).status);
  expect(unknown).toEqual(statuses);
});

test("whoever guesses locks out only strangers: a browser that was in the account before still gets in", async () => {
  const person = await somebody(dashboard);
  for (let n = 0; n <= LIMITS.sign_in_account.limit; n++)
    await openBrowser(dashboard).signIn(person.email, `guess number ${n}`);
  expect((await openBrowser(dashboard).signIn(person.email)).status).toBe(429);
  expect((await person.signIn(person.email)).status).toBe(200);
  // Its cookie is worth nothing for another account, and has an end too.
  const victim = await somebody(dashboard);
  const thief = openBrowser(dashboard);
  thief.cookies.set("collect.device", person.cookies.get("collect.device") ?? "");
  for (let n = 0; n <= LIMITS.sign_in_account.limit; n++) await thief.signIn(victim.email, `guess number ${n}`);
  expect((await thief.signIn(victim.email)).status).toBe(429);
  const guesses: number[] = [];
  for (let n = 0; n <= LIMITS.sign_in_device.limit; n++)
    guesses.push((await person.signIn(person.email, `guess number ${n}`)).status);
  expect(guesses.at(-1)).toBe(429);
});

test("the right password is not counted: people may sign in as often as they like", async () => {
  const { email } = await somebody(dashboard);
  const address = anAddress();
  for (let n = 0; n < LIMITS.sign_in_account.limit + 3; n++)
    expect((await openBrowser(dashboard, address).signIn(email)).status).toBe(200);
});

test("one address cannot try passwords on many accounts without end", async () => {
  const address = anAddress();
  await world.owner.query(
    "insert into rate_limit_hits (key, hits, resets_at) values ($1, $2, clock_timestamp() + interval '1 minute')",
    [`sign_in_address:${address}`, LIMITS.sign_in_address.limit],
  );
  expect((await openBrowser(dashboard, address).signIn("anybody1@example.com")).status).toBe(429);
  expect((await openBrowser(dashboard).signIn("anybody1@example.com")).status).toBe(401);
});

test("attempts at once are counted one by one", async () => {
  const { email } = await somebody(dashboard);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => openBrowser(dashboard).signIn(email, `guess number ${n}`)),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(LIMITS.sign_in_account.limit);
});

test("a post that does not come from a page of the dashboard changes nothing, signed in or not", async () => {
  const person = await somebody(dashboard);
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

test("over https its cookies are __Host-, secure, not for scripts and not for other sites", async () => {
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

test("of what the library serves only what is used is there", async () => {
  const auth = createAuth({ config: dashboard.config, prisma: createPrisma(world.pool), log: world.log });
  const paths = Object.values(auth.api).flatMap((endpoint) =>
    "path" in endpoint && endpoint.path ? [String(endpoint.path)] : [],
  );
  expect(paths.length).toBeGreaterThan(30);
  const person = await somebody(dashboard);
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

test("sessions are listed and revoked, one's own alone", async () => {
  const person = await somebody(dashboard);
  const phone = openBrowser(dashboard);
  await phone.signIn(person.email);
  const { text } = await person.get("/api/auth/list-sessions");
  const sessions: { token: string; id: string }[] = JSON.parse(text);
  expect(sessions).toHaveLength(2);
  const here = Object((await person.get("/api/me")).body.session).id;
  const other = sessions.find(({ id }) => id !== here);
  const stranger = await somebody(dashboard);
  await stranger.post("/api/auth/revoke-session", { token: other?.token });
  expect(await me(phone)).toBe(200);
  await person.post("/api/auth/revoke-session", { token: other?.token });
  expect([await me(phone), await me(person)]).toEqual([401, 200]);
});

test("a changed password signs every other browser out", async () => {
  const person = await somebody(dashboard);
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

/** The code after the present one, which is taken already; never the one that the factor was enabled with. */
const nextCode = (uri: string) => totpOf(uri, Date.now() + 25_000);

async function withTwoFactor(browser: Browser) {
  const enabled = await browser.post("/api/auth/two-factor/enable", { password: PASSWORD });
  const uri = String(enabled.body.totpURI);
  // The code before the present one, which is still taken; each is taken once.
  const code = totpOf(uri, Date.now() - 20_000);
  expect((await browser.post("/api/auth/two-factor/verify-totp", { code })).status).toBe(200);
  const codes: string[] = Object(enabled.body.backupCodes);
  return { uri, codes };
}

test("a code is taken once: to sign in, to confirm, or by one of two at once; a wrong one stays wrong", async () => {
  const person = await somebody(dashboard);
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
    expect((await person.post("/api/reauthenticate", { code: "000000" })).body.detail).toBe("The code is not right.");
});

test("a changed password is no fresh proof where there is a second factor: the new session is as fresh as the old", async () => {
  const person = await somebody(dashboard);
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

test("one header of cookies means one session, to the house and to the library alike", async () => {
  const [attacker, victim] = [await somebody(dashboard), await somebody(dashboard)];
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

test("with a second factor the password alone opens nothing; a code does, a backup code once", async () => {
  const person = await somebody(dashboard);
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

test("codes cannot be guessed through: a few, then the sign-in begins again, then the factor is locked for a while", async () => {
  const person = await somebody(dashboard);
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

test("fresh for ten minutes from the sign-in; then confirmed again, by the password or, with a second factor, by its code alone", async () => {
  const person = await somebody(dashboard);
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

test("whoever has only the session cannot guess the password by confirming", async () => {
  const person = await somebody(dashboard);
  const statuses: number[] = [];
  for (let n = 0; n <= LIMITS.confirmation.limit; n++)
    statuses.push((await person.post("/api/reauthenticate", { password: `guess number ${n}` })).status);
  expect([statuses.at(-2), statuses.at(-1)]).toEqual([400, 429]);
});

// ---- sign-in links ----

const operatorAdds = (email: string, merchant_id = "mer_linked") =>
  world.others.request(addMember, { merchant_id, email, name: "Ngozi Eze", role: "owner" });
const linkFor = async (email: string, valid_minutes = 60, clear = false) => {
  const { url } = await world.others.request(createSignInLink, { email, valid_minutes, clear });
  expect(url).toContain(`${dashboard.config.APP_URL}/sign-in/link/`);
  return url.split("/").at(-1) ?? "";
};
const open = (browser: Browser, token: string) => browser.post("/api/sign-in-link", { token });

test("a link signs its user in once; looking at it does not use it up, and a thief who comes second gets nothing", async () => {
  await operatorAdds("linked@example.com");
  const token = await linkFor("linked@example.com");
  const preview = await openBrowser(dashboard).get(`/sign-in/link/${token}`);
  expect(preview.status).toBe(200);
  const person = openBrowser(dashboard);
  expect((await open(person, token)).body).toEqual({ twoFactorRedirect: false, twoFactorMethods: [] });
  expect((await person.get("/api/me")).body).toMatchObject({
    merchants: [{ merchant_id: "mer_linked", role: "owner" }],
  });
  const thief = openBrowser(dashboard);
  expect([(await open(thief, token)).status, await me(thief)]).toEqual([404, 401]);
});

test("of ten who open a link at once one is signed in", async () => {
  await operatorAdds("raced@example.com");
  const token = await linkFor("raced@example.com");
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(openBrowser(dashboard), token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
});

test("a link ends; one that was made up, or is not one, is nothing", async () => {
  await operatorAdds("late@example.com");
  const token = await linkFor("late@example.com");
  await world.owner.query("update sign_in_links set expires_at = clock_timestamp()");
  for (const wrong of [token, token.replace(/^./, "_"), "x", "../../etc", "a".repeat(43)])
    expect((await open(openBrowser(dashboard), wrong)).status, wrong).toBe(404);
  await expect(world.others.request(createSignInLink, { email: "nobody.at.all@example.com" })).rejects.toMatchObject({
    code: "not_found",
  });
  const { rows } = await world.owner.query("select 1 from sign_in_links where encode(token_hash, 'escape') like $1", [
    `%${token}%`,
  ]);
  expect(rows).toEqual([]);
});

test("who came by a link without a password sets one, once, and signs in with it", async () => {
  await operatorAdds("passwordless@example.com");
  expect((await openBrowser(dashboard).signIn("passwordless@example.com", PASSWORD)).status).toBe(401);
  // Nor can somebody else take the address by signing up under it.
  await signUp(openBrowser(dashboard), "passwordless@example.com");
  expect((await openBrowser(dashboard).signIn("passwordless@example.com", PASSWORD)).status).toBe(401);
  const person = openBrowser(dashboard);
  await open(person, await linkFor("passwordless@example.com"));
  expect(Object((await person.get("/api/me")).body.user).has_password).toBe(false);
  expect((await person.post("/api/reauthenticate", { password: PASSWORD })).body.code).toBe("conflict");
  expect((await person.post("/api/password", { new_password: "short" })).status).toBe(400);
  expect((await person.post("/api/password", { new_password: PASSWORD })).status).toBe(200);
  expect((await person.post("/api/password", { new_password: "another password" })).body.code).toBe("conflict");
  expect((await openBrowser(dashboard).signIn("passwordless@example.com")).status).toBe(200);
});

test("whoever signed up under somebody's address first is out when the operator's link is opened", async () => {
  const squatter = await somebody(dashboard, "chidi@example.com");
  await expect(operatorAdds("chidi@example.com")).rejects.toMatchObject({ code: "conflict" });
  const chidi = openBrowser(dashboard);
  await open(chidi, await linkFor("chidi@example.com"));
  expect([await me(chidi), await me(squatter)]).toEqual([200, 401]);
  expect((await openBrowser(dashboard).signIn("chidi@example.com")).status).toBe(401);
  expect((await operatorAdds("chidi@example.com")).created).toBe(false);
  // The address is proven now: the next link leaves the password that was set since.
  await chidi.post("/api/password", { new_password: "of Chidi's own" });
  await open(openBrowser(dashboard), await linkFor("chidi@example.com"));
  expect((await openBrowser(dashboard).signIn("chidi@example.com", "of Chidi's own")).status).toBe(200);
});

test("what a squatter began is not handed on with the address by a link that clears: no team, no business, no invitation of theirs", async () => {
  const squatter = await somebody(dashboard, "squatted@example.com");
  const { body } = await squatter.post("/api/merchants", { name: "Not Hers" });
  const { body: asked } = await squatter.post(`/api/m/${body.merchant_id}/test/members/invite`, {
    email: "accomplice@example.com",
    role: "owner",
  });
  await world.owner.query("insert into businesses (id, name, founder_id) values ('mer_halfmade', 'Half Made', $1)", [
    squatter.id,
  ]);
  const person = openBrowser(dashboard);
  await open(person, await linkFor("squatted@example.com", 60, true));
  expect((await person.get("/api/me")).body.merchants).toEqual([]);
  const accomplice = await somebody(dashboard, "accomplice@example.com");
  const token = String(asked.url).split("/").at(-1);
  expect((await accomplice.post("/api/invitations/accept", { token })).status).toBe(404);
  const { rows: founded } = await world.owner.query("select 1 from businesses where founder_id = $1", [squatter.id]);
  const { rows: noted } = await world.owner.query(
    "select action, user_id, outcome, detail from audit_log where merchant_id = $1 order by id desc limit 1",
    [body.merchant_id],
  );
  expect([founded, noted]).toMatchObject([
    [],
    [
      {
        action: "member.removed",
        user_id: null,
        outcome: "done",
        detail: { email: "squatted@example.com", role: "owner" },
      },
    ],
  ]);
  // What she makes herself stays hers at the next link.
  await person.post("/api/merchants", { name: "Hers" });
  await open(person, await linkFor("squatted@example.com"));
  expect((await person.get("/api/me")).body.merchants).toMatchObject([{ name: expect.anything(), role: "owner" }]);
});

test("a link is one factor: who has a second is asked for it", async () => {
  await operatorAdds("both@example.com");
  const person = openBrowser(dashboard);
  await open(person, await linkFor("both@example.com"));
  await person.post("/api/password", { new_password: PASSWORD });
  const { uri } = await withTwoFactor(person);
  const phone = openBrowser(dashboard);
  expect((await open(phone, await linkFor("both@example.com"))).body).toEqual({
    twoFactorRedirect: true,
    twoFactorMethods: ["totp"],
  });
  expect(await me(phone)).toBe(401);
  expect((await phone.post("/api/auth/two-factor/verify-totp", { code: nextCode(uri) })).status).toBe(200);
  expect(await me(phone)).toBe(200);
});

test("a session that is in use is prolonged, once a day", async () => {
  const person = await somebody(dashboard);
  expect((await person.get("/api/me")).headers.getSetCookie()).toEqual([]);
  await world.owner.query(
    "update sessions set expires_at = expires_at - interval '2 days', updated_at = updated_at - interval '2 days' where user_id = $1",
    [person.id],
  );
  const { headers } = await person.get("/api/me");
  expect(headers.getSetCookie()).toEqual([expect.stringContaining("collect.session_token=")]);
  const { rows } = await world.owner.query(
    "select expires_at > clock_timestamp() + interval '6 days' as prolonged from sessions where user_id = $1",
    [person.id],
  );
  expect(rows).toEqual([{ prolonged: true }]);
  await world.owner.query("update sessions set expires_at = clock_timestamp() where user_id = $1", [person.id]);
  expect(await me(person)).toBe(401);
});

test("while the database is away nobody is told that a password is wrong, or that they are signed out", async () => {
  const person = await somebody(dashboard);
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

test("somebody who lost a password before anybody had proven the address finds their business again", async () => {
  const founder = await somebody(dashboard, "forgetful@example.com");
  const { body } = await founder.post("/api/merchants", { name: "Still Hers" });
  const later = openBrowser(dashboard);
  await open(later, await linkFor("forgetful@example.com"));
  expect((await later.get("/api/me")).body.merchants).toMatchObject([{ merchant_id: body.merchant_id, role: "owner" }]);
  expect((await founder.get("/api/me")).status).toBe(401);
});
