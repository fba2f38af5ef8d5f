import { nuban } from "@collect/bank";
import { KEY_SCOPES, type KeyScope, runSettlement } from "@collect/contracts";
import { afterAll, expect, test } from "vitest";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { aMember, type Person } from "../stack/person.ts";
import { startStack, type TestMerchant } from "../stack.ts";

/** What a developer, somebody who has left, and the finder of a restricted key try, each beside its honest use. */

// A proxy in front, which appends its caller to X-Forwarded-For.
const stack = await startStack({ env: { gateway: { TRUSTED_PROXIES: "1" } } });
afterAll(() => stack.stop());

const PAYOUT = { amount: 1000, bank_code: "058", account_number: nuban({ bankCode: "058", serial: "000123451" }) };

/** A business with ₦9,900 of real money settled, an owner and a developer. */
async function aBusiness() {
  const merchant = await stack.createMerchant();
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  const { body } = await live.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Ada Obi" });
  const paid = { account_number: body.account_number, amount: 10_000 };
  await client(stack.bankSimulatorUrl).post("/control/transfers", paid);
  await merchant.untilReceived("live", 1);
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
  const settled = async () => (await live.get("/balance")).body.settled;
  expect(await settled()).toBe(9_900);
  const [owner, developer] = [
    await aMember(stack, merchant.id, "owner"),
    await aMember(stack, merchant.id, "developer"),
  ];
  return { merchant, live, settled, owner, developer };
}

const inLive = (merchant: TestMerchant, person: Person) => (path: string, body?: object) =>
  person.call(body ? "POST" : "GET", `/api/m/${merchant.id}/live/${path}`, body);

/** A restricted key as a member makes it in the dashboard. */
async function aKey(
  merchant: TestMerchant,
  person: Person,
  given: { name?: string; scopes: readonly KeyScope[]; addresses?: string[]; mode?: "test" | "live" },
): Promise<{ key: string; id: string }> {
  const { mode = "live", name = `key ${crypto.randomUUID()}`, ...limits } = given;
  const made = await person.call("POST", `/api/m/${merchant.id}/${mode}/keys/restricted`, { name, ...limits });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return { key: String(made.body.key), id: String(made.body.key_id) };
}

test("a developer cannot reach the money: not by a key, an order, a role or an invitation", async () => {
  const { merchant, live, settled, owner, developer } = await aBusiness();
  const act = inLive(merchant, developer);
  const me = await developer.call("GET", "/api/me");
  const { id } = Object(me.body.user);
  const attempts: [path: string, body: object][] = [
    ["keys/roll", { kind: "secret", overlap_hours: 0 }],
    ["keys/roll", { kind: "secret", overlap_hours: 72, merchant_id: merchant.id, mode: "test" }],
    ["keys/make", {}],
    ["keys/make", { mode: "test" }],
    ["keys/restricted", { name: "a", scopes: ["transfers:write"] }],
    ["keys/restricted", { name: "a", scopes: [...KEY_SCOPES] }],
    ["keys/restricted", { name: "a", scopes: ["transfers:write"], mode: "test" }],
    ["transfers", { ...PAYOUT, reference: "theft-1" }],
    ["transfers/resolve", PAYOUT],
    [`members/${id}/role`, { role: "owner" }],
    [`members/${id}/role`, { role: "finance" }],
    ["members/invite", { email: developer.email, role: "owner" }],
    ["members/invite", { email: "friend@example.com", role: "finance" }],
    ["verification", { details: { settlement_bank_code: "058" } }],
  ];
  for (const [path, body] of attempts)
    expect([path, (await act(path, body)).body.code]).toEqual([path, "role_required"]);

  // What a developer may make opens everything but the money.
  const most = await aKey(merchant, developer, { scopes: KEY_SCOPES.filter((scope) => scope !== "transfers:write") });
  const { body: inTest } = await developer.call("POST", `/api/m/${merchant.id}/test/keys/roll`, {
    kind: "secret",
    overlap_hours: 0,
  });
  const restricted = client(stack.baseUrl, most.key);
  const order = { ...PAYOUT, reference: "theft-2" };
  expect((await restricted.get("/balance")).body.settled).toBe(9_900);
  expect(refusalIn(await restricted.post("/transfers", order))).toEqual(
    refusal("insufficient_scope", { mode: "live" }),
  );
  const ofTest = await client(stack.baseUrl, String(inTest.key)).post("/transfers", order);
  expect(refusalIn(ofTest)).toEqual(refusal("insufficient_balance", { mode: "test" }));
  expect((await client(stack.baseUrl, String(inTest.key).replace("test", "live")).get("/balance")).status).toBe(401);
  expect([await settled(), (await live.get("/transfers")).body.data]).toEqual([9_900, []]);

  // The attempts are in the log, under the developer's name, and the order of a test key under that key's.
  const { body } = await inLive(merchant, owner)("audit?limit=100");
  const all: { action: string; outcome: string; who: { kind: string; email: string } }[] = Object(body.data);
  const refused = all.filter(({ outcome, who }) => outcome === "refused" && who.kind === "member");
  expect(new Set(refused.map(({ action }) => action))).toEqual(
    new Set(["key.rolled", "keys.made", "restricted_key.made"]),
  );
  for (const { who } of refused) expect(who.email).toBe(developer.email);
});

test("an owner's key with transfers:write pays out, and the transfer says which key ordered it", async () => {
  const { merchant, settled, owner } = await aBusiness();
  const { key, id } = await aKey(merchant, owner, { name: "Payroll", scopes: ["transfers:write"] });
  const payroll = client(stack.baseUrl, key);
  const ordered = await payroll.post("/transfers", {
    ...PAYOUT,
    reference: "salary-1",
    ordered_by: { kind: "operator" },
  });
  expect(ordered.status, ordered.text).toBe(201);
  expect(await settled()).toBe(8_900);
  const act = inLive(merchant, owner);
  const { body } = await act(`transfers/${ordered.body.reference}/timeline`);
  expect(body.ordered_by).toEqual({
    ...{ kind: "key", key: `rk_live_…${key.slice(-4)}`, name: "Payroll" },
    made_by: expect.any(String),
  });
  expect(refusalIn(await payroll.get("/transfers"))).toEqual(refusal("insufficient_scope", { mode: "live" }));

  const byFinance = await aMember(stack, merchant.id, "finance");
  const second = await inLive(merchant, byFinance)("transfers", { ...PAYOUT, reference: "rent-1" });
  const shown = await act(`transfers/${second.body.transfer ? Object(second.body.transfer).reference : ""}/timeline`);
  expect(shown.body.ordered_by).toMatchObject({ kind: "member", email: byFinance.email });

  expect((await act(`keys/${id}/revoke`, {})).status).toBe(200);
  expect(refusalIn(await payroll.post("/transfers", { ...PAYOUT, reference: "salary-2" }))).toEqual(
    refusal("invalid_api_key"),
  );
});

test("somebody who has left is out at once, and owners are asked about every key that person made until each is dealt with", async () => {
  const { merchant, owner, developer } = await aBusiness();
  const [revoked, kept] = [
    await aKey(merchant, developer, { scopes: ["balance"] }),
    await aKey(merchant, developer, { scopes: ["accounts"] }),
  ];
  const act = inLive(merchant, owner);
  const exposed = async (): Promise<string[]> => {
    const { body } = await act("keys");
    return Object(body.keys).flatMap(({ id, exposed_to }: { id: string; exposed_to: { email: string }[] }) =>
      exposed_to.some(({ email }) => email === developer.email) ? [id] : [],
    );
  };
  expect(await exposed()).toEqual([]);
  const { body: me } = await developer.call("GET", "/api/me");
  const { id: user_id } = Object(me.user);
  expect((await act(`members/${user_id}/remove`, {})).status).toBe(200);
  expect((await inLive(merchant, developer)("keys")).status).toBe(404);
  expect((await inLive(merchant, developer)("keys/roll", { kind: "public", overlap_hours: 0 })).status).toBe(404);

  expect((await exposed()).toSorted()).toEqual([revoked.id, kept.id].toSorted());
  expect((await act(`keys/${revoked.id}/revoke`, {})).status).toBe(200);
  expect((await act(`keys/${kept.id}/keep`, { user_id })).status).toBe(200);
  expect(await exposed()).toEqual([]);
  expect((await client(stack.baseUrl, revoked.key).get("/balance")).status).toBe(401);
  expect((await client(stack.baseUrl, kept.key).get("/customer_accounts")).status).toBe(200);
});

type Operation = { operationId: string; security: Record<string, string[]>[] };

test("a restricted key opens what its scope names and nothing else, on every operation of the document", async () => {
  const merchant = await stack.createMerchant();
  const owner = await aMember(stack, merchant.id, "owner");
  const keys = new Map<string, string>();
  for (const scope of KEY_SCOPES)
    keys.set(scope, (await aKey(merchant, owner, { mode: "test", name: scope, scopes: [scope] })).key);
  const { body: document } = await client(stack.baseUrl).get("/openapi.json");
  const paths: Record<string, Record<string, Operation>> = Object(document.paths);
  const opened: string[] = [];
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { operationId, security }] of Object.entries(methods)) {
      const needed = security.flatMap(({ restricted_key = [] }) => restricted_key);
      const isPublic = security.some((scheme) => "public_key" in scheme);
      for (const [scope, key] of keys) {
        const url = path.replaceAll(/\{\w+\}/g, "cust_1");
        const json = method === "post" ? { json: {} } : {};
        const { status, body } = await client(stack.baseUrl, key).send(method.toUpperCase(), url, json);
        const refused = status === 401 || body.code === "insufficient_scope";
        // An operation without a key ignores the one that is sent.
        expect([operationId, scope, refused]).toEqual([
          operationId,
          scope,
          isPublic || (needed.length > 0 && !needed.includes(scope)),
        ]);
        if (needed.includes(scope)) opened.push(operationId);
      }
    }
  expect(opened).toContain("createTransfer");
  expect(opened).toHaveLength(new Set(opened).size);
});

test("a key with addresses works only from them, whatever the caller writes into X-Forwarded-For", async () => {
  const merchant = await stack.createMerchant();
  const owner = await aMember(stack, merchant.id, "owner");
  const { key } = await aKey(merchant, owner, {
    mode: "test",
    scopes: ["balance"],
    addresses: ["102.89.0.0/16", "2001:db8::/32", "::ffff:41.58.1.2"],
  });
  const from = async (forwarded: string, headers: Record<string, string> = {}) => {
    const answer = await client(stack.baseUrl, key).get("/balance", { "x-forwarded-for": forwarded, ...headers });
    return answer.status === 200 ? "ok" : answer.body.code;
  };
  for (const allowed of [
    "102.89.3.4",
    "::ffff:102.89.3.4",
    "::ffff:6659:304",
    "2001:DB8::7",
    "41.58.1.2",
    "::ffff:41.58.1.2",
  ])
    expect([allowed, await from(allowed)]).toEqual([allowed, "ok"]);
  for (const elsewhere of [
    "102.90.3.4",
    "::ffff:102.90.3.4",
    "2001:db9::7",
    "41.58.1.3",
    "::102.89.3.4",
    "64:ff9b::102.89.3.4",
    // The proxy appends the address that it sees: what stands before it is the caller's invention.
    "102.89.3.4, 197.210.1.1",
    "102.89.3.4,2001:db8::7,197.210.1.1",
    "nonsense",
    "102.89.3.4:80, 197.210.1.1",
  ])
    expect([elsewhere, await from(elsewhere)]).toEqual([elsewhere, "address_not_allowed"]);
  const forged = { "x-real-ip": "102.89.3.4", forwarded: "for=102.89.3.4", "x-client-ip": "102.89.3.4" };
  expect(await from("197.210.1.1", forged)).toBe("address_not_allowed");
  // Without the header the caller is the proxy's neighbor itself.
  const { body } = await client(stack.baseUrl, key).get("/balance");
  expect(body).toMatchObject({ code: "address_not_allowed", mode: "test" });
});
