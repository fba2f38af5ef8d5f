import { addMember, createSignInLink } from "@collect/contracts";
import { expect, test } from "vitest";
import { type Browser, openBrowser, PASSWORD, signedUp } from "./dashboard.ts";
import { me, nextCode, signUp, withTwoFactor } from "./person.ts";
import { useKnownMerchants } from "./world.ts";

const { world, dashboard } = await useKnownMerchants();

// ---- sign-in links ----

const operatorAdds = (email: string, merchant_id = "mer_linked") =>
  world.others.request(addMember, { merchant_id, email, name: "Ngozi Eze", role: "owner" });

const linkFor = async (email: string, valid_minutes = 60, clear = false) => {
  const { url } = await world.others.request(createSignInLink, { email, valid_minutes, clear });
  expect(url).toContain(`${dashboard.config.APP_URL}/sign-in/link/`);
  return url.split("/").at(-1) ?? "";
};

const open = (browser: Browser, token: string) => browser.post("/api/sign-in-link", { token });

test("a sign-in link works once; viewing it does not use it, and a second use is refused", async () => {
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

test("of ten concurrent uses of a link one is signed in", async () => {
  await operatorAdds("raced@example.com");
  const token = await linkFor("raced@example.com");
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(openBrowser(dashboard), token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
});

test("a link expires; unknown and malformed links are refused", async () => {
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

test("a user without a password who signed in by a link sets one, once, and signs in with it", async () => {
  await operatorAdds("passwordless@example.com");
  expect((await openBrowser(dashboard).signIn("passwordless@example.com", PASSWORD)).status).toBe(401);
  // Nor can another person take the address by signing up under it.
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

test("a squatter who signed up first with the owner's address is signed out when the operator's link is used", async () => {
  const squatter = await signedUp(dashboard, "chidi@example.com");
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

test("a clearing link removes what a squatter created: teams, businesses and invitations", async () => {
  const squatter = await signedUp(dashboard, "squatted@example.com");
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
  const accomplice = await signedUp(dashboard, "accomplice@example.com");
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

test("a link is one factor: a user with two-factor authentication is asked for the second", async () => {
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

test("a user who lost the password before proving the address keeps their business", async () => {
  const founder = await signedUp(dashboard, "forgetful@example.com");
  const { body } = await founder.post("/api/merchants", { name: "Still Hers" });
  const later = openBrowser(dashboard);
  await open(later, await linkFor("forgetful@example.com"));
  expect((await later.get("/api/me")).body.merchants).toMatchObject([{ merchant_id: body.merchant_id, role: "owner" }]);
  expect((await founder.get("/api/me")).status).toBe(401);
});
