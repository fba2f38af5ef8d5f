import { describe, expect, test, vi } from "vitest";
import { signedHeaders } from "../../src/providus/collections.ts";
import { emptyDirectory } from "../simulator.ts";
import { access, providus } from "./simulator.ts";

const WAIT = { timeout: 10_000, interval: 20 };
const rent = { account_number: "9977577067", amount: 2500.73, payer_name: "Funke Lawal", narration: "rent" };

describe("an account of the pool", () => {
  test("is opened in a provisional name, and given out by renaming it, as often as that is repeated", async () => {
    const { partner, shown } = await providus();
    const { accountNumber, ...account } = await partner.issuer.openAccount({ accountName: "Pool" });
    expect(account).toEqual({ accountName: "MERCHANT(Pool)", bankCode: "101", bankName: "Providus Bank" });
    const rename = () => partner.issuer.renameAccount({ accountNumber, accountName: "Ngozi Eze" });
    const [accountName] = [await rename(), await rename()];
    expect((await shown("/accounts")).accounts).toEqual([{ accountNumber, accountName, isBlacklisted: false }]);
    expect(accountName).toBe("MERCHANT(Ngozi Eze)");
  });

  test("of which there is none with this number is not renamed", async () => {
    const { partner } = await providus();
    const renaming = partner.issuer.renameAccount({ accountNumber: "9977577067", accountName: "Ngozi Eze" });
    await expect(renaming).rejects.toMatchObject({ code: "provider_error" });
  });

  test.each(["timeout", "cut", "nonsense", "fail_late"])(
    "whose answer is lost (%s) exists at the bank, and a repeat opens another",
    async (behaviour) => {
      const { partner, partnerFor, control, shown } = await providus();
      await control("/behaviour", { operation: "create", behaviour, times: 1 });
      const opening = partnerFor(behaviour).issuer.openAccount({ accountName: "Pool" });
      const code = behaviour === "timeout" ? "provider_timeout" : "provider_error";
      await expect(opening).rejects.toMatchObject({ code });
      await partner.issuer.openAccount({ accountName: "Pool" });
      expect((await shown("/accounts")).accounts).toHaveLength(2);
    },
  );

  test("is not opened when the bank's program fails, or refuses the credentials", async () => {
    const { partner, control, shown } = await providus();
    await control("/behaviour", { operation: "create", behaviour: "fail", times: 1 });
    await expect(partner.issuer.openAccount({ accountName: "Pool" })).rejects.toMatchObject({ code: "provider_error" });
    const stranger = await providus({ ours: { clientSecret: "another-secret" } });
    const refused = stranger.partner.issuer.openAccount({ accountName: "Pool" });
    await expect(refused).rejects.toMatchObject({ code: "provider_error" });
    expect([await shown("/accounts"), await stranger.shown("/accounts")]).toEqual([{ accounts: [] }, { accounts: [] }]);
  });
});

describe("a transfer", () => {
  test("is notified, confirmed and settled without the bank's charges, to the kobo", async () => {
    const { control, taken, claims, shown } = await providus();
    const { body } = await control("/transfers", rent);
    expect(claims).toEqual(taken);
    // Half a percent of ₦2,500.73, and 7.5 % VAT on that.
    expect(taken).toMatchObject([
      {
        type: "credit",
        accountNumber: rent.account_number,
        amount: 250_073n,
        bankFee: 1_250n,
        bankVat: 94n,
        currency: "NGN",
        payer: { name: "Funke Lawal", bankName: "FIRST BANK OF NIGERIA" },
        narration: "rent",
        sessionId: expect.stringMatching(/^000016\d{24}$/),
      },
    ]);
    expect(body.transfers).toMatchObject([
      { transfer: { state: "settled" }, answers: [{ body: { responseCode: "00" } }] },
    ]);
    expect(await shown("/books")).toMatchObject({ settled: 248_729, fees: 1_250, vat: 94, balance: 10_000_248_729 });
  });

  test("that is not settled when it is confirmed has no charges yet, and the bank names them later", async () => {
    const { control, partner, taken, shown } = await providus();
    await control("/transfers", { ...rent, settles_late: true });
    expect(taken).toMatchObject([{ amount: 250_073n, bankFee: 0n, bankVat: 0n }]);
    expect(await shown("/books")).toMatchObject({ settled: 248_729, fees: 1_250, vat: 94 });
    const again = taken[0] && (await partner.notifications.confirm?.(taken[0]));
    expect(again).toEqual({ ...taken[0], bankFee: 1_250n, bankVat: 94n });
  });

  test.each(["plain", "milliseconds", "american", "offset"])(
    "with its time in the form %s is the same",
    async (time_form) => {
      const { control, taken, bodies } = await providus();
      await control("/transfers", { ...rent, time_form, paid_at: "2026-11-23T23:30:00.000+00:00" });
      expect(taken).toMatchObject([{ paidAt: "2026-11-23T23:30:00.000+00:00" }]);
      const written = { plain: "2026-11-24 00:30:00", american: "11/24/2026 12:30:00 AM" }[time_form];
      if (written) expect(JSON.parse(bodies[0] ?? "").tranDateTime).toBe(written);
    },
  );

  test("is found by either of its ids when the bank is asked for it, though it was never notified", async () => {
    const { control, partner } = await providus();
    const { body } = await control("/transfers", { ...rent, times: 0 });
    const [{ transfer }] = body.transfers as [{ transfer: { settlementId: string; sessionId: string } }];
    const found = await partner.lookup.byId(transfer.settlementId);
    expect(found).toMatchObject({ id: transfer.settlementId, amount: 250_073n, bankFee: 1_250n, bankVat: 94n });
    expect(await partner.lookup.bySession?.(transfer.sessionId)).toEqual(found);
    for (const unknown of ["20261123", "0".repeat(30)]) {
      expect(await partner.lookup.byId(unknown)).toBeUndefined();
      expect(await partner.lookup.bySession?.(unknown)).toBeUndefined();
    }
  });

  test("that is notified twice at once, and later again, is taken once", async () => {
    const { control, taken } = await providus();
    const { body } = await control("/transfers", { ...rent, times: 5 });
    const [{ transfer }] = body.transfers as [{ transfer: { settlementId: string } }];
    await control("/transfers", { ...rent, settlement_id: transfer.settlementId });
    expect(taken).toHaveLength(1);
  });

  test("that is never notified stays out of the settlement account, until the bank is asked to notify it again", async () => {
    const { control, taken, shown, url } = await providus();
    const { body } = await control("/transfers", { ...rent, times: 0 });
    const [{ transfer }] = body.transfers as [{ transfer: { settlementId: string; sessionId: string } }];
    expect([taken, await shown("/books")]).toMatchObject([[], { settled: 0 }]);
    const asked = await signedPost(`${url}/api/PiP_RepushTransaction_SettlementId`, {
      session_id: transfer.sessionId,
      settlement_id: transfer.settlementId,
    });
    expect(asked).toMatchObject({ responseCode: "00" });
    await vi.waitFor(() => expect(taken).toHaveLength(1), WAIT);
  });

  test("is reported out of order, each once", async () => {
    const { control, taken } = await providus();
    const transfers = [1, 2, 3].map((amount) => ({ ...rent, amount }));
    await control("/transfers", { transfers, order: "late" });
    expect(taken.map(({ amount }) => amount)).toEqual([200n, 300n, 100n]);
  });

  test("counts with what the bank confirms, whatever its notification claims", async () => {
    const { control, taken } = await providus();
    const claims = { transactionAmount: "9999999", accountNumber: "9977704966", tranDateTime: "never" };
    await control("/transfers", { ...rent, claims });
    expect(taken).toMatchObject([{ amount: 250_073n, accountNumber: rent.account_number }]);
  });

  test("that only a forger reports, with the right signature, is never taken", async () => {
    const { control, taken, bodies, shown } = await providus();
    const forged = {
      settlementId: "202611230000001",
      transactionAmount: "1000000",
      accountNumber: rent.account_number,
    };
    expect((await control("/notifications", forged)).body).toMatchObject({
      ...{ state: "pending", answers: [{ body: { responseCode: "03" } }] },
    });
    await vi.waitFor(() => expect(bodies).toHaveLength(4), WAIT);
    expect([taken, await shown("/books")]).toMatchObject([[], { settled: 0 }]);
  });

  test.each(["fail", "nonsense", "timeout"])(
    "is not taken while the bank does not confirm it (%s)",
    async (behaviour) => {
      const { control, partner, partnerFor } = await providus();
      const { body } = await control("/transfers", { ...rent, times: 0 });
      const [{ transfer }] = body.transfers as [{ transfer: { settlementId: string } }];
      const hint = partner.notifications.parse(Buffer.from(JSON.stringify(transfer)));
      await control("/behaviour", { operation: "verify", behaviour, times: 1 });
      const code = behaviour === "timeout" ? "provider_timeout" : "provider_error";
      const { confirm } = partnerFor(behaviour).notifications;
      await expect((async () => hint && confirm?.(hint))()).rejects.toMatchObject({ code });
      expect(hint && (await partner.notifications.confirm?.(hint))).toMatchObject({ amount: 250_073n });
    },
  );

  test("is repeated while the door answers that it failed or is not authentic, and settled once it is taken", async () => {
    const { control, taken, bodies, shown } = await providus({ answers: ["failed", "rejected"] });
    await control("/transfers", rent);
    await vi.waitFor(async () => expect(await shown("/books")).toMatchObject({ settled: 248_729 }), WAIT);
    expect([taken.length, bodies.length, new Set(bodies).size]).toEqual([1, 3, 1]);
  });

  test("is reported four times at most, and then stays pending", async () => {
    const answers = Array.from({ length: 10 }, () => "failed" as const);
    const { control, bodies, shown } = await providus({ answers });
    await control("/transfers", rent);
    await vi.waitFor(async () => {
      const { transfers } = (await shown("/transfers")) as { transfers: [{ answers: unknown[] }] };
      expect(transfers[0].answers).toHaveLength(4);
    }, WAIT);
    expect([bodies.length, await shown("/books")]).toMatchObject([4, { settled: 0 }]);
  });

  test("that a door rejects stays out of the settlement account, and is not reported again by itself", async () => {
    const { control, bodies, shown } = await providus({ answers: ["02"] });
    const { body } = await control("/transfers", rent);
    expect(body.transfers).toMatchObject([
      { transfer: { state: "rejected" }, answers: [{ body: { responseCode: "02" } }] },
    ]);
    const [{ transfer }] = body.transfers as [{ transfer: { settlementId: string } }];
    expect([bodies.length, await shown("/books")]).toMatchObject([1, { settled: 0 }]);
    await control("/transfers", { ...rent, settlement_id: transfer.settlementId });
    expect(await shown("/books")).toMatchObject({ settled: 248_729 });
  });

  test("of a blacklisted account arrives at the bank, and is reported only once the account is whitelisted", async () => {
    const { control, partner, shown, taken, url } = await providus();
    const { accountNumber: account_number } = await partner.issuer.openAccount({ accountName: "Pool" });
    const blacklist = (blacklist_flg: number) =>
      signedPost(`${url}/api/PiPBlacklistAccount`, { account_number, blacklist_flg });
    expect(await blacklist(1)).toMatchObject({ requestSuccessful: true, responseCode: "00" });
    expect(await blacklist(1)).toMatchObject({ requestSuccessful: false, responseCode: "02" });
    const { body } = await control("/transfers", { ...rent, account_number });
    const [{ transfer }] = body.transfers as [{ transfer: { settlementId: string } }];
    expect([taken, await shown("/books")]).toMatchObject([[], { settled: 0 }]);
    await blacklist(0);
    await control("/transfers", { ...rent, account_number, settlement_id: transfer.settlementId });
    expect(taken).toHaveLength(1);
  });
});

test("the books of the bank survive a restart", async () => {
  const dataDirectory = emptyDirectory();
  const before = await providus({ dataDirectory });
  const { accountNumber } = await before.partner.issuer.openAccount({ accountName: "Pool" });
  await before.control("/transfers", { ...rent, account_number: accountNumber });
  const books = await before.shown("/books");
  await before.stop();
  const after = await providus({ dataDirectory });
  expect(await after.shown("/books")).toEqual(books);
  await after.partner.issuer.renameAccount({ accountNumber, accountName: "Ngozi Eze" });
  expect((await after.shown("/accounts")).accounts).toMatchObject([{ accountName: "MERCHANT(Ngozi Eze)" }]);
});

async function signedPost(url: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json", ...signedHeaders(access) };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
}
