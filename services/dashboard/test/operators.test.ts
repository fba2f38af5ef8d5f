import {
  browseMerchants,
  deadLetterRequests,
  findImitations,
  findReceivedTransfers,
  getAccountOwner,
  getCompletenessProof,
  getLedgerProof,
  getOperatorKey,
  getVerification,
  listUnfinished,
  Problem,
  REQUESTS,
  signInOperator,
  suspendMerchant,
} from "@collect/contracts";
import type { Request } from "express";
import { expect, test } from "vitest";
import {
  DEAD_LETTER_ACTS,
  OPERATOR_ACTS,
  OPERATOR_FINDS,
  OPERATOR_KEY,
  OPERATOR_PARTS,
  OPERATOR_READS,
  OPERATOR_SIGN_INS,
} from "../src/calls/operators.ts";
import { limitStrangers } from "../src/http/operators/strangers.ts";
import { useOperatorPages } from "./operator-pages.ts";

let now = Date.now();
const { dashboard, others, call, signIn, signedBy, chosen, port, ADA, OTHER } = await useOperatorPages(() => now);

test("the table has only what operators may send, each act under its own subject, and signed acts only as acts", () => {
  const acts = { ...OPERATOR_ACTS, ...DEAD_LETTER_ACTS, ...OPERATOR_SIGN_INS };
  for (const [subject, contract] of Object.entries(acts)) {
    expect(contract.subject).toBe(subject);
    expect(typeof contract.operator, subject).toBe("object");
  }
  for (const contract of [...Object.values({ ...OPERATOR_READS, ...OPERATOR_FINDS }), OPERATOR_KEY])
    expect([contract.subject, contract.operator]).toEqual([contract.subject, "read"]);
});

test("the broker lets the pages' process send what its table has and its pages are composed of, and nothing else", () => {
  const composed = [getCompletenessProof, getLedgerProof, listUnfinished];
  const lists = Object.values(deadLetterRequests).map(({ list }) => list);
  const acts = [OPERATOR_ACTS, DEAD_LETTER_ACTS, OPERATOR_SIGN_INS].flatMap((table) => Object.values(table));
  const read = [
    OPERATOR_KEY,
    ...[OPERATOR_READS, OPERATOR_FINDS, OPERATOR_PARTS].flatMap((table) => Object.values(table)),
  ];
  const sent = [...read, ...acts, ...composed, ...lists];
  const allowed = REQUESTS.filter(({ operatorPages }) => operatorPages);
  expect(allowed.map(({ subject }) => subject).toSorted()).toEqual(
    [...new Set(sent.map(({ subject }) => subject))].toSorted(),
  );
});

test("without a session every read and every act is 401, and nothing is asked for", async () => {
  const before = others.asked.length;
  for (const path of [
    ...Object.keys({ ...OPERATOR_READS, ...OPERATOR_FINDS }),
    ...["dead-letters", "self-audit", "me", "days/x/report.csv"],
  ])
    expect([path, (await call(path.replace(/:\w+/, "x"))).status]).toEqual([path, 401]);
  for (const subject of Object.keys({ ...OPERATOR_ACTS, ...DEAD_LETTER_ACTS }))
    expect([subject, (await call(`acts/${subject}`, { body: signedBy(ADA) })).status]).toEqual([subject, 401]);
  expect(others.asked.length).toBe(before);
});

test("a session begins only once the gateway has accepted the sign-in, and acts only with its own key", async () => {
  others.refuse(signInOperator, "invalid_operator");
  const refused = await call(`sign-in/${signInOperator.subject}`, {
    body: signedBy(ADA, { password: "x", code: "000000" }),
  });
  expect(refused).toEqual({ status: 401, code: "invalid_operator", cookie: [] });
  others.refuse(signInOperator, undefined);
  const cookie = await signIn();
  expect((await call("me", { cookie })).status).toBe(200);
  const input = { merchant_id: "mer_1", reason: "Chargebacks" };
  const act = (public_key: string) =>
    call(`acts/${suspendMerchant.subject}`, { cookie, body: signedBy(public_key, input) });
  const before = others.asked.length;
  expect((await act(OTHER)).code).toBe("invalid_operator");
  expect(others.asked.slice(before).map(({ subject }) => subject)).toEqual([getOperatorKey.subject]);
  await act(ADA);
  expect(others.asked.at(-1)).toEqual({ subject: suspendMerchant.subject, input });
});

test("a session ends after half an hour without use, after 12 hours, on sign-out and with its key", async () => {
  const status = async (cookie: string) => (await call("merchants", { cookie })).status;
  const MINUTE = 60_000;
  const idle = await signIn();
  now += 29 * MINUTE;
  expect(await status(idle)).toBe(200);
  now += 31 * MINUTE;
  expect((await call("merchants", { cookie: idle })).code).toBe("session_ended");
  const long = await signIn();
  for (let minutes = 0; minutes < 700; minutes += 20) {
    now += 20 * MINUTE;
    expect(await status(long)).toBe(200);
  }
  now += 25 * MINUTE;
  expect(await status(long)).toBe(401);
  const left = await signIn();
  await call("sign-out", { cookie: left, body: {} });
  expect(await status(left)).toBe(401);
  const removed = await signIn();
  others.reply(getOperatorKey, () => {
    throw new Problem("not_found", "This is no operator's key.");
  });
  expect([await status(removed), (await call("me", { cookie: removed })).code]).toEqual([401, "sign_in_required"]);
  const unknown = await signIn();
  others.refuse(getOperatorKey, "service_unavailable");
  expect(await status(unknown)).toBe(503);
  others.refuse(getOperatorKey, undefined);
  expect(await status(unknown)).toBe(200);
});

test("a session ends once its password and authenticator are reset, also when new ones were chosen since", async () => {
  for (const since of [null, "2026-11-23T09:00:00.001+00:00"]) {
    const cookie = await signIn();
    expect((await call("merchants", { cookie })).status).toBe(200);
    const before = others.askedOf(browseMerchants).length;
    others.reply(getOperatorKey, () => chosen(since));
    expect((await call("merchants", { cookie })).code).toBe("session_ended");
    expect((await call("merchants", { cookie })).code).toBe("sign_in_required");
    expect(others.askedOf(browseMerchants).length).toBe(before);
  }
});

test("strangers of an address have a minute's calls forwarded, of reads and sign-ins together, and others still sign in", async () => {
  const cookie = await signIn();
  const [address, elsewhere] = ["198.51.100.7", "198.51.100.8"];
  const ask = (from: string) => call(`key?public_key=${ADA}`, { address: from });
  const before = others.asked.length;
  for (let asked = 0; asked < 30; asked++) expect((await ask(address)).status).toBe(200);
  const forwarded = others.asked.length;
  expect(forwarded - before).toBe(30);
  expect((await ask(address)).code).toBe("rate_limited");
  const attempt = signedBy(ADA, { password: "four plain words here", code: "000000" });
  for (const subject of Object.keys(OPERATOR_SIGN_INS))
    expect((await call(`sign-in/${subject}`, { address, body: attempt })).status, subject).toBe(429);
  expect(others.asked.length).toBe(forwarded);
  expect((await ask(elsewhere)).status).toBe(200);
  expect((await call(`sign-in/${signInOperator.subject}`, { address: elsewhere, body: attempt })).status).toBe(200);
  expect((await call("merchants", { cookie, address })).status).toBe(200);
});

test("two calls of strangers are forwarded at once, one of an address, until the gateway has answered", async () => {
  const { forward } = limitStrangers();
  const answers: (() => void)[] = [];
  const from = (ip: string) =>
    forward({ ip } as Request, () => new Promise<string>((resolve) => answers.push(() => resolve(ip))));
  const first = from("192.0.2.1");
  const [second, third, fourth] = [from("192.0.2.1"), from("192.0.2.2"), from("192.0.2.3")];
  await expect.poll(() => answers.length).toBe(2);
  answers[0]?.();
  expect(await first).toBe("192.0.2.1");
  await expect.poll(() => answers.length).toBe(3);
  answers[1]?.();
  await expect.poll(() => answers.length).toBe(4);
  for (const answer of answers) answer();
  expect(await Promise.all([second, third, fourth])).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
  const flood = Array.from({ length: 10 }, () => from("192.0.2.1").catch(({ code }) => code));
  expect(await flood.at(-1)).toBe("service_unavailable");
});

test("fields of the path and the query reach the request, a list separated by commas", async () => {
  const cookie = await signIn();
  expect((await call("imitations?merchant_ids=mer_1,mer_2", { cookie })).status).toBe(200);
  expect(others.askedOf(findImitations).at(-1)).toEqual({ merchant_ids: ["mer_1", "mer_2"] });
  expect((await call("verifications/mer_1?merchant_id=mer_2", { cookie })).status).toBe(200);
  expect(others.askedOf(getVerification).at(-1)).toEqual({ merchant_id: "mer_1" });
  others.reply(getAccountOwner, () => ({ owner: null }));
  const account = { bank: "058", account_number: "0123456789" };
  expect((await call(`account-owner?${new URLSearchParams(account)}`, { cookie })).status).toBe(200);
  expect(others.askedOf(getAccountOwner)).toEqual([account]);
  for (const path of ["account-owner?bank=058&account_number=12", "account-owner?bank=058"])
    expect((await call(path, { cookie })).code, path).toBe("validation_failed");
  expect((await call("lines/x", { cookie })).code).toBe("not_found");
  expect((await call("merchants?standing=unknown", { cookie })).code).toBe("validation_failed");
});

test("a transfer is found by one id, that of a bank with the bank, and by no other field", async () => {
  const cookie = await signIn();
  others.reply(findReceivedTransfers, () => ({ transfers: [] }));
  const ids: Record<string, string>[] = [
    { intake_id: "int_1" },
    { bank: "058", bank_transfer_id: "S-1" },
    { bank: "058", session_id: "1" },
  ];
  for (const by of ids)
    expect((await call(`received-transfers?${new URLSearchParams(by)}`, { cookie })).status).toBe(200);
  expect(others.askedOf(findReceivedTransfers)).toEqual(ids.map((by) => ({ by })));
  for (const query of ["", "?bank=058", "?bank_transfer_id=S-1", "?merchant_id=mer_1", "?by=int_1"])
    expect((await call(`received-transfers${query}`, { cookie })).code, query).toBe("validation_failed");
});

test("another site's page, and an operator's session at the merchants' dashboard, get nothing", async () => {
  const cookie = await signIn();
  const response = await fetch(`http://127.0.0.1:${port}/api/acts/${suspendMerchant.subject}`, {
    method: "POST",
    headers: { cookie, origin: dashboard.config.APP_URL, "content-type": "application/json" },
    body: JSON.stringify(signedBy(ADA)),
  });
  expect([response.status, Object(await response.json()).code]).toEqual([403, "role_required"]);
  const theirs = await fetch(`${dashboard.url}/api/me`, { headers: { cookie } });
  expect(theirs.status).toBe(401);
});
