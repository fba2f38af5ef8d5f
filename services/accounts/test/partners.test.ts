import { answer, serveRequests } from "@collect/bus";
import {
  checkPartners,
  choosePartner,
  issueCollectionAccount,
  issueCustomerAccount,
  listPartners,
  type Merchant,
  Problem,
  storeAccountCopies,
} from "@collect/contracts";
import { startComponents, until } from "@collect/testing";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { aHintingPartner, aLiveMerchant, aLog, CAN, hint, issueTo, OWN, rowsReported } from "./partners-world.ts";
import { aReport, report, startAccounts, useAccountsWorld } from "./world.ts";

const partner = aHintingPartner();
const all = [OWN, partner];
const started = await useAccountsWorld();
const { log, lines } = aLog(started.log);
const alone = { ...started, log };
const copies: { account_number: string; partner?: string | null | undefined }[] = [];
afterAll(
  await startComponents([
    serveRequests(alone.others, {
      ...{ service: "payments", log: alone.log },
      requests: [
        answer(storeAccountCopies, async ({ accounts }) => {
          copies.push(...accounts);
          return {};
        }),
      ],
    }),
  ]),
);
const world = await startAccounts(alone, { partners: { all, standard: OWN, own: OWN.id } });

beforeEach(() => {
  partner.issued.length = 0;
});

/** The tables in which a text occurs, in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await world.owner.query(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const held = await world.owner.query(`select 1 from ${name} as t where t::text like $1 limit 1`, [`%${text}%`]);
    if (held.rows.length > 0) found.push(name);
  }
  return found;
}

const codeOf = (failure: unknown) => (failure instanceof Problem ? failure.code : String(failure));
const choose = (merchant: Merchant, id: string | null) =>
  world.others.request(choosePartner, { merchant_id: merchant.id, partner: id });
const accountsOf = async ({ id }: Merchant) =>
  (await world.owner.query("select * from customer_accounts where merchant_id = $1 order by created_at", [id])).rows;

describe("a merchant's partner", () => {
  test("issues its new accounts, while those of the partner before stay and both are credited", async () => {
    const merchant = aLiveMerchant();
    const { account: first } = await issueTo(world, merchant, "cust_1");
    expect(await choose(merchant, "hinting")).toEqual({ merchant_id: merchant.id, partner: "hinting" });
    const { account: second } = await issueTo(world, merchant, "cust_2");
    expect(await issueTo(world, merchant, "cust_1")).toEqual({ account: first, created: false });
    expect(second).toMatchObject({ account_name: "ACME STORES / ADA OBI", bank_name: "A bank behind it" });
    expect(await accountsOf(merchant)).toMatchObject([{ partner: "729" }, { partner: "hinting" }]);

    await report(world, aReport(first.account_number, { id: "both-1" }));
    await hint(world, { id: "both-2", account: second.account_number, kobo: 5_000 });
    expect(await rowsReported(world, "both-1")).toMatchObject([{ customer_reference: "cust_1", bank: "729" }]);
    expect(await rowsReported(world, "both-2")).toMatchObject([{ customer_reference: "cust_2", bank: "hinting" }]);

    expect((await choose(merchant, null)).partner).toBe("729");
    await issueTo(world, merchant, "cust_3");
    expect((await accountsOf(merchant)).at(-1)).toMatchObject({ partner: "729" });
    await until("both accounts are copied with their partners", () => {
      const copied = copies.filter(({ account_number }) =>
        [first, second].some((a) => a.account_number === account_number),
      );
      return (
        copied.length === 2 &&
        copied
          .map((copy) => copy.partner)
          .sort()
          .join() === "729,hinting"
      );
    });
  });

  test("moves only itself, and a choice can be repeated", async () => {
    const [moved, other] = [aLiveMerchant(), aLiveMerchant()];
    await choose(moved, "hinting");
    await choose(moved, "hinting");
    await Promise.all([issueTo(world, moved, "cust_1"), issueTo(world, other, "cust_1")]);
    expect(await accountsOf(moved)).toMatchObject([{ partner: "hinting" }]);
    expect(await accountsOf(other)).toMatchObject([{ partner: "729" }]);
    const { choices } = await world.others.request(listPartners, {});
    expect(choices.filter(({ merchant_id }) => merchant_id === moved.id)).toHaveLength(1);
  });

  test("is listed with the newest 200, and the list says that there are more", async () => {
    await world.owner.query(
      `insert into partner_choices select 'mer_many_' || n, 'hinting' from generate_series(1, 200) as n`,
    );
    const { choices, has_more_choices } = await world.others.request(listPartners, {});
    expect([choices.length, has_more_choices]).toEqual([200, true]);
    await world.owner.query("delete from partner_choices");
    expect((await world.others.request(listPartners, {})).has_more_choices).toBe(false);
  });

  test("that is not configured is refused, and nothing changes", async () => {
    const merchant = aLiveMerchant();
    expect(await choose(merchant, "unknown").catch(codeOf)).toBe("validation_failed");
    await issueTo(world, merchant, "cust_1");
    expect(await accountsOf(merchant)).toMatchObject([{ partner: "729" }]);
  });

  test("has nothing to do with test mode", async () => {
    const merchant = aLiveMerchant();
    await choose(merchant, "hinting");
    await issueTo(world, { ...merchant, mode: "test" }, "cust_1");
    expect(await accountsOf(merchant)).toMatchObject([{ partner: null, bank_name: "Test Bank" }]);
    expect(partner.issued).toEqual([]);
  });

  test("that does not answer can be left: the customer's next call gets the account from the new one", async () => {
    const merchant = aLiveMerchant();
    await choose(merchant, "hinting");
    const issue = partner.issue;
    const late = Promise.withResolvers<Awaited<ReturnType<typeof issue>>>();
    partner.issue = () => late.promise;
    const waiting = issueTo(world, merchant, "cust_1");
    await until("the partner is asked", () => partner.issued.length === 1);
    await choose(merchant, null);
    const { account } = await issueTo(world, merchant, "cust_1");
    expect(account.bank_name).toBe("Harbour Bank");
    // The answer of the former one comes too late: the customer has one account.
    late.resolve(await issue({ requestId: "late", accountName: "Late" }));
    expect((await waiting).account).toEqual(account);
    expect(await accountsOf(merchant)).toMatchObject([{ partner: "729", account_number: account.account_number }]);
    partner.issue = issue;
  });
});

test("the default moves with the configuration, and every account stays with its partner", async () => {
  const merchant = aLiveMerchant();
  const { account } = await issueTo(world, merchant, "cust_1");
  // As an earlier release stored it.
  await world.owner.query("alter table customer_accounts disable trigger customer_accounts_partner");
  await world.owner.query("update customer_accounts set partner = null where merchant_id = $1", [merchant.id]);
  await world.owner.query("alter table customer_accounts enable trigger customer_accounts_partner");
  await world.stop();
  const moved = await startAccounts(alone, { partners: { all, standard: partner, own: OWN.id } });
  expect((await issueTo(moved, merchant, "cust_1")).account).toEqual(account);
  await issueTo(moved, merchant, "cust_2");
  expect(await accountsOf(merchant)).toMatchObject([{ partner: null }, { partner: "hinting" }]);
  await report(moved, aReport(account.account_number, { id: "default-1" }));
  expect(await rowsReported(world, "default-1")).toMatchObject([{ customer_reference: "cust_1" }]);
  // Another bank's account with the same digits is another account.
  await hint(moved, { id: "default-2", account: account.account_number, kobo: 5_000 });
  expect(await rowsReported(world, "default-2")).toMatchObject([{ merchant_id: null }]);
  await moved.stop();
});

test("an issued account cannot be given to another partner", async () => {
  const { rows } = await world.owner.query("select id from customer_accounts where account_number is not null limit 1");
  await expect(
    world.owner.query("update customer_accounts set partner = 'other' where id = $1", [rows[0].id]),
  ).rejects.toThrow("an issued account keeps its partner");
});

test("operators see the partners with what each can do, and try their credentials without opening an account", async () => {
  const failing = { ...partner, check: async () => [{ name: "signature", isOk: false, detail: "It is refused." }] };
  const { stop } = await startAccounts(alone, { partners: { all: [OWN, failing], standard: OWN, own: OWN.id } });
  const { partners } = await world.others.request(listPartners, {});
  expect(partners.map(({ can }) => can)).toEqual([CAN.own, CAN.hinting]);
  expect(partners.map(({ can, ...partner }) => partner)).toEqual([
    { id: "729", name: "Harbour Bank", is_default: true, door: "/bank/transfers", needs: [], pool: null },
    { id: "hinting", name: "Hinting Bank", is_default: false, door: "/bank/hinting", needs: [], pool: null },
  ]);
  const checked = await world.others.request(checkPartners, {});
  expect(checked.partners[1]).toEqual({
    id: "hinting",
    checks: [{ name: "signature", is_ok: false, detail: "It is refused." }],
  });
  expect(partner.issued).toEqual([]);
  await stop();
});

describe("a partner that needs a number of the person", () => {
  const BUSINESS = { bvn: "22222222222" };
  const needy = aHintingPartner();
  const asking = { ...needy, issuer: { ...needy.issuer, needs: ["bvn", "nin"] as const }, businessIdentity: BUSINESS };
  const { issue } = needy;
  beforeEach(() => {
    needy.issue = issue;
  });
  const start = () => startAccounts(alone, { partners: { all: [OWN, asking], standard: asking, own: OWN.id } });

  test("gets it, and without it the call is refused before anything is written", async () => {
    const { stop } = await start();
    const merchant = aLiveMerchant();
    const refused = await issueTo(world, merchant, "cust_1").catch((error) => error);
    expect(refused).toMatchObject({ code: "identity_required", errors: [{ param: "bvn" }, { param: "nin" }] });
    expect(await accountsOf(merchant)).toEqual([]);
    for (const bvn of ["1234567890", "123456789012", "1234567890a"])
      expect(await issueTo(world, merchant, "cust_1", { bvn }).catch(codeOf)).toBe("validation_failed");

    await issueTo(world, merchant, "cust_1", { bvn: "12345678901" });
    await issueTo(world, merchant, "cust_2", { nin: "10987654321" });
    expect(needy.issued.map(({ identity }) => identity)).toEqual([{ bvn: "12345678901" }, { nin: "10987654321" }]);
    expect((await issueTo(world, merchant, "cust_1")).created).toBe(false);

    needy.issue = () => Promise.reject(new Problem("provider_error", "The bank refused."));
    const failed = await issueTo(world, merchant, "cust_3", { bvn: "12345678901" }).catch((error) => error);
    expect(failed).toMatchObject({ code: "provider_error" });
    expect(await tablesWith("12345678901")).toEqual([]);
    expect(await tablesWith(merchant.id)).toContain("customer_accounts");
    expect(lines.filter((line) => /12345678901|10987654321/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes('"provider_error"'))).toHaveLength(1);
    await stop();
  });

  test("opens the accounts of a business with the configured one", async () => {
    needy.issued.length = 0;
    const { stop } = await start();
    await world.others.request(issueCollectionAccount, { merchant: aLiveMerchant(), position: 1 });
    expect(needy.issued).toMatchObject([{ identity: BUSINESS, accountName: "Acme Stores" }]);
    await stop();
  });

  test("is the only one that gets it", async () => {
    partner.issued.length = 0;
    const { stop } = await startAccounts(alone, { partners: { all, standard: partner, own: OWN.id } });
    await world.others.request(issueCustomerAccount, {
      ...{ merchant: aLiveMerchant(), customer_reference: "cust_1", customer_name: "Ada Obi", bvn: "12345678901" },
    });
    expect(partner.issued).toHaveLength(1);
    expect(partner.issued[0]).not.toHaveProperty("identity");
    await stop();
  });
});
