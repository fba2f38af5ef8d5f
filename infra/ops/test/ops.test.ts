import { collectionRecorded, createRestrictedKey } from "@collect/contracts";
import { createLogger } from "@collect/runtime";
import { freePort } from "@collect/servers";
import { connectAs, until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsOf, ops, refusalOf, type System, startSystem } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem(["gateway", "accounts", "webhooks"]);
});
afterAll(() => system.stop());

const { run, json } = commandsOf(() => system);
/** There is one signing secret and no staged one. */
const NO_ROTATION = { staged_secret: null, activates_at: null, unconfirmed: null };
const statusWith = async (key: string, path = "/customer_accounts/unknown") =>
  (await fetch(`${system.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;

test("merchant create prints only the merchant, its test keys and its test webhook", async () => {
  const url = "http://127.0.0.1:4500/test";
  const printed = await json("merchant", "create", "--name", "Ada Stores", "--webhook-url", url);
  expect(printed).toEqual({
    merchant_id: expect.stringMatching(/^mer_/),
    keys: { sk_test: expect.stringMatching(/^sk_test_/), pk_test: expect.stringMatching(/^pk_test_/) },
    webhook: { url, secret: expect.any(String), ...NO_ROTATION },
  });
  expect([await statusWith(printed.keys.sk_test), await statusWith(printed.keys.pk_test)]).toEqual([404, 401]);
  const withoutUrl = await json("merchant", "create", "--name", "Ada Stores");
  expect(withoutUrl.webhook).toEqual({ url: null, secret: expect.any(String), ...NO_ROTATION });
});

test("merchant verify prints the live keys and the live webhook, once", async () => {
  const { merchant_id } = await json("merchant", "create", "--name", "Ada Stores");
  const url = "http://127.0.0.1:4500/live";
  const { webhook } = await json("webhook", "set", merchant_id, "--mode", "live", "--url", url);
  const printed = await json("merchant", "verify", merchant_id);
  expect(printed).toEqual({
    merchant_id,
    keys: { sk_live: expect.stringMatching(/^sk_live_/), pk_live: expect.stringMatching(/^pk_live_/) },
    webhook: { url, secret: webhook.secret, ...NO_ROTATION },
  });
  expect(await statusWith(printed.keys.sk_live)).toBe(404);
  const again = await run("merchant", "verify", merchant_id, "--json");
  expect(refusalOf(again)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^conflict: /) });
});

test("a merchant's rate limits can be set, and merchant show prints them", async () => {
  const { merchant_id } = await json("merchant", "create", "--name", "Busy", "--rate-limits", "accounts=7,reads=8");
  expect(await json("merchant", "show", merchant_id)).toMatchObject({ rate_limits: { accounts: 7, reads: 8 } });
  const output = await run("merchant", "show", merchant_id);
  expect(output.stdout).toContain("7 new accounts and 8 reads per hour");
  const wrong = await run("merchant", "create", "--name", "Busy", "--rate-limits", "writes=7", "--json");
  expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
  expect(wrong.stderr).toContain("accounts=N, reads=N");
});

test("webhook set changes the URL and keeps the secret", async () => {
  const { merchant_id, webhook } = await json("merchant", "create", "--name", "Ada Stores");
  const url = "http://127.0.0.1:4500/moved";
  const set = await json("webhook", "set", merchant_id, "--mode", "test", "--url", url);
  expect(set).toEqual({ merchant_id, webhook: { url, secret: webhook.secret, ...NO_ROTATION } });
  const unknown = await run("webhook", "set", "mer_unknown", "--mode", "test", "--url", url);
  expect(refusalOf(unknown)).toEqual({ code: 1, stdout: "", stderr: "not_found: There is no such merchant." });
});

test("webhook secret creates a mode's secret before its URL, and shows the same one afterwards, with the URL", async () => {
  const { merchant_id } = await json("merchant", "create", "--name", "Ada Stores");
  const live = (command: string, ...more: string[]) => json("webhook", command, merchant_id, "--mode", "live", ...more);
  const created = await live("secret");
  expect(created.webhook).toEqual({ url: null, secret: expect.stringMatching(/^whsec_/), ...NO_ROTATION });
  const set = await live("set", "--url", "http://127.0.0.1:4500/live");
  expect(set.webhook.secret).toBe(created.webhook.secret);
  expect(await live("secret")).toEqual(set);
  const unknown = await run("webhook", "secret", "mer_unknown", "--mode", "live");
  expect(refusalOf(unknown)).toEqual({ code: 1, stdout: "", stderr: "not_found: There is no such merchant." });
});

test("secrets reencrypt counts what it checked, and exits with 1 if a service does not answer", async () => {
  await json("merchant", "create", "--name", "Ada Stores");
  const { services } = await json("secrets", "reencrypt", "--service", "webhooks");
  expect(services).toEqual([{ service: "webhooks", checked: expect.any(Number), reencrypted: 0, unreadable: [] }]);
  expect(services[0].checked).toBeGreaterThan(0);
  const all = await run("secrets", "reencrypt");
  expect([all.code, all.stderr]).toEqual([1, expect.stringContaining("dashboard")]);
});

test("keys roll replaces a key immediately, or after the overlap", async () => {
  const { merchant_id, keys } = await json("merchant", "create", "--name", "Ada Stores");
  const roll = ["keys", "roll", merchant_id, "--mode", "test", "--kind", "secret"];
  const overlapping = await json(...roll, "--overlap-hours", "1");
  expect([await statusWith(keys.sk_test), await statusWith(overlapping.key)]).toEqual([404, 404]);
  const immediate = await json(...roll);
  expect([await statusWith(overlapping.key), await statusWith(immediate.key)]).toEqual([401, 404]);
  const tooLong = await run(...roll, "--overlap-hours", "73");
  expect(refusalOf(tooLong)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^validation_failed: /) });
  expect(tooLong.stderr).toContain("overlap_hours");
});

test("keys revoke ends a restricted key at once, in the operator's name and with the reason, and no other kind of key", async () => {
  const { merchant_id, keys } = await json("merchant", "create", "--name", "Ada Stores");
  const dashboard = await connectAs("dashboard", { url: system.natsUrl, log: createLogger("ops", "silent") });
  const named = { merchant_id, mode: "test" as const, name: "Leaked", scopes: ["accounts" as const] };
  const { key, key_id } = await dashboard.request(createRestrictedKey, named);
  await dashboard.close();
  expect((await run("merchant", "show", merchant_id)).stdout).toContain(`${key_id} “Leaked”`);
  expect(await statusWith(key)).toBe(404);

  const withoutReason = await run("keys", "revoke", merchant_id, key_id);
  expect([withoutReason.code, withoutReason.stderr]).toEqual([1, expect.stringContaining("--reason")]);
  const reason = ["--reason", "in a public repository"];
  const revoked = await json("keys", "revoke", merchant_id, key_id, ...reason);
  expect(revoked).toEqual({ key_id, expires_at: expect.any(String) });
  expect([await statusWith(key), await statusWith(keys.sk_test)]).toEqual([401, 404]);
  expect(await json("keys", "revoke", merchant_id, key_id, ...reason)).toEqual(revoked);

  const shown: { keys: { id: string; kind: string }[] } = await json("merchant", "show", merchant_id);
  const secret = shown.keys.find(({ kind }) => kind === "secret")?.id ?? "";
  const other = await run("keys", "revoke", merchant_id, secret, ...reason);
  expect(refusalOf(other)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^not_found: /) });
  expect(await statusWith(keys.sk_test)).toBe(404);
  const span = ["--from", "2020-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z"];
  const { stdout } = await run("audit-log", "export", "--merchant", merchant_id, ...span);
  expect(stdout).toContain("restricted_key.revoked");
  expect(stdout).toContain("in a public repository");
});

test("dead letters that cannot be read are counted first, and then discarded by the beginning of their keys", async () => {
  const administrator = await connectAs("administrator", { url: system.natsUrl, log: createLogger("ops", "silent") });
  for (const unreadable of ["{]", "[}"])
    await administrator.jetstream.publish(`${collectionRecorded.subject}.test.0`, unreadable);
  await administrator.close();
  const listed = () => json("dead-letters", "list", "--service", "accounts");
  await until("both are dead letters", async () => (await listed()).length === 2);
  const discard = ["dead-letters", "discard", "--service", "accounts", "--prefix", "unreadable:"];
  for (const count of [[], ["--count", "1"]]) {
    const counted = await run(...discard, ...count);
    expect([counted.code, counted.stderr]).toEqual([1, expect.stringContaining("repeat it with --count 2")]);
  }
  expect(await listed()).toHaveLength(2);
  expect(await json(...discard, "--count", "2")).toEqual([{ service: "accounts", discarded: 2 }]);
  expect(await listed()).toEqual([]);
});

test("account retire retires the account that the merchant reads", async () => {
  const { merchant_id, keys } = await json("merchant", "create", "--name", "Ada Stores");
  const authorization = `Bearer ${keys.sk_test}`;
  await fetch(`${system.baseUrl}/customer_accounts`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ customer_reference: "cust_1", customer_name: "Ada" }),
  });
  const retired = await json("account", "retire", merchant_id, "cust_1", "--mode", "test");
  expect(retired).toMatchObject({ customer_reference: "cust_1", status: "retired" });
  const read = await fetch(`${system.baseUrl}/customer_accounts/cust_1`, { headers: { authorization } });
  expect(await read.json()).toEqual(retired);
  const unknown = await run("account", "retire", merchant_id, "cust_2", "--mode", "test");
  expect(refusalOf(unknown)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^not_found: /) });
});

test("redrive and exceptions are served by the accounts service; without the ledger nothing is allocated, as it may have been taken back", async () => {
  const range = ["--from", "2026-11-21T00:00:00+00:00", "--to", "2026-11-22T00:00:00+00:00"];
  expect(await json("redrive", ...range)).toMatchObject({
    redriven: 0,
    redrives: [
      { mode: "test", finished_at: expect.any(String) },
      { mode: "live", finished_at: expect.any(String) },
    ],
  });
  const wrong = await run("redrive", "--from", "yesterday", "--to", "today");
  expect(refusalOf(wrong)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^validation_failed: /) });
  expect(await json("exceptions")).toEqual({ quarantined: [], unallocated: [], unfinished: [], reversals: [] });
  for (const customer of [[], ["--customer", "c1"]]) {
    const options = ["--merchant", "mer_x", "--mode", "live", ...customer];
    const unknown = await run("transfer", "allocate", "int_nothing", ...options);
    expect(refusalOf(unknown)).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^service_unavailable: /),
    });
  }
});

test("partner list without payments prints what accounts knows, and that payments does not answer", async () => {
  expect((await json("partner", "list")).payouts).toBeNull();
  expect((await run("partner", "list")).stdout).toMatch(
    /^058 {2}Partner Bank .*\n {2}accounts .*\n.*\n.*\n.*\n {2}payouts {5}not known: payments does not answer\n$/,
  );
});

test("dead letters are listed and retried per service, and a service that is not running is named", async () => {
  expect(await json("dead-letters", "list", "--service", "accounts")).toEqual([]);
  expect(await json("dead-letters", "retry", "--service", "webhooks")).toEqual([{ service: "webhooks", retried: 0 }]);
  const all = await run("dead-letters", "list");
  expect(all.code).toBe(1);
  expect(all.stdout).toBe("accounts: 0\nwebhooks: 0\n");
  expect(all.stderr).toMatch(/^service_unavailable: ledger: /);
});

test("an audit with unavailable services prints the parts it has, names the missing services, and fails", async () => {
  const { code, stdout, stderr } = await run("audit", "--json");
  const { holds, parts } = JSON.parse(stdout) as { holds: boolean; parts: { service: string; age_s: number | null }[] };
  expect([code, holds]).toEqual([1, false]);
  const answered = new Set(parts.filter(({ age_s }) => age_s !== null).map(({ service }) => service));
  expect([...answered].toSorted()).toEqual(["accounts", "webhooks"]);
  // Without the ledger nothing can be compared, and a part that was never proven does not hold.
  expect((await run("audit")).stdout).toMatch(/accounts: recent money in has not been proven/);
  expect(stderr).toMatch(/^service_unavailable: ledger: /);
});

test("an unreachable broker is named without its password", async () => {
  const port = await freePort();
  const { code, stdout, stderr } = await ops(`nats://user:pass@127.0.0.1:${port}`, "merchant", "show", "mer_x");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`no message broker answers at 127.0.0.1:${port}`);
  expect(stderr).not.toContain("pass@");
});

test("keys are not lost when the webhooks service refuses", async () => {
  const printed = await run("merchant", "create", "--name", "Ada", "--webhook-url", "ftp://127.0.0.1/hook", "--json");
  expect(printed.code).toBe(1);
  expect(printed.stderr).toMatch(/^validation_failed: /);
  const { keys, webhook } = JSON.parse(printed.stdout);
  expect([webhook, await statusWith(keys.sk_test)]).toEqual([null, 404]);
});

test("transfer close-reversal names the reversal and a reason", async () => {
  const close = (...given: string[]) => run("transfer", "close-reversal", "int_unknown", ...given);
  expect((await close()).stderr).toContain("--reason");
  expect((await close("--reason", "The bank's letter")).stderr).toBe("not_found: There is no such reversal.\n");
});
