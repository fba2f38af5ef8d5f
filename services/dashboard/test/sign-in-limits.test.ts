import { expect, test } from "vitest";
import { LIMITS } from "../src/domain/rate-limits.ts";
import { anAddress, openBrowser, signedUp } from "./dashboard.ts";
import { useKnownMerchants } from "./world.ts";

const { world, dashboard } = await useKnownMerchants();

test("after ten wrong passwords an account is locked for unknown browsers for a while, even for the right password", async () => {
  const { email } = await signedUp(dashboard);
  const { limit, windowMs } = LIMITS.sign_in_account;
  const statuses: number[] = [];
  for (let n = 0; n <= limit; n++)
    statuses.push((await openBrowser(dashboard).signIn(email, `guess number ${n}`)).status);
  expect(statuses).toEqual([...Array.from({ length: limit }, () => 401), 429]);
  const refused = await openBrowser(dashboard).signIn(email);
  expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(windowMs / 1_000);
  // The same for an address without an account.
  const unknown: number[] = [];
  for (let n = 0; n <= limit; n++)
    unknown.push((await openBrowser(dashboard).signIn("nobody.here@example.com", `guess ${n}`)).status);
  expect(unknown).toEqual(statuses);
});

test("password guessing locks out only unknown browsers: one that signed in before can still sign in", async () => {
  const person = await signedUp(dashboard);
  for (let n = 0; n <= LIMITS.sign_in_account.limit; n++)
    await openBrowser(dashboard).signIn(person.email, `guess number ${n}`);
  expect((await openBrowser(dashboard).signIn(person.email)).status).toBe(429);
  expect((await person.signIn(person.email)).status).toBe(200);
  // Its cookie is worth nothing for another account, and has an end too.
  const victim = await signedUp(dashboard);
  const thief = openBrowser(dashboard);
  thief.cookies.set("collect.device", person.cookies.get("collect.device") ?? "");
  for (let n = 0; n <= LIMITS.sign_in_account.limit; n++) await thief.signIn(victim.email, `guess number ${n}`);
  expect((await thief.signIn(victim.email)).status).toBe(429);
  const guesses: number[] = [];
  for (let n = 0; n <= LIMITS.sign_in_device.limit; n++)
    guesses.push((await person.signIn(person.email, `guess number ${n}`)).status);
  expect(guesses.at(-1)).toBe(429);
});

test("the right password is not counted: users can sign in any number of times", async () => {
  const { email } = await signedUp(dashboard);
  const address = anAddress();
  for (let n = 0; n < LIMITS.sign_in_account.limit + 3; n++)
    expect((await openBrowser(dashboard, address).signIn(email)).status).toBe(200);
});

test("attempts from one IP address on many accounts are limited", async () => {
  const address = anAddress();
  await world.owner.query(
    "insert into rate_limit_hits (key, hits, resets_at) values ($1, $2, clock_timestamp() + interval '1 minute')",
    [`sign_in_address:${address}`, LIMITS.sign_in_address.limit],
  );
  expect((await openBrowser(dashboard, address).signIn("anybody1@example.com")).status).toBe(429);
  expect((await openBrowser(dashboard).signIn("anybody1@example.com")).status).toBe(401);
});

test("concurrent attempts are counted individually", async () => {
  const { email } = await signedUp(dashboard);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => openBrowser(dashboard).signIn(email, `guess number ${n}`)),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(LIMITS.sign_in_account.limit);
});

test("an attacker with only the session cannot guess the password by reauthenticating", async () => {
  const person = await signedUp(dashboard);
  const statuses: number[] = [];
  for (let n = 0; n <= LIMITS.confirmation.limit; n++)
    statuses.push((await person.post("/api/reauthenticate", { password: `guess number ${n}` })).status);
  expect([statuses.at(-2), statuses.at(-1)]).toEqual([400, 429]);
});
