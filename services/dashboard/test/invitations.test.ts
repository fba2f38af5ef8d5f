import { until } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { aMember, openBrowser } from "./dashboard.ts";
import { type Member, rolesIn, useTeams } from "./world.ts";

const { world, dashboard, others, aTeam } = await useTeams();
let merchantId: string;
let owner: Member;
let base: string;
beforeEach(async () => {
  ({ merchantId, owner, base } = await aTeam());
});
const rolesOf = () => rolesIn(world, merchantId);

const outsider = () => aMember(world, dashboard, { merchantId, role: null });

const invite = async (email: string, role = "developer") => {
  const { body } = await owner.post(`${base}/members/invite`, { email, role });
  return String(body.url).split("/").at(-1) ?? "";
};

test("an invitation makes its addressee a member once; the link is shown once and kept as a hash", async () => {
  const person = await outsider();
  const token = await invite(person.email.toUpperCase());
  const shown = await owner.get(`${base}/members`);
  expect(shown.body.invitations).toMatchObject([{ email: person.email, role: "developer" }]);
  expect(shown.text).not.toContain(token);
  const accepted = await person.post("/api/invitations/accept", { token });
  expect(accepted.body).toEqual({ merchant_id: merchantId, name: "Ada Stores" });
  expect((await rolesOf())[person.id]).toBe("developer");
  expect((await person.post("/api/invitations/accept", { token })).status).toBe(404);
  expect((await owner.get(`${base}/members`)).body).toMatchObject({
    members: [{}, { email: person.email }],
    invitations: [],
  });
  await until("the outbox is empty", () => others.audited.some(({ action }) => action === "invitation.accepted"));
  const { body } = await owner.get(`${base}/audit`);
  expect(body.data).toMatchObject([
    { action: "invitation.accepted", who: { email: person.email }, outcome: "done" },
    { action: "member.invited", detail: { role: "developer" }, mode: null },
  ]);
});

test("an invitation shows business, inviter and role to whoever has its link, and nothing once it has ended", async () => {
  const [person, stranger] = [await outsider(), openBrowser(dashboard)];
  const show = (token: string) => stranger.post("/api/invitations/show", { token });
  const token = await invite(person.email, "finance");
  for (const _time of [1, 2]) {
    const shown = await show(token);
    const { name: inviter } = Object((await owner.get("/api/me")).body.user);
    expect([shown.status, shown.body]).toEqual([200, { business: "Ada Stores", inviter, role: "finance" }]);
  }
  for (const unknown of ["x", "a".repeat(43), ""]) expect((await show(unknown)).status).toBe(404);
  expect((await person.post("/api/invitations/accept", { token })).status).toBe(200);
  expect((await show(token)).status).toBe(404);
  const expired = await invite("late@example.com");
  await world.owner.query("update invitations set expires_at = clock_timestamp() where merchant_id = $1", [merchantId]);
  expect((await show(expired)).status).toBe(404);
});

test("an invitation is for its email address only, and is not used by another user", async () => {
  const [person, thief] = [await outsider(), await outsider()];
  const token = await invite(person.email);
  const stolen = await thief.post("/api/invitations/accept", { token });
  expect([stolen.status, stolen.body.code]).toEqual([409, "conflict"]);
  expect((await openBrowser(dashboard).post("/api/invitations/accept", { token })).status).toBe(401);
  expect(await rolesOf()).toEqual({ [owner.id]: "owner" });
  expect((await person.post("/api/invitations/accept", { token })).status).toBe(200);
});

test("of two concurrent acceptances one joins, once", async () => {
  const person = await outsider();
  const token = await invite(person.email);
  const answers = await Promise.all(Array.from({ length: 5 }, () => person.post("/api/invitations/accept", { token })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
});

test("an invitation expires, can be revoked, and is replaced by the next for the same address", async () => {
  const person = await outsider();
  const accept = (token: string) => person.post("/api/invitations/accept", { token });
  const old = await invite(person.email);
  const newer = await invite(person.email, "viewer");
  expect((await accept(old)).status).toBe(404);
  await world.owner.query("update invitations set expires_at = clock_timestamp()");
  expect((await accept(newer)).status).toBe(404);
  const third = await invite(person.email);
  const { body } = await owner.get(`${base}/members`);
  const { id } = Object(body.invitations)[0];
  const foreign = await aMember(world, dashboard, { merchantId: "mer_foreign", role: "owner" });
  expect((await foreign.post(`/api/m/mer_foreign/test/invitations/${id}/revoke`)).status).toBe(404);
  expect((await owner.post(`${base}/invitations/${id}/revoke`)).status).toBe(200);
  for (const token of [third, "x", "a".repeat(43)]) expect((await accept(token)).status).toBe(404);
  expect((await rolesOf())[person.id]).toBeUndefined();
});

test("a member cannot be invited again, nor lose a role by accepting an older invitation", async () => {
  const person = await outsider();
  const token = await invite(person.email, "viewer");
  await world.owner.query("insert into members (merchant_id, user_id, role) values ($1, $2, 'owner')", [
    merchantId,
    person.id,
  ]);
  expect((await person.post("/api/invitations/accept", { token })).status).toBe(200);
  expect((await rolesOf())[person.id]).toBe("owner");
  const again = await owner.post(`${base}/members/invite`, { email: person.email, role: "viewer" });
  expect([again.status, again.body.code]).toEqual([409, "conflict"]);
});

test("an invitation is deleted with the member who created it, and the number of invitations is limited", async () => {
  const [second, guest] = [await aMember(world, dashboard, { merchantId, role: "owner" }), await outsider()];
  const { body } = await second.post(`${base}/members/invite`, { email: guest.email, role: "owner" });
  await owner.post(`${base}/members/${second.id}/remove`);
  expect((await guest.post("/api/invitations/accept", { token: String(body.url).split("/").at(-1) })).status).toBe(404);
  await world.owner.query(
    `insert into invitations (id, merchant_id, email, role, token_hash, invited_by, expires_at)
     select gen_random_uuid(), $1, 'guest' || n || '@example.com', 'viewer', sha256(gen_random_uuid()::text::bytea), $2, clock_timestamp() + interval '1 day'
     from generate_series(1, 100) n`,
    [merchantId, owner.id],
  );
  expect((await owner.post(`${base}/members/invite`, { email: "one.more@example.com", role: "viewer" })).status).toBe(
    409,
  );
  expect((await owner.post(`${base}/members/invite`, { email: "guest1@example.com", role: "viewer" })).status).toBe(
    200,
  );
});

test("an owner who lost the role cannot regain it by their own invitation; invitations to roles they can still grant stay", async () => {
  const second = await aMember(world, dashboard, { merchantId, role: "owner" });
  const [accomplice, helper] = [await outsider(), await outsider()];
  const ask = async (email: string, role: string) => {
    const { body } = await second.post(`${base}/members/invite`, { email, role });
    return { token: String(body.url).split("/").at(-1) };
  };
  const [above, below] = [await ask(accomplice.email, "owner"), await ask(helper.email, "viewer")];
  expect((await owner.post(`${base}/members/${second.id}/role`, { role: "developer" })).status).toBe(200);
  expect((await accomplice.post("/api/invitations/accept", above)).status).toBe(404);
  expect((await helper.post("/api/invitations/accept", below)).status).toBe(200);
});

test("an owner who invites while losing the role leaves no invitation above the new one", async () => {
  for (let round = 0; round < 5; round++) {
    const second = await aMember(world, dashboard, { merchantId, role: "owner" });
    const email = `raced${merchantId}${round}@example.com`;
    await Promise.all([
      second.post(`${base}/members/invite`, { email, role: "owner" }),
      owner.post(`${base}/members/${second.id}/role`, { role: "viewer" }),
    ]);
    const { rows } = await world.owner.query("select 1 from invitations where invited_by = $1", [second.id]);
    expect(rows).toEqual([]);
  }
});

test("the right to invite is checked under the team's lock, not only on entry", async () => {
  const second = await aMember(world, dashboard, { merchantId, role: "owner" });
  const client = await world.owner.connect();
  await client.query("begin");
  await client.query("update members set role = 'viewer' where user_id = $1", [second.id]);
  const asked = second.post(`${base}/members/invite`, { email: "held@example.com", role: "owner" });
  await until("the call waits for the team", async () => {
    const { rows } = await world.owner.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%from members%for update%'",
    );
    return rows.length > 0;
  });
  await client.query("commit");
  client.release();
  expect((await asked).body.code).toBe("role_required");
});

test("the log keeps the address of members who were removed and invitations that were revoked", async () => {
  const gone = await aMember(world, dashboard, { merchantId, role: "viewer" });
  await invite("asked@example.com");
  const { id } = Object((await owner.get(`${base}/members`)).body.invitations)[0];
  await owner.post(`${base}/invitations/${id}/revoke`);
  await owner.post(`${base}/members/${gone.id}/remove`);
  expect((await owner.get(`${base}/audit`)).body.data).toMatchObject([
    { action: "member.removed", detail: { user_id: gone.id, email: gone.email } },
    { action: "invitation.revoked", detail: { id, email: "asked@example.com" } },
    { action: "member.invited" },
  ]);
});

test("a team can send fifty invitations a day; what is refused invites nobody, and the next day has room again", async () => {
  await invite("first@example.com");
  await world.owner.query("update invitations_sent set sent = 49 where merchant_id = $1", [merchantId]);
  const answers = await Promise.all(
    ["a", "b", "c"].map((name) =>
      owner.post(`${base}/members/invite`, { email: `${name}@example.com`, role: "viewer" }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect([refused?.body.code, Number(refused?.headers.get("retry-after")) > 0]).toEqual(["rate_limited", true]);
  const { body } = await owner.get(`${base}/members`);
  expect(body.invitations).toHaveLength(2);
  // A member is not invited, which costs nothing.
  expect((await owner.post(`${base}/members/invite`, { email: owner.email, role: "viewer" })).status).toBe(409);
  await world.owner.query("update invitations_sent set day = day - 1 where merchant_id = $1", [merchantId]);
  expect((await owner.post(`${base}/members/invite`, { email: "d@example.com", role: "viewer" })).status).toBe(200);
});
