import { expect, test } from "vitest";
import { openBrowser, PASSWORD, withoutRequestId } from "./dashboard.ts";
import { me, sessionOf, signUp } from "./person.ts";
import { useKnownMerchants } from "./world.ts";

const { world, dashboard } = await useKnownMerchants();

test("a user signs up, signs in and signs out; no response may be cached", async () => {
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
  const weak = await signUp(browser, "short@example.com", "1234567890");
  expect([weak.status, weak.body.errors]).toMatchObject([
    400,
    [{ param: "password", code: "too_weak", message: expect.stringContaining("is easy to guess") }],
  ]);
  expect((await signUp(browser, "adaobi.strong@example.com", "adaobi.strong")).status).toBe(400);
  expect((await signUp(browser, "short@example.com", "mangoes dance on tuesdays")).status).toBe(200);
});

test("sign-up does not reveal whether an email address is known: the same response, and the first password stays", async () => {
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

test("sign-in does not reveal whether an email address is known: the same response, for comparable work", async () => {
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
