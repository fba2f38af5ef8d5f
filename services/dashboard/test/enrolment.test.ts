import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { LIMITS } from "../src/domain/rate-limits.ts";
import { createAuthenticator } from "./authenticator.ts";
import { type Browser, openBrowser, PASSWORD, type Person, signedUp, startDashboard } from "./dashboard.ts";
import { CODE_MAIL, codeIn, mayEnrol, withTwoFactor } from "./person.ts";
import { useMail } from "./world.ts";

const { world, dashboard, mailbox } = await useMail();

const begin = (browser: Pick<Browser, "post">, password = PASSWORD) =>
  browser.post("/api/second-factor/begin", { password });
const confirm = (browser: Pick<Browser, "post">, code: string) => browser.post("/api/second-factor/confirm", { code });
const mailed = async (email: string, count = 1) => codeIn((await mailbox.untilMailed(email, CODE_MAIL, count)).at(-1));
const wrong = (code: string) => String((Number(code.replace(" ", "")) + 1) % 100_000_000).padStart(8, "0");

/** Every way to set up a factor, as a thief would try it, and whether it was refused. */
async function attempts(browser: Pick<Browser, "get" | "post">) {
  const response = createAuthenticator(dashboard.config.APP_URL).register("a challenge");
  const answers = [
    await browser.post("/api/auth/two-factor/enable", { password: PASSWORD }),
    await browser.get("/api/auth/passkey/generate-register-options"),
    await browser.post("/api/auth/passkey/verify-registration", { response, name: "Thief's phone" }),
    await browser.post("/api/auth/two-factor/verify-totp", { code: "123456" }),
    await browser.post("/api/auth/two-factor/verify-backup-code", { code: "abcde-fghij" }),
  ];
  return answers.map(({ status, body }) => [status, body.code]);
}
const REFUSED = Array.from({ length: 5 }, () => [403, "enrolment_required"]);

async function proven(): Promise<Person> {
  const person = await signedUp(dashboard);
  await world.owner.query("update users set email_verified = true where id = $1", [person.id]);
  return person;
}

test("a stolen password or session sets up no factor without the code in the user's mail", async () => {
  const person = await proven();
  const thief = openBrowser(dashboard);
  await thief.signIn(person.email);
  expect(await attempts(thief)).toEqual(REFUSED);
  expect((await begin(thief, "not the password")).body.errors).toMatchObject([{ param: "password" }]);
  const begun = await begin(thief);
  expect([begun.status, begun.body]).toEqual([200, { sent_to: person.email, code: null, permitted_until: null }]);
  expect(await attempts(thief)).toEqual(REFUSED);
  const code = await mailed(person.email);
  expect(code).not.toBe("");
  expect((await confirm(thief, wrong(code))).body.errors).toMatchObject([{ param: "code" }]);
  expect(await attempts(thief)).toEqual(REFUSED);
  // The honest user's session is another one: the code of the thief's is worth nothing there, and gives nothing to the thief.
  expect((await confirm(person, code)).status).toBe(404);
  expect(await attempts(thief)).toEqual(REFUSED);

  await begin(person);
  expect((await confirm(person, await mailed(person.email, 2))).status).toBe(200);
  expect((await person.get("/api/auth/passkey/generate-register-options")).status).toBe(200);
  expect(await attempts(thief)).toEqual(REFUSED);
});

test("a code works once, for a quarter of an hour, and a newer one replaces it", async () => {
  const person = await proven();
  await begin(person);
  const first = await mailed(person.email);
  await begin(person);
  const second = await mailed(person.email, 2);
  expect((await confirm(person, first)).status).toBe(400);
  const answers = await Promise.all([confirm(person, second), confirm(person, second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  await begin(person);
  const third = await mailed(person.email, 3);
  await world.owner.query("update enrolments set expires_at = clock_timestamp() where occasion is not null");
  expect((await confirm(person, third)).status).toBe(404);
});

test("a code bears five attempts, and only so many are sent", async () => {
  const person = await proven();
  await begin(person);
  const code = await mailed(person.email);
  for (let n = 0; n < 5; n++) expect((await confirm(person, wrong(code))).status).toBe(400);
  expect((await confirm(person, code)).status).toBe(404);
  const statuses: number[] = [];
  for (let n = 0; n < LIMITS.enrol_user.limit; n++) statuses.push((await begin(person)).status);
  expect(statuses.at(-1)).toBe(429);
});

test("one permission sets up one factor; the next needs the factor itself and the password", async () => {
  const person = await proven();
  await mayEnrol(person, mailbox);
  const register = async () => {
    const { body } = await person.get("/api/auth/passkey/generate-register-options");
    const response = createAuthenticator(dashboard.config.APP_URL).register(String(body.challenge));
    return person.post("/api/auth/passkey/verify-registration", { response, name: "My phone" });
  };
  expect((await register()).status).toBe(200);
  expect((await person.get("/api/auth/passkey/generate-register-options")).body.code).toBe("enrolment_required");
  const begun = await begin(person);
  expect(begun.body).toEqual({ sent_to: null, code: null, permitted_until: expect.any(String) });
  expect((await register()).status).toBe(200);
  expect(mailbox.subjectsTo(person.email).filter((subject) => subject === CODE_MAIL)).toHaveLength(1);

  const thief = openBrowser(dashboard);
  await thief.signIn(person.email);
  expect((await begin(thief)).body.code).toBe("second_factor_required");
});

test("a backup code of an authenticator that is not in use yet counts for nothing", async () => {
  const person = await proven();
  await mayEnrol(person, mailbox);
  const { body } = await person.post("/api/auth/two-factor/enable", { password: PASSWORD });
  const [code] = Array.isArray(body.backupCodes) ? body.backupCodes : [];
  await world.owner.query(
    "update enrolments set permitted_until = clock_timestamp() where permitted_until is not null",
  );
  const { status } = await person.post("/api/auth/two-factor/verify-backup-code", { code });
  expect(status).toBe(403);
  const { rows } = await world.owner.query(
    "select count(*)::int as given from sessions where second_factor and user_id = $1",
    [person.id],
  );
  expect(rows[0].given).toBe(0);
});

test("a permission ends by itself, and with its session", async () => {
  const person = await proven();
  await mayEnrol(person, mailbox);
  await world.owner.query(
    "update enrolments set permitted_until = clock_timestamp() where permitted_until is not null",
  );
  expect((await person.get("/api/auth/passkey/generate-register-options")).body.code).toBe("enrolment_required");
  await person.post("/api/auth/sign-out");
  const { rows } = await world.owner.query(
    "select 1 from enrolments e join sessions s on s.id = e.session_id where s.user_id = $1",
    [person.id],
  );
  expect(rows).toEqual([]);
});

test("a code is sent to a confirmed address only", async () => {
  const person = await signedUp(dashboard);
  expect((await begin(person)).body.code).toBe("address_unconfirmed");
  expect(await attempts(person)).toEqual(REFUSED);
});

test("without a mail server the code is shown, and needed all the same", async () => {
  const silent = await startDashboard(world);
  const person = await signedUp(silent);
  expect((await person.get("/api/auth/passkey/generate-register-options")).body.code).toBe("enrolment_required");
  const begun = await begin(person);
  expect(begun.body).toEqual({ sent_to: null, code: expect.stringMatching(/^\d{4} \d{4}$/), permitted_until: null });
  expect((await confirm(person, String(begun.body.code))).status).toBe(200);
  await withTwoFactor(person);
  await silent.stop();
});

test("no code is in the database, and the mail says from where it was requested", async () => {
  const person = await proven();
  const phone = openBrowser(dashboard, "10.99.1.7");
  await phone.signIn(person.email);
  await phone.post(
    "/api/second-factor/begin",
    { password: PASSWORD },
    { headers: { "user-agent": "Mozilla/5.0 (Linux; Android 16) Chrome/150.0" } },
  );
  const [mail] = await mailbox.untilMailed(person.email, CODE_MAIL);
  expect(mail?.text).toContain("Lagos time, from Chrome on Android (10.99.1.7)");
  const code = codeIn(mail);
  const { rows } = await world.owner.query("select m::text || e::text as text from mails m, enrolments e");
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ text }) => text.includes(code) || text.includes(code.replace(" ", "")))).toEqual([]);
  await until("the mail is recorded as sent", async () => {
    const sent = await world.owner.query("select 1 from mails where kind = 'enrol_factor' and sent_at is null");
    return sent.rows.length === 0;
  });
});
