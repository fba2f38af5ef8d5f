import { reencryptSecrets } from "@collect/contracts";
import { expect, onTestFinished, test } from "vitest";
import {
  AUTH_SECRET,
  aKeyringKey,
  type Browser,
  type Dashboard,
  KEYRING,
  openBrowser,
  type Person,
  signedUp,
  startDashboard,
} from "./dashboard.ts";
import { me, nextCode, sessionOf, withTwoFactor } from "./person.ts";
import { useKnownMerchants } from "./world.ts";

const { world, dashboard } = await useKnownMerchants();
const NEXT_SECRET = "the next secret of this test run of 32 characters and more";

/** Another replica, with other settings, until the test ends or it is stopped. */
async function aReplica(environment: Record<string, string>): Promise<Dashboard> {
  const replica = await startDashboard(world, { APP_URL: dashboard.config.APP_URL, ...environment });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= replica.stop());
  onTestFinished(stop);
  return { ...replica, stop };
}

/** The same browser, at another replica. */
function at(replica: Dashboard, person: Browser): Browser {
  const browser = openBrowser(replica);
  for (const [name, value] of person.cookies) browser.cookies.set(name, value);
  return browser;
}

const rowOf = async ({ id }: Person): Promise<{ secret: string; backup_codes: string }> =>
  (await world.owner.query("select secret, backup_codes from two_factors where user_id = $1", [id])).rows[0];
const reencrypt = () => world.others.request(reencryptSecrets.dashboard, { after: null });

/** Signs in with the password and this second factor, and returns the status of each step. */
async function signIn(on: Dashboard, { email }: Person, factor: { code: string } | { backup: string }) {
  const browser = openBrowser(on);
  await browser.signIn(email);
  const { status } =
    "code" in factor
      ? await browser.post("/api/auth/two-factor/verify-totp", factor)
      : await browser.post("/api/auth/two-factor/verify-backup-code", { code: factor.backup });
  return [status, await me(browser)];
}

const SEALED = { secret: expect.stringMatching(/^sealed:k1:/), backup_codes: expect.stringMatching(/^sealed:k1:/) };
const [ACCEPTED, REFUSED, NOT_BEGUN] = [
  [200, 200],
  [400, 401],
  // The password was right, and no sign-in waits for the second factor, because it cannot be read.
  [401, 401],
];

test("second factors are encrypted with the keyring, sign in, and a backup code does once, of two at once too", async () => {
  const person = await signedUp(dashboard);
  const { uri, codes } = await withTwoFactor(person);
  expect(await rowOf(person)).toEqual(SEALED);
  expect(await signIn(dashboard, person, { code: nextCode(uri) })).toEqual(ACCEPTED);
  const backup = codes[0] ?? "";
  const twice = await Promise.all([1, 2].map(() => signIn(dashboard, person, { backup })));
  expect(twice.filter(([status]) => status === 200)).toHaveLength(1);
  expect(await signIn(dashboard, person, { backup })).toEqual(REFUSED);
  expect(await signIn(dashboard, person, { backup: codes[1] ?? "" })).toEqual(ACCEPTED);
  expect(await rowOf(person)).toEqual(SEALED);
});

test("a second factor that was copied into another user's row signs nobody in", async () => {
  const [attacker, victim] = [await signedUp(dashboard), await signedUp(dashboard)];
  const [own] = [await withTwoFactor(attacker), await withTwoFactor(victim)];
  const { secret, backup_codes } = await rowOf(attacker);
  const before = await rowOf(victim);
  const assign = (row: { secret: string; backup_codes: string }) =>
    world.owner.query("update two_factors set secret = $2, backup_codes = $3 where user_id = $1", [
      victim.id,
      row.secret,
      row.backup_codes,
    ]);
  await assign({ secret, backup_codes });
  expect(await signIn(dashboard, victim, { code: nextCode(own.uri) })).toEqual(NOT_BEGUN);
  expect(await signIn(dashboard, victim, { backup: own.codes[0] ?? "" })).toEqual(NOT_BEGUN);
  expect((await reencrypt()).unreadable).toEqual([victim.id]);
  // Nor does one that was moved to the other user as a whole.
  await assign(before);
  await world.owner.query("delete from two_factors where user_id = $1", [victim.id]);
  await world.owner.query("update two_factors set user_id = $2 where user_id = $1", [attacker.id, victim.id]);
  expect(await signIn(dashboard, victim, { backup: own.codes[0] ?? "" })).toEqual(NOT_BEGUN);
  await world.owner.query("delete from two_factors where user_id = $1", [victim.id]);
});

test("second factors of a former release, encrypted with AUTH_SECRET, go on working, and the command encrypts them again", async () => {
  const former = await aReplica({ SEAL_SECRETS: "false" });
  const person = await signedUp(former);
  const { uri, codes } = await withTwoFactor(person);
  expect((await rowOf(person)).secret).toMatch(/^[0-9a-f]+$/);
  expect(await signIn(dashboard, person, { code: nextCode(uri) })).toEqual(ACCEPTED);
  // After a change of AUTH_SECRET too, while the former one is still given.
  const changed = await aReplica({ AUTH_SECRET: `${NEXT_SECRET},${AUTH_SECRET}` });
  expect(await signIn(changed, person, { backup: codes[0] ?? "" })).toEqual(ACCEPTED);
  const unchanged = await signedUp(former);
  const other = await withTwoFactor(unchanged);
  // Whichever replica gets the command encrypts as its own settings say.
  await former.stop();
  await changed.stop();
  expect(await reencrypt()).toMatchObject({ unreadable: [] });
  for (const each of [person, unchanged]) expect(await rowOf(each)).toEqual(SEALED);
  expect((await reencrypt()).reencrypted).toBe(0);
  const waiting = await aReplica({ SEAL_SECRETS: "false" });
  expect(await signIn(waiting, unchanged, { code: nextCode(other.uri) })).toEqual(ACCEPTED);
  expect(await signIn(dashboard, person, { backup: codes[1] ?? "" })).toEqual(ACCEPTED);
});

test("while AUTH_SECRET is replaced everybody stays signed in, at replicas with either, and second factors stay", async () => {
  const person = await signedUp(dashboard);
  const { uri, codes } = await withTwoFactor(person);
  const both = await aReplica({ AUTH_SECRET: `${AUTH_SECRET},${NEXT_SECRET}` });
  const changed = await aReplica({ AUTH_SECRET: `${NEXT_SECRET},${AUTH_SECRET}` });
  // A session of before is accepted, and better-auth accepts it too.
  for (const replica of [both, changed]) {
    expect(await me(at(replica, person))).toBe(200);
    expect((await at(replica, person).get("/api/auth/list-sessions")).status).toBe(200);
  }
  // A session that the new secret signed is accepted where the new one is known.
  const fresh = openBrowser(changed);
  await fresh.signIn(person.email);
  expect((await at(both, fresh).post("/api/auth/two-factor/verify-totp", { code: nextCode(uri) })).status).toBe(200);
  const withBackup = openBrowser(changed);
  await withBackup.signIn(person.email);
  await withBackup.post("/api/auth/two-factor/verify-backup-code", { code: codes[0] });
  expect([await me(withBackup), await me(at(both, withBackup))]).toEqual([200, 200]);
  // Once the former secret is gone, so are the sessions that it signed, and a forged one never was.
  const after = await aReplica({ AUTH_SECRET: NEXT_SECRET });
  expect([await me(at(after, person)), await me(at(after, withBackup))]).toEqual([401, 200]);
  expect(await signIn(after, person, { backup: codes[1] ?? "" })).toEqual(ACCEPTED);
  const forged = openBrowser(changed);
  const [token] = decodeURIComponent(sessionOf(person) ?? "").split(".");
  forged.cookies.set("collect.session_token", encodeURIComponent(`${token}.${"A".repeat(43)}=`));
  expect(await me(forged)).toBe(401);
});

test("while a key is replaced second factors work at replicas with either order of the two", async () => {
  const next = aKeyringKey("k2");
  const person = await signedUp(dashboard);
  const { codes } = await withTwoFactor(person);
  const changed = await aReplica({ KEYRING: `${next},${KEYRING}` });
  expect(await signIn(changed, person, { backup: codes[0] ?? "" })).toEqual(ACCEPTED);
  // Using up a code encrypted the codes again, and not the secret.
  expect(await rowOf(person)).toEqual({
    secret: expect.stringMatching(/^sealed:k1:/),
    backup_codes: expect.stringMatching(/^sealed:k2:/),
  });
  const both = await aReplica({ KEYRING: `${KEYRING},${next}` });
  expect(await signIn(both, person, { backup: codes[1] ?? "" })).toEqual(ACCEPTED);
});
