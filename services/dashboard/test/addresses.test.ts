import { registerMerchant, submitVerification } from "@collect/contracts";
import { tokenIn } from "@collect/testing";
import { expect, test } from "vitest";
import { LIMITS } from "../src/domain/rate-limits.ts";
import { openBrowser, signedUp } from "./dashboard.ts";
import { signUp } from "./person.ts";
import { useMail } from "./world.ts";

const { world, dashboard, others, mailbox } = await useMail({ LIVE_SECOND_FACTOR: "optional" });
const CONFIRM = "Confirm your email address";

const linkTo = async (email: string, count = 1) => tokenIn((await mailbox.untilMailed(email, CONFIRM, count)).at(-1));

async function founder(name = "Ada Stores") {
  const person = await signedUp(dashboard);
  const { body } = await person.post("/api/merchants", { name });
  return { ...person, merchantId: String(body.merchant_id) };
}

test("before the address is confirmed test mode works; nothing that leads to live money does, and no second business", async () => {
  const person = await founder();
  const at = (mode: string, path: string) => `/api/m/${person.merchantId}/${mode}/${path}`;
  const refused = async (path: string, body: object) => (await person.post(path, body)).body.code;
  const details = {
    registered_name: "Ada Stores Ltd",
    rc_number: "RC 123456",
    address: "1 Marina, Lagos",
    contact_name: "Ada Obi",
    contact_email: "ada@example.com",
    contact_phone: "+234 801 234 5678",
    settlement_bank_code: "058",
    settlement_account_number: "0123456789",
  };
  const attempts = async () => [
    await refused(at("test", "verification/submit"), { details }),
    await refused(at("live", "keys/make"), {}),
    await refused(at("live", "keys/roll"), { kind: "secret", overlap_hours: 0 }),
    await refused(at("test", "members/invite"), { email: "friend@example.com", role: "viewer" }),
    await refused("/api/merchants", { name: "Another Business" }),
  ];
  expect(await attempts()).toEqual(Array.from({ length: 5 }, () => "address_unconfirmed"));
  expect(others.askedOf(submitVerification)).toEqual([]);
  expect((await person.post(at("test", "keys/make"))).status).toBe(200);
  // The same business again is a repeat.
  expect((await person.post("/api/merchants", { name: "Ada Stores" })).status).toBe(200);

  expect((await person.post("/api/address/confirm", { token: await linkTo(person.email) })).status).toBe(200);
  expect(Object((await person.get("/api/me")).body.user).is_confirmed).toBe(true);
  expect(await attempts()).toEqual(Array.from({ length: 5 }, () => undefined));
});

test("of two second businesses at once neither is made before the address is confirmed", async () => {
  const person = await signedUp(dashboard);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => person.post("/api/merchants", { name: `At Once ${n}` })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const registered = others.askedOf(registerMerchant).filter(({ name }) => String(name).startsWith("At Once"));
  expect(registered).toHaveLength(1);
});

test("only the user whose address it is can use the link, once; a repeat of theirs is no error", async () => {
  const [person, stranger] = [await signedUp(dashboard), await signedUp(dashboard)];
  const token = await linkTo(person.email);
  expect((await openBrowser(dashboard).post("/api/address/confirm", { token })).status).toBe(401);
  expect((await stranger.post("/api/address/confirm", { token })).body.code).toBe("conflict");
  expect((await person.post("/api/address/confirm", { token })).status).toBe(200);
  expect((await person.post("/api/address/confirm", { token })).status).toBe(200);
  expect((await stranger.post("/api/address/confirm", { token })).body.code).toBe("not_found");
});

test("a link expires, a new one replaces it, and only so many are sent an hour", async () => {
  const person = await signedUp(dashboard);
  const first = await linkTo(person.email);
  expect((await person.post("/api/address/send")).status).toBe(200);
  const second = await linkTo(person.email, 2);
  expect((await person.post("/api/address/confirm", { token: first })).body.code).toBe("not_found");
  await world.owner.query("update mailed_links set expires_at = clock_timestamp() where user_id = $1", [person.id]);
  expect((await person.post("/api/address/confirm", { token: second })).body.code).toBe("not_found");
  const statuses: number[] = [];
  for (let n = 1; n <= LIMITS.confirm_user.limit; n++) statuses.push((await person.post("/api/address/send")).status);
  expect(statuses.at(-1)).toBe(429);
  const { rows } = await world.owner.query("select 1 from mails where recipient = $1 and kind = 'confirm_address'", [
    person.email,
  ]);
  expect(rows).toHaveLength(1 + LIMITS.confirm_user.limit);
});

test("who signs up with a known address is answered the same; its user is told once an hour", async () => {
  const person = await signedUp(dashboard);
  for (let n = 0; n < 2; n++)
    expect((await signUp(openBrowser(dashboard), person.email, "another three words")).body).toEqual({ status: true });
  await mailbox.untilMailed(person.email, "You already have an account");
  await signUp(openBrowser(dashboard), person.email, "another three words");
  expect(mailbox.subjectsTo(person.email).filter((subject) => subject === "You already have an account")).toHaveLength(
    1,
  );
});

test("an invitation goes by mail only, and accepting it proves the address", async () => {
  const owner = await founder("Ngozi Foods");
  await owner.post("/api/address/confirm", { token: await linkTo(owner.email) });
  const invited = { email: "invited@example.com", role: "viewer" };
  const { body } = await owner.post(`/api/m/${owner.merchantId}/test/members/invite`, invited);
  expect(body).toEqual({ url: null, expires_at: expect.any(String) });
  const [mail] = await mailbox.untilMailed(invited.email, "You're invited to Ngozi Foods");
  const guest = await signedUp(dashboard, invited.email);
  expect(Object((await guest.get("/api/me")).body.user).is_confirmed).toBe(false);
  expect((await guest.post("/api/invitations/accept", { token: tokenIn(mail) })).status).toBe(200);
  expect(Object((await guest.get("/api/me")).body.user).is_confirmed).toBe(true);
});

test("no token is in the database, before or after its mail is sent", async () => {
  const person = await signedUp(dashboard);
  const token = await linkTo(person.email);
  const { rows } = await world.owner.query(
    "select mails::text || coalesce(links::text, '') as text from mails, mailed_links links",
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ text }) => text.includes(token))).toEqual([]);
});
