import { createHmac, randomBytes } from "node:crypto";
import { openMailbox, tokenIn } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { type Person, signInAgain, signUp } from "../stack/person.ts";
import { startStack } from "../stack.ts";

/** Strangers, guessers and thieves of passwords and sessions, against the running product with mail and second factors. */

const mailbox = await openMailbox();
const stack = await startStack({
  env: { dashboard: { SMTP_URL: mailbox.url, LIVE_SECOND_FACTOR: "required", SESSION_IDLE_MIN: "60" } },
});
afterAll(async () => {
  await stack.stop();
  await mailbox.close();
});
const PASSWORD = "mangoes dance on tuesdays";

const post = async (path: string, body: object, cookie = "") => {
  const response = await fetch(`${stack.dashboardUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: stack.dashboardUrl, cookie },
    body: JSON.stringify(body),
  });
  const { request_id: _, ...said } = Object(await response.json());
  return { ...said, status: response.status };
};
const linkTo = async ({ email }: { email: string }, subject: string, count = 1) =>
  tokenIn((await mailbox.untilMailed(email, subject, count)).at(-1));

async function founder() {
  const person = await signUp(stack);
  const { body } = await person.call("POST", "/api/merchants", { name: `Stores ${randomBytes(4).toString("hex")}` });
  return { person, at: (mode: string, path: string) => `/api/m/${body.merchant_id}/${mode}/${path}` };
}

/** RFC 6238, for the secret of an authenticator's address. */
function codeOf(uri: string, now = Date.now()): string {
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  const bits = [...secret].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const mac = createHmac("sha1", Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(counter)
    .digest();
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

test("a stranger who owns no address gets test mode at once and no step nearer to live money", async () => {
  const { person, at } = await founder();
  expect((await person.call("POST", at("test", "keys/make"), {})).status).toBe(200);
  const attempts = () =>
    Promise.all([
      person.call("POST", at("test", "verification/submit"), {}),
      person.call("POST", at("test", "members/invite"), { email: "victim@example.com", role: "owner" }),
      person.call("POST", "/api/merchants", { name: `Another ${randomBytes(4).toString("hex")}` }),
    ]);
  const refused = await attempts();
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
    [403, "second_factor_required"],
    [403, "second_factor_required"],
    [403, "address_unconfirmed"],
  ]);
  // Nor to a second factor.
  const begun = await person.call("POST", "/api/second-factor/begin", { password: person.password });
  expect(begun.body.code).toBe("address_unconfirmed");
  expect(mailbox.subjectsTo("victim@example.com")).toEqual([]);
  // The owner of the address, who gets the mail, cannot confirm it for the stranger by a click.
  const token = await linkTo(person, "Confirm your email address");
  expect((await post("/api/address/confirm", { token })).status).toBe(401);
  const { status } = await person.call("POST", "/api/address/confirm", { token });
  expect(status).toBe(200);
  expect((await attempts()).map(({ status }) => status)).toEqual([403, 403, 200]);
  await mayEnrol(person);
  const owner = await withAuthenticator(person);
  const submitted = await owner("POST", at("test", "verification/submit"), {});
  const invited = await owner("POST", at("test", "members/invite"), { email: "friend@example.com", role: "viewer" });
  expect([Object(await submitted.json()).code, invited.status]).toEqual(["validation_failed", 200]);
});

test("a reset reveals no account; its link is used once, in time, and ends every session", async () => {
  const person = await signUp(stack);
  const known = await post("/api/password-reset/request", { email: person.email });
  expect(await post("/api/password-reset/request", { email: "nobody.here@example.com" })).toEqual(known);
  const first = await linkTo(person, "Reset your password");
  const change = (token: string, new_password = PASSWORD) => post("/api/password-reset", { token, new_password });
  expect(await change(first, "1234567890")).toMatchObject({ status: 400, errors: [{ code: "too_weak" }] });
  expect((await person.call("GET", "/api/me")).status).toBe(200);
  expect((await change(first)).status).toBe(200);
  expect((await person.call("GET", "/api/me")).status).toBe(401);
  expect((await change(first, "another long password")).code).toBe("not_found");
  await post("/api/password-reset/request", { email: person.email });
  const second = await linkTo(person, "Reset your password", 2);
  await stack.database("dashboard").query("update mailed_links set expires_at = clock_timestamp()");
  expect((await change(second, "another long password")).code).toBe("not_found");
  expect((await post("/api/auth/sign-in/email", { email: person.email, password: PASSWORD })).status).toBe(200);
  expect(mailbox.subjectsTo("nobody.here@example.com")).toEqual([]);
});

test("a sign-up is answered alike for a free and a taken address", async () => {
  const { email } = await signUp(stack);
  const [taken, free] = [
    await post("/api/auth/sign-up/email", { name: "X", email, password: PASSWORD }),
    await post("/api/auth/sign-up/email", { name: "X", email: "free@example.com", password: PASSWORD }),
  ];
  expect(taken).toEqual(free);
  await mailbox.untilMailed(email, "You already have an account");
});

test("passwords that are guessed first are refused, beside honest ones", async () => {
  const tried = async (password: string) =>
    (
      await post("/api/auth/sign-up/email", {
        name: "Ngozi Eze",
        email: `${randomBytes(4).toString("hex")}@example.com`,
        password,
      })
    ).status;
  for (const weak of ["1234567890", "password123", "qwertyuiop", "ngozieze2026", "collect2026"])
    expect(await tried(weak), weak).toBe(400);
  for (const honest of [PASSWORD, "Ẹ kú àárọ̀ ìyá mi"]) expect(await tried(honest), honest).toBe(200);
});

test("an owner without a second factor reaches nothing of live mode by any call; with one, all of it", async () => {
  const { person, at } = await founder();
  const confirm = await linkTo(person, "Confirm your email address");
  await person.call("POST", "/api/address/confirm", { token: confirm });
  const calls = [
    ["GET", "balance"],
    ["GET", "collections.csv"],
    ["GET", "live"],
    ["GET", "keys"],
    ["POST", "keys/make"],
    ["POST", "transfers"],
    ["POST", "transfers/resolve"],
    ["POST", "sessions"],
    ["POST", "webhook/reveal"],
    ["POST", "verification/submit"],
  ] as const;
  for (const [method, path] of calls) {
    const { status, body } = await person.call(method, at("live", path), method === "POST" ? {} : undefined);
    expect([status, body.code], path).toEqual([403, "second_factor_required"]);
  }
  await mayEnrol(person);
  const enabled = await person.call("POST", "/api/auth/two-factor/enable", { password: person.password });
  // A guessed code does not turn it on.
  await person.call("POST", "/api/auth/two-factor/verify-totp", { code: "000000" });
  expect((await person.call("GET", at("live", "balance"))).body.code).toBe("second_factor_required");
  const owner = await withCode(person, String(enabled.body.totpURI));
  expect((await owner("GET", at("live", "balance"))).status).toBe(200);
  await mailbox.untilMailed(person.email, "Two-factor authentication is on");
});

test("the thief of a password or a session sets up no second factor, and reaches nothing of live mode", async () => {
  const { person, at } = await founder();
  const confirmation = await linkTo(person, "Confirm your email address");
  await person.call("POST", "/api/address/confirm", { token: confirmation });
  const stolen = await signInAgain(stack, person);
  const attempts = async () => [
    await stolen.call("POST", "/api/auth/two-factor/enable", { password: person.password }),
    await stolen.call("GET", "/api/auth/passkey/generate-register-options"),
    await stolen.call("POST", "/api/auth/two-factor/verify-totp", { code: "123456" }),
  ];
  const refused = Array.from({ length: 3 }, () => [403, "enrolment_required"]);
  expect((await attempts()).map(({ status, body }) => [status, body.code])).toEqual(refused);
  const begun = await stolen.call("POST", "/api/second-factor/begin", { password: person.password });
  expect([begun.status, begun.body.code]).toEqual([200, null]);
  for (let guess = 0; guess < 5; guess++)
    await stolen.call("POST", "/api/second-factor/confirm", { code: `0000000${guess}` });
  expect((await attempts()).map(({ status, body }) => [status, body.code])).toEqual(refused);
  // The user is mailed what the thief does, and the code is worth nothing after the guesses, or in another session.
  const [mail] = await mailbox.untilMailed(person.email, "Your code to set up a second factor");
  const code = codeIn(mail);
  expect((await stolen.call("POST", "/api/second-factor/confirm", { code })).status).toBe(404);
  expect((await person.call("POST", "/api/second-factor/confirm", { code })).status).toBe(404);
  expect((await stolen.call("GET", at("live", "balance"))).body.code).toBe("second_factor_required");
  // The user, with the mail, does.
  await mayEnrol(person, 2);
  expect((await (await withAuthenticator(person))("GET", at("live", "balance"))).status).toBe(200);
  expect((await attempts()).map(({ body }) => body.code)).toEqual([
    "second_factor_required",
    "second_factor_required",
    "validation_failed",
  ]);
});

const codeIn = (mail: { text: string } | undefined) => /\b\d{4} \d{4}\b/.exec(mail?.text ?? "")?.[0] ?? "";

/** The password again, and the code that is mailed. */
async function mayEnrol({ call, email, password }: Person, count = 1): Promise<void> {
  expect((await call("POST", "/api/second-factor/begin", { password })).status).toBe(200);
  const code = codeIn((await mailbox.untilMailed(email, "Your code to set up a second factor", count)).at(-1));
  expect((await call("POST", "/api/second-factor/confirm", { code })).status).toBe(200);
}

async function withAuthenticator(person: Person) {
  const enabled = await person.call("POST", "/api/auth/two-factor/enable", { password: person.password });
  return withCode(person, String(enabled.body.totpURI));
}

/** The session that begins when an authenticator is turned on. */
async function withCode(person: Person, uri: string) {
  const response = await fetch(`${stack.dashboardUrl}/api/auth/two-factor/verify-totp`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: stack.dashboardUrl, cookie: person.cookie },
    body: JSON.stringify({ code: codeOf(uri) }),
  });
  const issued = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const cookie = issued.some((pair) => pair?.includes("session_token")) ? issued.join("; ") : person.cookie;
  return (method: string, path: string, body?: object) =>
    fetch(`${stack.dashboardUrl}${path}`, {
      method,
      headers: { cookie, origin: stack.dashboardUrl, ...(body && { "content-type": "application/json" }) },
      body: body ? JSON.stringify(body) : null,
    });
}

test("a stolen session is worth nothing after an hour without use, and its user reads why", async () => {
  const person = await signUp(stack);
  await stack
    .database("dashboard")
    .query(
      "update sessions set last_used_at = clock_timestamp() - interval '60 minutes' where user_id = (select id from users where email = $1)",
      [person.email],
    );
  const { status, body } = await person.call("GET", "/api/me?optional=true");
  expect([status, body.code]).toEqual([401, "session_ended"]);
  expect(body.detail).toContain("you were inactive for 60 minutes");
  const code = await person.call("POST", "/api/auth/change-password", {
    currentPassword: person.password,
    newPassword: PASSWORD,
  });
  expect(code.status).toBe(401);
});
