import { isNuban, type RequestIssuer, TEST_BANK } from "@collect/bank";
import {
  getCustomerAccount,
  issueCustomerAccount,
  listCustomerAccounts,
  type Merchant,
  type Mode,
  Problem,
  retireCustomerAccount,
} from "@collect/contracts";
import { schemaDifference } from "@collect/database";
import { aMerchant } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { aPartner, directory, issued, useAccounts } from "./world.ts";

const partner = aPartner();
const world = await useAccounts({ partner });

const merchant = (mode: Mode = "test"): Merchant => ({ ...aMerchant(mode), name: "Acme Stores" });
const issue = (who: Merchant, customer_reference: string, customer_name?: string) =>
  world.others.request(issueCustomerAccount, { merchant: who, customer_reference, customer_name });
const codeOf = (failure: unknown) => (failure instanceof Problem ? failure.code : String(failure));

describe("in test mode", () => {
  test("a new customer gets a permanent account number in the customer's name", async () => {
    const { account, created } = await issue(merchant(), "cust_42", "Ada Obi");
    expect(created).toBe(true);
    expect(account).toMatchObject({
      customer_reference: "cust_42",
      customer_name: "Ada Obi",
      account_name: "Acme Stores / Ada Obi",
      bank_name: "Test Bank",
      status: "active",
      mode: "test",
    });
    expect(isNuban(TEST_BANK.code, account.account_number)).toBe(true);
    expect(account.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
  });

  test("a repeated call returns the same account, whatever its name", async () => {
    const acme = merchant();
    const first = await issue(acme, "cust_42", "Ada Obi");
    expect(await issue(acme, "cust_42", "Somebody Else")).toEqual({ account: first.account, created: false });
    expect(await issue(acme, "cust_42")).toEqual({ account: first.account, created: false });
  });

  test("a reference that a URL cannot contain is refused, but an account of an older release that has it stays readable", async () => {
    const acme = merchant();
    const { account } = await issue(acme, "cust_42", "Ada Obi");
    await world.owner.query("update customer_accounts set customer_reference = '..' where merchant_id = $1", [acme.id]);
    const kept = { ...account, customer_reference: ".." };
    expect(await world.others.request(getCustomerAccount, { merchant: acme, customer_reference: ".." })).toEqual(kept);
    const { data } = await world.others.request(listCustomerAccounts, { merchant: acme });
    expect(data).toEqual([kept]);
    for (const reference of [".", ".."])
      expect(await issue(acme, reference, "Ada Obi").catch(codeOf)).toBe("validation_failed");
    expect((await issue(acme, "...", "Ada Obi")).created).toBe(true);
  });

  test("1,000 concurrent creates over 50 references give 50 accounts, each created once", async () => {
    const acme = merchant();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => issue(acme, `cust_${n % 50}`, `Customer ${n % 50}`)),
    );
    expect(answers.filter(({ created }) => created)).toHaveLength(50);
    expect(new Set(answers.map(({ account }) => account.account_number)).size).toBe(50);
    const { rows } = await world.owner.query("select count(*) from customer_accounts where merchant_id = $1", [
      acme.id,
    ]);
    expect(rows[0].count).toBe(50n);
  });

  test("a new reference without a name is refused and nothing is written", async () => {
    const acme = merchant();
    const failure = await issue(acme, "cust_42").catch((error) => error);
    expect(failure).toMatchObject({
      code: "validation_failed",
      errors: [{ param: "customer_name", code: "required" }],
    });
    expect(
      await world.others.request(getCustomerAccount, { merchant: acme, customer_reference: "cust_42" }).catch(codeOf),
    ).toBe("not_found");
  });

  test.each(["", "a b", "a/b", "ü", "x".repeat(81), "a\u0000"])("the reference %j is refused", async (reference) => {
    expect(await issue(merchant(), reference, "Ada Obi").catch(codeOf)).toBe("validation_failed");
  });

  test.each(["", "   ", "x".repeat(101), "Ada\u0007Obi", "Ada\nObi"])("the name %j is refused", async (name) => {
    expect(await issue(merchant(), "cust_42", name).catch(codeOf)).toBe("validation_failed");
  });

  test("a name is stored in Unicode normal form C, with its spaces collapsed", async () => {
    const { account } = await issue(merchant(), "cust_42", "  Ade\u0301   Obi ");
    expect(account.customer_name).toBe("Adé Obi");
  });

  test("references are case-sensitive, and scoped to merchant and mode", async () => {
    const acme = merchant();
    const one = await issue(acme, "cust_a", "Ada Obi");
    const other = await issue(acme, "CUST_A", "Ada Obi");
    const foreign = await issue(merchant(), "cust_a", "Ada Obi");
    expect(new Set([one, other, foreign].map(({ account }) => account.account_number)).size).toBe(3);
    const live = { ...acme, mode: "live" as const };
    expect(
      await world.others.request(getCustomerAccount, { merchant: live, customer_reference: "cust_a" }).catch(codeOf),
    ).toBe("not_found");
  });
});

describe("in live mode", () => {
  const answering =
    (accountNumber: string): RequestIssuer["issueAccount"] =>
    async ({ accountName }) =>
      issued(accountNumber, accountName);

  test("the partner bank opens the account, in the name of business and customer", async () => {
    partner.respond = answering("0000000017");
    const { account, created } = await issue(merchant("live"), "cust_42", "Ada Obi");
    expect(created).toBe(true);
    expect(account).toMatchObject({
      account_number: "0000000017",
      bank_name: "Harbour Bank",
      mode: "live",
      account_name: "Acme Stores / Ada Obi",
    });
  });

  test.each(["provider_timeout", "provider_error"] as const)(
    "%s leaves nothing behind, and the repeated call uses the same request id",
    async (code) => {
      const acme = merchant("live");
      partner.respond = () => Promise.reject(new Problem(code, "the bank"));
      expect(await issue(acme, "cust_42", "Ada Obi").catch(codeOf)).toBe(code);
      expect(
        await world.others.request(getCustomerAccount, { merchant: acme, customer_reference: "cust_42" }).catch(codeOf),
      ).toBe("not_found");
      const listed = await world.others.request(listCustomerAccounts, { merchant: acme, status: "all" });
      expect(listed.data).toEqual([]);

      const accountNumber = code === "provider_timeout" ? "0000000024" : "0000000031";
      partner.respond = answering(accountNumber);
      expect(await issue(acme, "cust_42")).toMatchObject({
        created: true,
        account: { account_number: accountNumber, customer_name: "Ada Obi" },
      });
      const [first, second] = partner.requests.slice(-2);
      expect(second).toEqual(first);
    },
  );

  test("concurrent creates of many references yield one account each, and no call fails", async () => {
    const acme = merchant("live");
    const requests = new Set<string>();
    partner.respond = async ({ requestId, accountName }) => {
      const position = [...requests.add(requestId)].indexOf(requestId);
      return issued(`90000000${String(position).padStart(2, "0")}`, accountName);
    };
    const references = Array.from({ length: 50 }, (_, n) => `cust_${n}`);
    const answers = await Promise.all(
      references.flatMap((reference) => Array.from({ length: 20 }, () => issue(acme, reference, "Ada Obi"))),
    );
    const numbers = Map.groupBy(answers, ({ account }) => account.customer_reference);
    for (const of of numbers.values()) expect(new Set(of.map(({ account }) => account.account_number)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(50);
  });

  test("concurrent creates yield one account and one 'created'", async () => {
    const acme = merchant("live");
    partner.respond = answering("0000000048");
    const answers = await Promise.all(Array.from({ length: 20 }, () => issue(acme, "cust_42", "Ada Obi")));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ account }) => account.account_number))).toEqual(new Set(["0000000048"]));
  });
});

describe("lists", () => {
  test("are newest first, paged, with retired accounts separate", async () => {
    const acme = merchant();
    for (const n of [1, 2, 3, 4, 5]) await issue(acme, `cust_${n}`, "Ada Obi");
    // Two could share a millisecond; these do not.
    await world.owner.query(
      "update customer_accounts set created_at = created_at + right(customer_reference, 1)::integer * interval '1 second' where merchant_id = $1",
      [acme.id],
    );
    await world.others.request(retireCustomerAccount, { merchant: acme, customer_reference: "cust_3" });
    const page = async (query: object) => {
      const { data, ...rest } = await world.others.request(listCustomerAccounts, { merchant: acme, ...query });
      return { references: data.map((account) => account.customer_reference), ...rest };
    };
    expect(await page({})).toEqual({
      references: ["cust_5", "cust_4", "cust_2", "cust_1"],
      limit: 20,
      offset: 0,
      has_more: false,
      next: null,
      mode: "test",
    });
    expect(await page({ limit: "2" })).toMatchObject({ references: ["cust_5", "cust_4"], has_more: true });
    expect(await page({ limit: "2", offset: "2", status: "all" })).toMatchObject({
      references: ["cust_3", "cust_2"],
      has_more: true,
    });
    expect(await page({ status: "retired" })).toMatchObject({ references: ["cust_3"] });
    expect(await page({ limit: "5000" })).toMatchObject({ limit: 100 });
  });

  test.each([{ limit: "0" }, { limit: "x" }, { limit: "-1" }, { limit: "1.5" }, { offset: "-1" }, { status: "gone" }])(
    "%j is refused",
    async (query) => {
      const refused = world.others.request(listCustomerAccounts, { merchant: merchant(), ...query } as never);
      expect(await refused.catch(codeOf)).toBe("validation_failed");
    },
  );
});

describe("retiring", () => {
  test("is permanent, repeatable, and keeps the reference taken", async () => {
    const acme = merchant();
    await issue(acme, "cust_42", "Ada Obi");
    const retire = () => world.others.request(retireCustomerAccount, { merchant: acme, customer_reference: "cust_42" });
    const retired = await retire();
    expect(retired.status).toBe("retired");
    expect(await retire()).toEqual(retired);
    expect(await issue(acme, "cust_42", "Ada Obi")).toEqual({ account: retired, created: false });
  });

  test("an unknown account is not found", async () => {
    expect(
      await world.others
        .request(retireCustomerAccount, { merchant: merchant(), customer_reference: "unknown" })
        .catch(codeOf),
    ).toBe("not_found");
  });
});

test("the migrations create exactly the schema", async () => {
  expect(await schemaDifference({ url: world.database.owner, directory })).toEqual([]);
});
