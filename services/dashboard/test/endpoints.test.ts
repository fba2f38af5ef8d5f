import { MEMBER_ROLES, type MemberRole, MODES, type Mode, recordAct } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { isAllowed } from "../src/domain/role.ts";
import { ENDPOINTS } from "../src/endpoints.ts";
import { aMember, withoutRequestId } from "./dashboard.ts";
import { bodyOf, pathOf } from "./endpoints.ts";
import { MERCHANT, usePeople } from "./world.ts";

const { world, dashboard, others, people } = await usePeople();

const FORMATS = {
  ".csv": "text/csv; charset=utf-8",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

const rowsOf = (list: unknown) => JSON.stringify(list);

describe.each(ENDPOINTS.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint })))(
  "$name",
  ({ endpoint }) => {
    const { method, permission, alsoNeeds, recentlyAuthenticated, audit, rows, exportedWith } = endpoint;
    const mayCall = (role: MemberRole, mode: Mode) =>
      isAllowed(role, permission) && isAllowed(role, alsoNeeds?.({ ...bodyOf(endpoint) }, mode) ?? "read");
    const call = (who: keyof typeof people, { merchant = MERCHANT, mode = "test", ending = "" } = {}) =>
      people[who].call(method, `/api/m/${merchant}/${mode}${pathOf(endpoint).replace(/(?=\?|$)/, ending)}`, {
        ...(method === "POST" && { body: bodyOf(endpoint) }),
      });

    test("is for the roles with the permission, in both modes, and is scoped to their merchant and mode", async () => {
      for (const mode of MODES)
        for (const who of MEMBER_ROLES) {
          others.asked.length = 0;
          const answer = await call(who, { mode });
          if (!mayCall(who, mode)) {
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

    test("returns 404 for non-members, unknown merchants and other modes; no service is called", async () => {
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

    test("is refused to a signed-out caller before any other check", async () => {
      const answer = await fetch(`${dashboard.url}/api/m/${MERCHANT}/test${pathOf(endpoint)}`, {
        method,
        headers: { origin: dashboard.config.APP_URL },
      });
      expect([answer.status, others.asked]).toEqual([401, []]);
    });

    if (recentlyAuthenticated)
      test("requires the password or a code within the last ten minutes", async () => {
        const person = await aMember(world, dashboard, { merchantId: MERCHANT, role: "owner" });
        await person.grow(10);
        const path = `/api/m/${MERCHANT}/${recentlyAuthenticated === true ? "test" : recentlyAuthenticated}${pathOf(endpoint)}`;
        const before = rowsOf(others.audited);
        const stale = await person.post(path, bodyOf(endpoint));
        expect([stale.status, stale.body.code, others.asked]).toEqual([403, "reauthentication_required", []]);
        expect(rowsOf(others.audited)).toBe(before);
        await person.grow(-10);
        expect((await person.post(path, bodyOf(endpoint))).body.code).not.toBe("reauthentication_required");
      });

    if (audit)
      test("is recorded in the audit log as done, refused or unknown", async () => {
        const mode = audit.liveOnly ? "live" : "test";
        const last = () => others.audited.at(-1);
        await call("owner", { mode });
        const done = last();
        expect(done).toMatchObject({
          action: audit.action,
          mode: audit.bothModes ? null : mode,
          actor: { kind: "member", user_id: people.owner.id, email: people.owner.email },
        });
        if (!("request" in endpoint)) return;
        expect(done?.outcome).toBe("done");
        others.refuse({ subject: "*" }, "conflict");
        expect((await call("owner", { mode })).status).toBe(409);
        expect(last()?.outcome).toBe("refused");
        others.refuse({ subject: "*" }, "service_unavailable");
        expect((await call("owner", { mode })).status).toBe(503);
        expect(last()?.outcome).toBe("unknown");
        others.refuse({ subject: "*" }, undefined);
      });

    if (audit)
      test("is not done unless it can be recorded", async () => {
        others.refuse(recordAct, "service_unavailable");
        others.asked.length = 0;
        expect((await call("owner", { mode: "live" })).status).toBe(503);
        const [own] = "request" in endpoint ? [endpoint.request] : [];
        expect(own && others.askedOf(own)).toEqual(own && []);
        others.refuse(recordAct, undefined);
      });

    if (rows)
      test.each(Object.entries(FORMATS))(
        "is available as %s to the roles that may take it with them",
        async (ending, type) => {
          expect((await call("stranger", { ending })).status).toBe(404);
          for (const who of MEMBER_ROLES) {
            others.asked.length = 0;
            const answer = await call(who, { ending });
            if (isAllowed(who, exportedWith ?? "team")) {
              expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
              expect(others.audited.at(-1)).toMatchObject({
                action: "list.exported",
                actor: { user_id: people[who].id },
              });
            } else expect([answer.status, answer.body.code, others.asked]).toEqual([403, "role_required", []]);
          }
        },
      );
  },
);

test("these calls require the password or a code, whatever the table says", async () => {
  const always = [
    "/business-profile",
    "/checkout-settings",
    "/customers/:customer_reference/retire",
    "/payout-limits",
    "/transfers",
    "/transfers/:reference/again",
    "/transfers/:reference/approve",
    "/transfers/:reference/decline",
    "/transfer-batches/:reference/confirm",
    "/transfer-batches/:reference/approve",
    "/keys/roll",
    "/keys/restricted",
    "/keys/:key_id/revoke",
    "/keys/:key_id/keep",
    "/receiver/use",
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
  const live = [...always, "/keys/make", "/collections/:reference/attach"];
  const wanted = [...always.map((path) => `test ${path}`), ...live.map((path) => `live ${path}`)];
  const person = await aMember(world, dashboard, { merchantId: MERCHANT, role: "owner" });
  await person.grow(10);
  const refused: string[] = [];
  for (const mode of MODES)
    for (const endpoint of ENDPOINTS) {
      const path = `/api/m/${MERCHANT}/${mode}${pathOf(endpoint)}`;
      const body = endpoint.method === "POST" ? { body: bodyOf(endpoint) } : {};
      const answer = await person.call(endpoint.method, path, body);
      if (answer.body.code === "reauthentication_required") refused.push(`${mode} ${endpoint.path}`);
    }
  expect(refused.sort()).toEqual(wanted.sort());
});

test("an unsupported method gets the allowed methods", async () => {
  const answer = await people.owner.post(`/api/m/${MERCHANT}/test/balance`);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});
