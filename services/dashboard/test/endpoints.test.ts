import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  createPaymentLink,
  createTransfer,
  getBalance,
  getWebhookEndpoint,
  type MemberRole,
  makeKeys,
  readCollections,
  rollKey,
  setWebhookEndpoint,
} from "@collect/contracts";
import { freePort } from "@collect/servers";
import { until, type World } from "@collect/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ENDPOINTS } from "../src/endpoints.ts";
import { aMember, type Dashboard, openDashboardWorld, startDashboard, withoutRequestId } from "./dashboard.ts";
import { bodyOf, pathOf } from "./endpoints.ts";
import { type Others, playOthers } from "./others.ts";

const MERCHANT = "mer_tested";
const ROLES: MemberRole[] = ["owner", "developer", "viewer"];

let world: World;
let dashboard: Dashboard;
let others: Others;
let people: Record<MemberRole | "stranger", Awaited<ReturnType<typeof aMember>>>;

beforeAll(async () => {
  world = await openDashboardWorld();
  dashboard = await startDashboard(world);
  others = await playOthers(world);
  others.reply(readCollections, () => ({ collections: [] }));
  const [owner, developer, viewer] = await Promise.all(
    ROLES.map((role) => aMember(world, dashboard, { merchantId: MERCHANT, role })),
  );
  const stranger = await aMember(world, dashboard, { merchantId: "mer_other", role: "owner" });
  if (!owner || !developer || !viewer) throw new Error("a member is missing");
  people = { owner, developer, viewer, stranger };
});
afterAll(async () => {
  await dashboard.stop();
  others.stop();
  await world.close();
});
beforeEach(() => {
  others.asked.length = 0;
});

const acts = async () =>
  (await world.owner.query("select action, mode, outcome, user_id, detail from audit_log order by id")).rows;
const rowsOf = (list: unknown) => JSON.stringify(list);

describe.each(ENDPOINTS.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint })))(
  "$name",
  ({ endpoint }) => {
    const { method, role, recentlyAuthenticated, audit, rows } = endpoint;
    const call = (who: keyof typeof people, { merchant = MERCHANT, mode = "test", csv = "" } = {}) =>
      people[who].call(method, `/api/m/${merchant}/${mode}${pathOf(endpoint)}${csv}`, {
        ...(method === "POST" && { body: bodyOf(endpoint) }),
      });

    test("is for members with the role, in both modes, and asks for their merchant in that mode alone", async () => {
      for (const mode of ["test", "live"])
        for (const who of ROLES) {
          others.asked.length = 0;
          const answer = await call(who, { mode });
          if (ROLES.indexOf(who) > ROLES.indexOf(role)) {
            expect([answer.status, answer.body.code, others.asked]).toEqual([403, "role_required", []]);
            continue;
          }
          expect(answer.status, answer.text).not.toBe(403);
          expect(answer.headers.get("cache-control")).toBe("private, no-store");
          for (const { input } of others.asked) {
            const { id = input.merchant_id, mode: its = input.mode ?? mode } = Object(input.merchant);
            expect([id, its]).toEqual([MERCHANT, mode]);
          }
        }
    });

    test("is not there for strangers, unknown merchants and other modes; nobody is asked", async () => {
      const wrong = [
        await call("stranger"),
        await call("stranger", { mode: "live" }),
        await call("owner", { merchant: "mer_other" }),
        await call("owner", { merchant: "mer_nobody" }),
        await call("owner", { merchant: "%00" }),
        await call("owner", { mode: "both" }),
      ].map(withoutRequestId);
      expect(new Set(wrong.map(({ text }) => text.replace(/"mode":"\w+",?/, ""))).size, JSON.stringify(wrong)).toBe(1);
      expect([wrong[0]?.status, others.asked]).toEqual([404, []]);
    });

    test("is refused to who is not signed in, before anything else is looked at", async () => {
      const answer = await fetch(`${dashboard.url}/api/m/${MERCHANT}/test${pathOf(endpoint)}`, {
        method,
        headers: { origin: dashboard.config.APP_URL },
      });
      expect([answer.status, others.asked]).toEqual([401, []]);
    });

    if (recentlyAuthenticated)
      test("wants the password or a code from the last ten minutes", async () => {
        const person = await aMember(world, dashboard, { merchantId: MERCHANT, role });
        await person.grow(10);
        const path = `/api/m/${MERCHANT}/${recentlyAuthenticated === true ? "test" : recentlyAuthenticated}${pathOf(endpoint)}`;
        const before = rowsOf(await acts());
        const stale = await person.post(path, bodyOf(endpoint));
        expect([stale.status, stale.body.code, others.asked]).toEqual([403, "reauthentication_required", []]);
        expect(rowsOf(await acts())).toBe(before);
        await person.grow(-10);
        expect((await person.post(path, bodyOf(endpoint))).body.code).not.toBe("reauthentication_required");
      });

    if (audit)
      test("is written down with its outcome, whether it was done, refused, or nobody knows", async () => {
        await world.pool.query("select 1");
        const last = async () => (await acts()).at(-1);
        await call("owner");
        const done = await last();
        expect(done).toMatchObject({
          action: audit.action,
          mode: audit.bothModes ? null : "test",
          user_id: people.owner.id,
        });
        if (!("request" in endpoint)) return;
        expect(done?.outcome).toBe("done");
        others.refuse({ subject: "*" }, "conflict");
        expect((await call("owner")).status).toBe(409);
        expect((await last())?.outcome).toBe("refused");
        others.refuse({ subject: "*" }, "service_unavailable");
        expect((await call("owner")).status).toBe(503);
        expect((await last())?.outcome).toBe("unknown");
        others.refuse({ subject: "*" }, undefined);
      });

    if (rows)
      test("is there as CSV with the same rights", async () => {
        expect((await call("stranger", { csv: ".csv" })).status).toBe(404);
        const answer = await call("viewer", { csv: ".csv" });
        expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
      });
  },
);

test("what wants a fresh proof of who sits there is this, whatever the table says", async () => {
  const always = [
    "/customers/:customer_reference/retire",
    "/transfers",
    "/keys/roll",
    "/webhook",
    "/webhook/reveal",
    "/webhook/rotation/stage",
    "/webhook/rotation/activate",
    "/webhook/rotation/cancel",
    "/members/invite",
    "/members/:user_id/role",
    "/members/:user_id/remove",
    "/invitations/:id/revoke",
  ];
  const wanted = [...always.map((path) => `test ${path}`), ...[...always, "/keys/make"].map((path) => `live ${path}`)];
  const person = await aMember(world, dashboard, { merchantId: MERCHANT, role: "owner" });
  await person.grow(10);
  const refused: string[] = [];
  for (const mode of ["test", "live"])
    for (const endpoint of ENDPOINTS) {
      const path = `/api/m/${MERCHANT}/${mode}${pathOf(endpoint)}`;
      const body = endpoint.method === "POST" ? { body: bodyOf(endpoint) } : {};
      const answer = await person.call(endpoint.method, path, body);
      if (answer.body.code === "reauthentication_required") refused.push(`${mode} ${endpoint.path}`);
    }
  expect(refused.sort()).toEqual(wanted.sort());
});

test("what is filled in about the business is written down without its people, the account masked", async () => {
  const details = {
    registered_name: "Ada Stores Ltd",
    contact_phone: "+234 801",
    settlement_account_number: "0123456789",
  };
  expect((await people.owner.post(`/api/m/${MERCHANT}/test/verification`, { details })).status).toBe(200);
  expect((await acts()).at(-1)).toMatchObject({
    action: "verification.saved",
    mode: null,
    outcome: "done",
    detail: { registered_name: "Ada Stores Ltd", settlement_account: "…6789" },
  });
  expect(Object.keys((await acts()).at(-1)?.detail)).toHaveLength(2);
});

test("whose merchant it is, its name and its mode are the server's to say, whatever is sent", async () => {
  const forged = { merchant: { id: "mer_other", mode: "live", name: "Other" }, merchant_id: "mer_other", mode: "live" };
  await people.owner.get(`/api/m/${MERCHANT}/test/balance?merchant=mer_other&mode=live`);
  expect(others.askedOf(getBalance)).toEqual([{ merchant: { id: MERCHANT, mode: "test", name: "Ada Stores" } }]);
  await people.owner.post(`/api/m/${MERCHANT}/test/keys/roll`, {
    ...forged,
    kind: "secret",
    overlap_hours: 1,
    more: 1,
  });
  expect(others.askedOf(rollKey)).toEqual([{ merchant_id: MERCHANT, mode: "test", kind: "secret", overlap_hours: 1 }]);
  await people.owner.post(`/api/m/${MERCHANT}/live/keys/make`, forged);
  expect(others.askedOf(makeKeys)).toEqual([{ merchant_id: MERCHANT, mode: "live" }]);
  const key = crypto.randomUUID();
  await people.owner.post(`/api/m/${MERCHANT}/test/links`, { ...forged, title: "Shoes", key });
  expect(others.askedOf(createPaymentLink)).toEqual([
    { merchant: { id: MERCHANT, mode: "test", name: "Ada Stores" }, title: "Shoes", key },
  ]);
});

test("fields are checked by the contract before anybody is asked, and each that is wrong is named", async () => {
  const answer = await people.owner.post(`/api/m/${MERCHANT}/test/keys/roll`, { kind: "secret", overlap_hours: 100 });
  expect([answer.status, answer.body.errors]).toMatchObject([400, [{ param: "overlap_hours" }]]);
  expect((await people.owner.get(`/api/m/${MERCHANT}/test/collections?limit=x`)).status).toBe(400);
  expect((await people.owner.get(`/api/m/${MERCHANT}/test/events/nonsense`)).body.code).toBe("not_found");
  const broken = await people.owner.post(`/api/m/${MERCHANT}/test/keys/roll`, "{");
  expect(broken.body.code).toBe("malformed_body");
  const large = await people.owner.post(`/api/m/${MERCHANT}/test/verify-signature`, { body: "x".repeat(200_000) });
  expect([large.status, others.asked]).toEqual([413, []]);
});

test("a refusal of the service behind is passed on; what is not there is one answer, whatever words it had", async () => {
  others.refuse(getBalance, "service_unavailable");
  expect((await people.viewer.get(`/api/m/${MERCHANT}/test/balance`)).status).toBe(503);
  others.refuse(getBalance, "not_found");
  const gone = await people.viewer.get(`/api/m/${MERCHANT}/test/balance`);
  expect(gone.body).toMatchObject({ status: 404, detail: "Nothing was found for this reference." });
  others.refuse(getBalance, undefined);
});

test("the webhook is shown without its secrets; they are revealed to who confirms, once it is set", async () => {
  const endpoint = {
    url: "https://shop.example/hook",
    secret: "whsec_abcdefgh1234",
    staged_secret: "whsec_staged",
    activates_at: "2026-11-22T09:30:00.000+00:00",
  };
  const base = `/api/m/${MERCHANT}/test/webhook`;
  others.refuse(getWebhookEndpoint, "not_found");
  expect((await people.viewer.get(base)).body).toEqual({
    url: null,
    has_secret: false,
    secret_ends: null,
    staged: false,
    activates_at: null,
  });
  expect((await people.owner.post(`${base}/reveal`)).body.code).toBe("conflict");
  others.refuse(getWebhookEndpoint, undefined);
  others.reply(getWebhookEndpoint, () => endpoint);
  others.reply(setWebhookEndpoint, () => endpoint);
  const masked = {
    url: endpoint.url,
    has_secret: true,
    secret_ends: "1234",
    staged: true,
    activates_at: endpoint.activates_at,
  };
  expect((await people.viewer.get(base)).body).toEqual(masked);
  expect((await people.developer.post(base, { url: endpoint.url })).body).toEqual(masked);
  const revealed = await people.developer.post(`${base}/reveal`);
  expect(revealed.body).toEqual({ secret: endpoint.secret, staged_secret: endpoint.staged_secret });
  expect((await people.viewer.post(`${base}/reveal`)).status).toBe(403);
});

test("the log of acts tells who, what and how it went, newest first by pages, and holds nothing secret", async () => {
  const url = "https://user:hunter2@shop.example/hook?token=s3cret#frag";
  await people.developer.post(`/api/m/${MERCHANT}/test/webhook`, { url });
  await people.owner.post(`/api/m/${MERCHANT}/live/transfers`, bodyOf(transfers()));
  const { body } = await people.viewer.get(`/api/m/${MERCHANT}/test/audit?limit=2`);
  expect(body.data).toMatchObject([
    { who: { name: "Ada Obi", email: people.owner.email }, action: "transfer.made", mode: "live", outcome: "done" },
    {
      who: { email: people.developer.email },
      action: "webhook.set",
      mode: "test",
      detail: { url: "https://shop.example/hook" },
    },
  ]);
  expect(Object(body.data)[0].detail).toEqual({ reference: "trf-1", amount: 100, bank_code: "058", account: "…6789" });
  const second = await people.viewer.get(`/api/m/${MERCHANT}/test/audit?limit=2&after=${body.next}`);
  expect(Number(Object(second.body.data)[0].id)).toBeLessThan(Number(Object(body.data)[1].id));
  expect((await people.viewer.get(`/api/m/${MERCHANT}/test/audit?after=nonsense`)).status).toBe(400);
  const { rows } = await world.owner.query("select detail::text from audit_log");
  expect(rows.map(({ detail }) => detail).join()).not.toMatch(/hunter2|s3cret|whsec|0123456789/);
});

const transfers = () => {
  const row = ENDPOINTS.find((endpoint) => "request" in endpoint && endpoint.request === createTransfer);
  if (!row) throw new Error("there is no such row");
  return row;
};

test("an act that a crash breaks off stays in the log as unknown", async () => {
  const port = await freePort();
  const { config } = dashboard;
  const child = spawn(process.execPath, [fileURLToPath(new URL("../src/main.ts", import.meta.url))], {
    env: {
      ...process.env,
      FAILPOINT: "committed",
      DATABASE_URL: config.DATABASE_URL,
      NATS_URL: config.NATS_URL,
      PORT: String(port),
      APP_URL: config.APP_URL,
      AUTH_SECRET: config.AUTH_SECRET,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (text) => {
    said += text;
  });
  await until("the process is ready", () => said.includes('"ready"'));
  const doomed = { ...dashboard, url: `http://127.0.0.1:${port}` };
  const person = await aMember(world, doomed, { merchantId: MERCHANT, role: "developer" });
  await expect(person.post(`/api/m/${MERCHANT}/test/keys/make`)).rejects.toThrow();
  await until("it is dead", () => child.signalCode === "SIGKILL");
  expect((await acts()).at(-1)).toMatchObject({ action: "keys.made", user_id: person.id, outcome: "unknown" });
  expect(others.askedOf(makeKeys)).toEqual([]);
});

test("whoever is removed, signed out or given a lower role is so with the next call", async () => {
  const person = await aMember(world, dashboard, { merchantId: MERCHANT, role: "developer" });
  const path = `/api/m/${MERCHANT}/test/webhook/test`;
  expect((await person.post(path)).status).toBe(200);
  await world.owner.query("update members set role = 'viewer' where user_id = $1", [person.id]);
  expect((await person.post(path)).status).toBe(403);
  await world.owner.query("delete from members where user_id = $1", [person.id]);
  expect((await person.post(path)).status).toBe(404);
  await world.owner.query("delete from sessions where user_id = $1", [person.id]);
  expect((await person.post(path)).status).toBe(401);
});

test("a method that an address does not take is told which it takes", async () => {
  const answer = await people.owner.post(`/api/m/${MERCHANT}/test/balance`);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});
