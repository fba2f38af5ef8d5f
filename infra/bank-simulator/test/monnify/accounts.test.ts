import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyDirectory, HANGING_MS } from "../simulator.ts";
import { credentials, problem, simulator } from "./simulator.ts";

const identity = { bvn: "22212345678" };
const chidi = { requestId: "iss_1", accountName: "Ade Stores / Chidi Okafor", identity };

describe("an account reserved at Monnify", () => {
  test("is one account however often it is asked for, at once and again", async () => {
    const { monnify } = await simulator();
    const { issuer } = monnify();
    const accounts = await Promise.all(Array.from({ length: 20 }, () => issuer.issueAccount(chidi)));
    accounts.push(
      await monnify().issuer.issueAccount({ requestId: "iss_1", accountName: "Ade Stores / Chidi Okafor" }),
    );
    expect(new Set(accounts.map((account) => JSON.stringify(account))).size).toBe(1);
    expect(accounts[0]).toMatchObject({ bankCode: "950515", bankName: "Moniepoint Microfinance Bank" });
    const other = await issuer.issueAccount({ ...chidi, requestId: "iss_2" });
    expect(other.accountNumber).not.toBe(accounts[0]?.accountNumber);
  });

  test.each(["timeout", "nonsense"])(
    "is found again after a %s that hid what was done, without the person's number",
    async (behaviour) => {
      const { monnify, control } = await simulator();
      await control("behaviour", { operation: "reserve", behaviour, times: 1 });
      const hangs = behaviour === "timeout";
      const { issuer } = monnify(hangs ? { timeoutMs: HANGING_MS } : {});
      expect((await problem(issuer.issueAccount(chidi))).code).toBe(hangs ? "provider_timeout" : "provider_error");
      const { requestId, accountName } = chidi;
      expect(await monnify().issuer.issueAccount({ requestId, accountName })).toMatchObject({ bankCode: "950515" });
    },
  );

  test("is not reserved without a BVN or NIN, nor with a wrong one", async () => {
    const { monnify } = await simulator();
    const { requestId, accountName } = chidi;
    const { issuer } = monnify();
    expect((await problem(issuer.issueAccount({ requestId, accountName }))).code).toBe("identity_required");
    const wrong = await problem(issuer.issueAccount({ ...chidi, identity: { nin: "123" } }));
    expect(wrong).toMatchObject({ code: "provider_error", detail: "The partner bank refused the BVN or NIN." });
    expect(await issuer.issueAccount({ ...chidi, identity: { nin: "33312345678" } })).toMatchObject({
      bankCode: "950515",
    });
  });

  test("is still known after a restart, and its person's number is stored nowhere", async () => {
    const dataDirectory = emptyDirectory();
    const before = await simulator({ dataDirectory });
    const account = await before.monnify().issuer.issueAccount(chidi);
    await before.stop();
    const after = await simulator({ dataDirectory });
    expect(await after.monnify().issuer.issueAccount(chidi)).toEqual(account);
    const files = readdirSync(dataDirectory).map((file) => readFileSync(join(dataDirectory, file), "utf8"));
    expect(files.join()).toContain("iss_1");
    expect(files.join()).not.toContain(identity.bvn);
  });

  test("is not reserved under another contract", async () => {
    const { monnify } = await simulator();
    expect((await problem(monnify({ contractCode: "0987654321" }).issuer.issueAccount(chidi))).code).toBe(
      "provider_error",
    );
  });
});

describe("an access token", () => {
  const logins = async (control: Awaited<ReturnType<typeof simulator>>["control"]) =>
    (await control("tokens", {})).body.logins;

  test("is got once for many calls at once", async () => {
    const { monnify, control } = await simulator();
    const { issuer } = monnify();
    await Promise.all(Array.from({ length: 20 }, (_, at) => issuer.issueAccount({ ...chidi, requestId: `iss_${at}` })));
    expect(await logins(control)).toBe(1);
  });

  test("that ends in the middle of a call is replaced once, and the call succeeds", async () => {
    const { monnify, control } = await simulator();
    const { issuer } = monnify();
    await issuer.issueAccount(chidi);
    await control("tokens", { end_after: 0 });
    await Promise.all(Array.from({ length: 20 }, (_, at) => issuer.issueAccount({ ...chidi, requestId: `new_${at}` })));
    expect(await logins(control)).toBe(2);
    await control("tokens", { end_after: 1 });
    expect(await issuer.issueAccount({ ...chidi, requestId: "iss_9" })).toMatchObject({ bankCode: "950515" });
    expect(await logins(control)).toBe(3);
  });

  test("is replaced shortly before it ends, by the clock that is given", async () => {
    const { monnify, control } = await simulator();
    let now = new Date("2026-11-23T15:00:00Z");
    const { issuer } = monnify({ now: async () => now });
    for (const [at, expected] of [
      ["15:00:00", 1],
      ["15:58:59", 1],
      ["15:59:00", 2],
      ["16:57:59", 2],
      ["16:58:00", 3],
    ] as const) {
      now = new Date(`2026-11-23T${at}Z`);
      await issuer.issueAccount(chidi);
      expect(await logins(control)).toBe(expected);
    }
  });

  test("that cannot be got in time fails every call with provider_timeout, and the next call logs in again", async () => {
    const { monnify, control } = await simulator();
    await control("behaviour", { operation: "login", behaviour: "timeout", times: 1 });
    const { issuer } = monnify({ timeoutMs: HANGING_MS });
    const calls = Array.from({ length: 5 }, () => problem(issuer.issueAccount(chidi)));
    expect((await Promise.all(calls)).map(({ code }) => code)).toEqual(Array(5).fill("provider_timeout"));
    expect(await issuer.issueAccount(chidi)).toMatchObject({ bankCode: "950515" });
  });
});

describe("the check of Monnify's credentials", () => {
  test("reads accounts, banks and the wallet, and opens nothing", async () => {
    const { monnify } = await simulator();
    const checks = await monnify().check();
    expect(checks.map(({ name, isOk }) => [name, isOk])).toEqual([
      ["accounts", true],
      ["banks", true],
      ["wallet", true],
    ]);
    expect(checks[1]?.detail).toMatch(/^Monnify does not list (Hope|Lotus|.*, )/);
    expect(checks[2]?.detail).toBe("The wallet holds ₦50,000,000.00.");
    expect((await monnify({ payouts: undefined }).check()).map(({ name }) => name)).toEqual(["accounts", "banks"]);
  });

  test("says which credential is wrong, and shows none", async () => {
    const { monnify } = await simulator();
    const checks = [
      ...(await monnify({ secretKey: "another secret" }).check()),
      ...(await monnify({ payouts: { sourceAccountNumber: "0000000000" } }).check()),
    ];
    expect(checks.map(({ isOk }) => isOk)).toEqual([false, false, false, true, true, false]);
    const shown = checks.map(({ detail }) => detail).join();
    for (const secret of ["another secret", credentials.apiKey, "0000000000"]) expect(shown).not.toContain(secret);
  });
});
