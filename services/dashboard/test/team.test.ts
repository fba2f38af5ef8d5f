import { addMember, readMerchants, registerMerchant } from "@collect/contracts";
import { startParts, until, type World } from "@collect/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { finishBusinesses } from "../src/workers/businesses.ts";
import { aMember, type Dashboard, openBrowser, openDashboardWorld, startDashboard } from "./dashboard.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let dashboard: Dashboard;
let others: Others;
let team = 0;
let merchantId: string;
let owner: Awaited<ReturnType<typeof aMember>>;
let base: string;

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
beforeEach(async () => {
  merchantId = `mer_team${++team}`;
  base = `/api/m/${merchantId}/test`;
  owner = await aMember(world, dashboard, { merchantId, role: "owner" });
});

const rolesOf = async () =>
  Object.fromEntries(
    (await world.owner.query("select user_id, role from members where merchant_id = $1", [merchantId])).rows.map(
      ({ user_id, role }) => [user_id, role],
    ),
  );
const nobody = () => aMember(world, dashboard, { merchantId, role: null });
const invite = async (email: string, role = "developer") => {
  const { body } = await owner.post(`${base}/members/invite`, { email, role });
  return String(body.url).split("/").at(-1) ?? "";
};

// ---- businesses ----

test("whoever makes a business becomes its owner; made twice, or at once, it is one", async () => {
  const person = await nobody();
  const make = () => person.post("/api/merchants", { name: "  Ngozi   Shoes " });
  const answers = [...(await Promise.all([make(), make(), make()])), await make()];
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const { merchant_id, name } = answers[0]?.body ?? {};
  expect([name, String(merchant_id)]).toEqual(["Ngozi Shoes", expect.stringMatching(/^mer_[0-9A-Za-z]{22}$/)]);
  others.reply(readMerchants, ({ merchant_ids }) => ({
    merchants: merchant_ids.map((id) => ({ merchant_id: id, name: "Ngozi Shoes", verified_at: null })),
  }));
  const { body } = await person.get("/api/me");
  expect(body.merchants).toEqual([{ merchant_id, name: "Ngozi Shoes", role: "owner", verified_at: null }]);
  const other = await nobody();
  expect((await other.post("/api/merchants", { name: "Ngozi Shoes" })).body.merchant_id).not.toBe(merchant_id);
  others.knowMerchants();
});

test("a business whose making broke off is made under the same id later, by itself or when asked again", async () => {
  const person = await nobody();
  others.refuse(registerMerchant, "service_unavailable");
  expect((await person.post("/api/merchants", { name: "Broken Off" })).status).toBe(503);
  expect((await person.get("/api/me")).body.merchants).toEqual([]);
  others.refuse(registerMerchant, undefined);
  const [begun] = others.askedOf(registerMerchant).slice(-1);
  await world.owner.query(
    "update businesses set created_at = created_at - interval '1 minute' where registered_at is null",
  );
  const stop = await startParts([finishBusinesses({ pool: world.pool, bus: world.bus, log: world.log, everyMs: 20 })]);
  await until("the business is there", async () => Object((await person.get("/api/me")).body.merchants).length === 1);
  await stop();
  const { body } = await person.get("/api/me");
  expect(Object(body.merchants)[0].merchant_id).toBe(begun?.merchant_id);
  expect((await person.post("/api/merchants", { name: "Broken Off" })).body.merchant_id).toBe(begun?.merchant_id);
});

test("while the gateway is away people still find their way, by what it said last", async () => {
  others.knowMerchants("Ada Stores", "2026-11-20T09:30:00.000+00:00");
  const before = (await owner.get("/api/me")).body.merchants;
  expect(before).toEqual([
    { merchant_id: merchantId, name: "Ada Stores", role: "owner", verified_at: "2026-11-20T09:30:00.000+00:00" },
  ]);
  others.refuse(readMerchants, "service_unavailable");
  expect((await owner.get("/api/me")).body.merchants).toEqual(before);
  others.refuse(readMerchants, undefined);
  others.knowMerchants();
});

// ---- invitations ----

test("an invitation makes its addressee a member once; the link is shown once and kept as a hash", async () => {
  const person = await nobody();
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
  const { body } = await owner.get(`${base}/audit`);
  expect(body.data).toMatchObject([
    { action: "invitation.accepted", who: { email: person.email }, outcome: "done" },
    { action: "member.invited", detail: { role: "developer" }, mode: null },
  ]);
});

test("an invitation is for its address alone, and is not used up by somebody else", async () => {
  const [person, thief] = [await nobody(), await nobody()];
  const token = await invite(person.email);
  const stolen = await thief.post("/api/invitations/accept", { token });
  expect([stolen.status, stolen.body.code]).toEqual([409, "conflict"]);
  expect((await openBrowser(dashboard).post("/api/invitations/accept", { token })).status).toBe(401);
  expect(await rolesOf()).toEqual({ [owner.id]: "owner" });
  expect((await person.post("/api/invitations/accept", { token })).status).toBe(200);
});

test("of two who accept at once one joins, and joins once", async () => {
  const person = await nobody();
  const token = await invite(person.email);
  const answers = await Promise.all(Array.from({ length: 5 }, () => person.post("/api/invitations/accept", { token })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
});

test("an invitation ends, is taken back, and is replaced by the next for the same address", async () => {
  const person = await nobody();
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
  const person = await nobody();
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

test("whom a member asked is not asked any more once that member has gone, and invitations are bounded", async () => {
  const [second, guest] = [await aMember(world, dashboard, { merchantId, role: "owner" }), await nobody()];
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

test("who is an owner no more cannot come back by an invitation of theirs; what they may still give stays", async () => {
  const second = await aMember(world, dashboard, { merchantId, role: "owner" });
  const [accomplice, helper] = [await nobody(), await nobody()];
  const ask = async (email: string, role: string) => {
    const { body } = await second.post(`${base}/members/invite`, { email, role });
    return { token: String(body.url).split("/").at(-1) };
  };
  const [above, below] = [await ask(accomplice.email, "owner"), await ask(helper.email, "viewer")];
  expect((await owner.post(`${base}/members/${second.id}/role`, { role: "developer" })).status).toBe(200);
  expect((await accomplice.post("/api/invitations/accept", above)).status).toBe(404);
  expect((await helper.post("/api/invitations/accept", below)).status).toBe(200);
});

test("an owner who asks somebody while losing the role leaves no invitation above the new one", async () => {
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

test("the right to ask somebody is looked at under the lock of the team, not only at the door", async () => {
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

test("the log keeps the address of whoever was removed or not asked any more", async () => {
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

test("everybody may leave a team by themselves, and remove nobody else; the last owner stays", async () => {
  const developer = await aMember(world, dashboard, { merchantId, role: "developer" });
  const viewer = await aMember(world, dashboard, { merchantId, role: "viewer" });
  const other = await developer.post(`${base}/members/${viewer.id}/remove`);
  expect([other.status, other.body.code]).toEqual([403, "role_required"]);
  expect((await viewer.post(`${base}/members/${viewer.id}/role`, { role: "owner" })).status).toBe(403);
  await viewer.grow(10);
  expect((await viewer.post(`${base}/members/${viewer.id}/remove`)).body.code).toBe("reauthentication_required");
  await viewer.grow(-10);
  for (const leaving of [viewer, developer])
    expect((await leaving.post(`${base}/members/${leaving.id}/remove`)).status).toBe(200);
  expect((await owner.post(`${base}/members/${owner.id}/remove`)).status).toBe(409);
  expect(await rolesOf()).toEqual({ [owner.id]: "owner" });
});

// ---- the last owner ----

test("a team keeps an owner: the last one can neither go nor become less", async () => {
  const developer = await aMember(world, dashboard, { merchantId, role: "developer" });
  for (const [path, body] of [
    [`members/${owner.id}/remove`, {}],
    [`members/${owner.id}/role`, { role: "viewer" }],
  ] as const) {
    const refused = await owner.post(`${base}/${path}`, body);
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
  }
  expect((await owner.post(`${base}/members/${developer.id}/role`, { role: "owner" })).status).toBe(200);
  expect((await owner.post(`${base}/members/${owner.id}/remove`)).status).toBe(200);
  expect(await rolesOf()).toEqual({ [developer.id]: "owner" });
  expect((await owner.get(`${base}/members`)).status).toBe(404);
});

test("two owners who take each other's role at once leave one", async () => {
  for (let round = 0; round < 5; round++) {
    const second = await aMember(world, dashboard, { merchantId, role: "owner" });
    await Promise.all([
      owner.post(`${base}/members/${second.id}/role`, { role: "viewer" }),
      second.post(`${base}/members/${owner.id}/role`, { role: "viewer" }),
    ]);
    const roles = Object.values(await rolesOf());
    expect(roles.filter((role) => role === "owner")).toHaveLength(1);
    await world.owner.query("delete from members where merchant_id = $1 and user_id = $2", [merchantId, second.id]);
    await world.owner.query("update members set role = 'owner' where merchant_id = $1", [merchantId]);
  }
});

test("a member of another team cannot be changed from here", async () => {
  const foreign = await aMember(world, dashboard, { merchantId: "mer_foreign", role: "viewer" });
  expect((await owner.post(`${base}/members/${foreign.id}/role`, { role: "owner" })).status).toBe(404);
  expect((await owner.post(`${base}/members/${foreign.id}/remove`)).status).toBe(404);
});

// ---- the operator ----

test("the operator adds a member to a merchant that was made elsewhere, changes a role, and repeats itself safely", async () => {
  const add = (role: "owner" | "viewer", email = "demo@example.com") =>
    world.others.request(addMember, { merchant_id: "mer_demo", email, name: "Demo", role });
  const [first, twin] = await Promise.all([add("owner"), add("owner")]);
  expect([first.created, twin.created].sort()).toEqual([false, true]);
  expect(first.user_id).toBe(twin.user_id);
  await expect(add("viewer")).rejects.toMatchObject({ code: "conflict" });
  await add("owner", "second@example.com");
  await add("viewer");
  const { rows } = await world.owner.query(
    "select action, outcome from audit_log where merchant_id = 'mer_demo' and user_id is null",
  );
  expect(rows).toHaveLength(3);
  others.reply(readMerchants, () => ({ merchants: [] }));
  await expect(add("owner", "third@example.com")).rejects.toMatchObject({ code: "not_found" });
  others.knowMerchants();
});
