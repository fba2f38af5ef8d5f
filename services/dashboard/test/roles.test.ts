import {
  createRestrictedKey,
  createTransfer,
  MEMBER_ROLES,
  MODES,
  type Mode,
  makeKeys,
  rollKey,
} from "@collect/contracts";
import { expect, test } from "vitest";
import { ACCOUNTING_READS } from "../src/calls/accounting.ts";
import { isAllowed } from "../src/domain/role.ts";
import { ENDPOINTS, type Endpoint } from "../src/endpoints.ts";
import { bodyOf } from "./endpoints.ts";
import { MERCHANT, usePeople } from "./world.ts";

const { others, people } = await usePeople();

/** Who may act, by the first letters of the roles (owner, finance, developer, support, viewer), and in live mode if it differs. */
const ACTS: Record<string, string | { test: string; live: string }> = {
  "/collections/:reference/attach": "of",
  "/collections/resend": "ods",
  "/customers": "ofd",
  "/customers/:customer_reference/retire": "ofd",
  "/customers/:customer_reference/simulate": "ofd",
  "/simulate": "ofd",
  "/sessions": "ofd",
  "/links": "ofd",
  "/links/:slug/disabled": "ofd",
  "/transfers/resolve": "of",
  "/transfers": "of",
  "/transfers/:reference/approve": "of",
  "/transfers/:reference/decline": "of",
  "/transfers/:reference/again": "of",
  "/inbox/:kind/:reference/owner": "ofds",
  "/inbox/:kind/:reference/done": "ofds",
  "/inbox/:kind/:reference/reopen": "ofds",
  "/beneficiaries": "of",
  "/beneficiaries/remove": "of",
  "/transfer-batches": "of",
  "/transfer-batches/:reference/confirm": "of",
  "/transfer-batches/:reference/approve": "of",
  "/transfer-batches/:reference/reopen": "of",
  "/transfer-batches/:reference/discard": "of",
  "/payout-limits": "o",
  "/keys/make": { test: "od", live: "o" },
  "/keys/roll": { test: "od", live: "o" },
  "/keys/reveal": "od",
  "/keys/restricted": { test: "od", live: "o" },
  "/keys/:key_id/revoke": "od",
  "/keys/:key_id/keep": "o",
  "/checkout-settings": "od",
  "/business-profile": "od",
  "/webhook": "od",
  "/webhook/challenge": "od",
  "/webhook/pause": "od",
  "/webhook/resume": "od",
  "/webhook/reveal": "od",
  "/webhook/rotation/stage": "od",
  "/webhook/rotation/activate": "od",
  "/webhook/rotation/cancel": "od",
  "/webhook/test": "od",
  "/verify-signature": "od",
  "/test-clock": "ofd",
  "/scenarios": "ofd",
  "/events/:sequence/replay": "ods",
  "/replay": "ods",
  "/replay/cancel": "ods",
  "/receiver/behavior": "od",
  "/receiver/use": "od",
  "/verification": "o",
  "/verification/submit": "o",
  "/mails": "ofdsv",
  "/members/invite": "o",
  "/members/:user_id/role": "o",
  "/members/:user_id/remove": "o",
  "/invitations/:id/revoke": "o",
};
/** Lists that hold no personal data and no money; all others can be taken away by owners and finance only. */
const LOGS = ["/deliveries", "/requests"];
/** The ledger as a whole, which is looked at by those who may take it with them. */
const BOOKS = ["/journal", "/statement", ...Object.keys(ACCOUNTING_READS).map((path) => `/${path}`)];

const rolesFor = (endpoint: Endpoint, mode: Mode) =>
  MEMBER_ROLES.filter((role) => {
    const also = endpoint.alsoNeeds?.({ ...bodyOf(endpoint) }, mode) ?? "read";
    return isAllowed(role, endpoint.permission) && isAllowed(role, also);
  })
    .map(([letter]) => letter)
    .join("");

test("every act is for the roles written here, and a new one has to be written here", () => {
  const acts = ENDPOINTS.filter(({ method }) => method === "POST");
  const declared = acts.map((endpoint) => {
    const [inTest = "", inLive = ""] = MODES.map((mode) => rolesFor(endpoint, mode));
    return [endpoint.path, inTest === inLive ? inTest : { test: inTest, live: inLive }];
  });
  expect(Object.fromEntries(declared)).toEqual(ACTS);
});

test("every role may look at everything but the books; only owners and finance take lists with them, and developers the logs", () => {
  for (const { method, permission, rows, path, exportedWith } of ENDPOINTS) {
    if (method === "GET") expect([path, permission]).toEqual([path, BOOKS.includes(path) ? "exports" : "read"]);
    if (rows) expect([path, exportedWith]).toEqual([path, LOGS.includes(path) ? "logs" : "exports"]);
  }
});

const act = (who: keyof typeof people, mode: Mode, path: string, body: object) =>
  people[who].post(`/api/m/${MERCHANT}/${mode}/${path}`, body);

test.each([
  ["rolls the live secret key", "keys/roll", { kind: "secret", overlap_hours: 0 }],
  ["creates the first live keys", "keys/make", {}],
  ["makes a live key that can send money", "keys/restricted", { name: "a", scopes: ["transfers:write"] }],
  [
    "hides the scope among others",
    "keys/restricted",
    { name: "a", scopes: ["balance", "transfers:write", "accounts"] },
  ],
])("a developer who %s is refused with a sentence, and the attempt is in the log", async (_what, path, body) => {
  const refused = await act("developer", "live", path, body);
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    403,
    "role_required",
    "Only an owner can do that.",
  ]);
  expect(others.asked).toEqual([]);
  const ofDeveloper = others.audited.filter(({ actor }) => Object(actor).user_id === people.developer.id);
  expect(ofDeveloper.at(-1)).toMatchObject({ mode: "live", outcome: "refused" });
});

test.each([
  ["keys/roll", { kind: ["public"], overlap_hours: 0 }],
  ["keys/roll", { kind: "secret ", overlap_hours: 0 }],
  ["keys/restricted", { name: "a", scopes: { 0: "transfers:write" } }],
  ["keys/restricted", { name: "a", scopes: ["transfers:write "] }],
])("%s with fields that could be read in two ways is refused to everybody: %j", async (path, body) => {
  for (const who of ["owner", "developer"] as const)
    expect((await act(who, "live", path, body)).body.code).toBe("validation_failed");
  expect(others.asked).toEqual([]);
});

test("an owner does the same, and a developer does it in test mode and for keys that send no money", async () => {
  const write = { name: "a", scopes: ["transfers:write"] };
  expect((await act("owner", "live", "keys/roll", { kind: "secret", overlap_hours: 0 })).status).toBe(200);
  expect((await act("owner", "live", "keys/make", {})).status).toBe(200);
  expect((await act("owner", "live", "keys/restricted", write)).status).toBe(200);
  expect((await act("developer", "test", "keys/roll", { kind: "secret", overlap_hours: 0 })).status).toBe(200);
  expect((await act("developer", "test", "keys/restricted", write)).status).toBe(200);
  expect((await act("developer", "live", "keys/roll", { kind: "public", overlap_hours: 0 })).status).toBe(200);
  expect((await act("developer", "live", "keys/restricted", { ...write, scopes: ["accounts"] })).status).toBe(200);
  expect([rollKey, makeKeys, createRestrictedKey].map((request) => others.askedOf(request).length)).toEqual([3, 1, 3]);
});

test("finance orders payouts and cannot make a key, in either mode", async () => {
  const payout = { reference: "trf-1", amount: 100, bank_code: "058", account_number: "0123456789" };
  for (const mode of MODES) {
    expect((await act("finance", mode, "transfers", payout)).status).toBe(200);
    for (const [path, body] of [
      ["keys/roll", { kind: "public", overlap_hours: 0 }],
      ["keys/restricted", { name: "a", scopes: ["balance"] }],
      ["webhook/reveal", {}],
    ] as const)
      expect((await act("finance", mode, path, body)).body.code).toBe("role_required");
  }
  expect(others.askedOf(createTransfer)).toHaveLength(2);
});

test("the pages are told what the role may do", async () => {
  others.knowMerchants();
  const { body } = await people.support.get("/api/me");
  expect(body.merchants).toMatchObject([{ role: "support", permissions: ["read", "inbox", "resend"] }]);
});
