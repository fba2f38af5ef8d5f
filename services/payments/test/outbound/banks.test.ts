import { BANKS, nuban, type PayoutPartner, TEST_BANK } from "@collect/bank";
import { listBanks, type MerchantScope, resolveAccount } from "@collect/contracts";
import { aMerchant } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { startBank } from "./http-bank.ts";
import { LIVE_ACCOUNT, partnerAt, refusalOf, startPayments, testAccount } from "./transfers-world.ts";
import { usePaymentsWorld } from "./use-transfers.ts";

const world = await usePaymentsWorld();

async function start(partner?: PayoutPartner) {
  const { stop } = await startPayments(world, partner && { partner });
  onTestFinished(stop);
}
const named = (merchant: MerchantScope) => ({ ...merchant, name: "Ada Stores" });
const resolve = (mode: MerchantScope["mode"], account: { bank_code: string; account_number: string }) =>
  world.others.request(resolveAccount, { merchant: named(aMerchant(mode)), ...account });

test("the banks are listed, in test mode the test bank first", async () => {
  await start();
  const list = (mode: MerchantScope["mode"]) => world.others.request(listBanks, { merchant: named(aMerchant(mode)) });
  expect(await list("live")).toEqual({ data: BANKS, mode: "live" });
  expect(await list("test")).toEqual({ data: [TEST_BANK, ...BANKS], mode: "test" });
});

test("an account of the test bank has a holder; an account that cannot exist, or is scripted as unknown, has none", async () => {
  await start();
  const account = { bank_code: TEST_BANK.code, account_number: testAccount(1) };
  expect(await resolve("test", account)).toEqual({
    ...account,
    bank_name: TEST_BANK.name,
    account_name: expect.stringMatching(/^\S+ \S+$/),
    mode: "test",
  });
  for (const change of [{ account_number: testAccount(6) }, { account_number: "0000000001" }, { bank_code: "999" }])
    expect(await refusalOf(resolve("test", { ...account, ...change }))).toBe("account_unresolved");
});

test("in test mode every bank in the list has accounts, by the script of the test bank, and no real one is asked", async () => {
  const bank = await startBank();
  await start(partnerAt(bank.url));
  for (const { code: bank_code, name: bank_name } of BANKS) {
    const numbered = (serial: string) => ({ bank_code, account_number: nuban({ bankCode: bank_code, serial }) });
    expect(await resolve("test", numbered("000000701"))).toMatchObject({ bank_name, account_name: "Ibrahim Adebayo" });
    expect(await refusalOf(resolve("test", numbered("000000706")))).toBe("account_unresolved");
  }
  const wrong = { ...LIVE_ACCOUNT, account_number: "0000014578" };
  expect(await refusalOf(resolve("test", wrong))).toBe("account_unresolved");
  expect(bank.nameEnquiries).toEqual([]);
});

test("the bank is asked for the holder of a live account, but not for a number with a wrong check digit", async () => {
  const bank = await startBank();
  await start(partnerAt(bank.url));
  expect(await resolve("live", LIVE_ACCOUNT)).toMatchObject({
    bank_name: "First Bank of Nigeria",
    account_name: "NGOZI EZE",
    mode: "live",
  });
  expect(await refusalOf(resolve("live", { ...LIVE_ACCOUNT, account_number: "0000014578" }))).toBe(
    "account_unresolved",
  );
  expect(bank.nameEnquiries).toEqual([LIVE_ACCOUNT.account_number]);
  expect(await refusalOf(resolve("live", { bank_code: TEST_BANK.code, account_number: testAccount(1) }))).toBe(
    "account_unresolved",
  );
});

test("an unknown account, an error of the bank and a time-out are different errors", async () => {
  const bank = await startBank();
  await start(partnerAt(bank.url));
  bank.onNameEnquiry((response) => void response.writeHead(404).end(JSON.stringify({ code: "not_found" })));
  expect(await refusalOf(resolve("live", LIVE_ACCOUNT))).toBe("account_unresolved");
  bank.onNameEnquiry((response) => void response.writeHead(500).end());
  expect(await refusalOf(resolve("live", LIVE_ACCOUNT))).toBe("provider_error");
  bank.onNameEnquiry(() => {});
  expect(await refusalOf(resolve("live", LIVE_ACCOUNT))).toBe("provider_timeout");
});
