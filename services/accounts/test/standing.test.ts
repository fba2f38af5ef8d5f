import { issueCollectionAccount, issueCustomerAccount, type Merchant, Problem } from "@collect/contracts";
import { aMerchant } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { aPartner, issued, useAccounts } from "./world.ts";

const partner = aPartner();
const { others, merchants, owner } = await useAccounts({ partner });

let serial = 0;
beforeEach(() => {
  merchants.isDown = false;
  partner.requests.length = 0;
  partner.respond = async ({ accountName }) => issued(String(++serial).padStart(10, "5"), accountName);
});

const merchant = (mode: "test" | "live" = "live"): Merchant => ({ ...aMerchant(mode), name: "Acme Stores" });
const issue = (who: Merchant, customer_reference = "cust_42") =>
  others.request(issueCustomerAccount, { merchant: who, customer_reference, customer_name: "Ada Obi" });
const issueForPool = (who: Merchant, position = 1) =>
  others.request(issueCollectionAccount, { merchant: who, position });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "issued",
    (error) => (error instanceof Problem ? error.code : String(error)),
  );
const rowsOf = async ({ id }: Merchant) => {
  const tables = ["customer_accounts", "collection_accounts"];
  const counts = tables.map((table) => owner.query(`select from ${table} where merchant_id = $1`, [id]));
  return (await Promise.all(counts)).map(({ rowCount }) => rowCount);
};

test.each([
  ["draft", "verification_required"],
  ["submitted", "verification_required"],
  ["returned", "verification_required"],
  ["suspended", "merchant_suspended"],
] as const)(
  "a %s merchant gets no live account: %s; no row is written and the bank is not called",
  async (standing, code) => {
    const who = merchant();
    merchants.stand(who.id, standing);
    expect([await codeOf(issue(who)), await codeOf(issueForPool(who))]).toEqual([code, code]);
    expect([await rowsOf(who), partner.requests]).toEqual([[0, 0], []]);
    merchants.stand(who.id, "verified");
    expect([await codeOf(issue(who)), await codeOf(issueForPool(who))]).toEqual(["issued", "issued"]);
  },
);

test("accounts that exist are returned to a suspended merchant, and while the gateway is down", async () => {
  const who = merchant();
  const { account } = await issue(who);
  const pooled = await issueForPool(who);
  merchants.stand(who.id, "suspended", true);
  merchants.isDown = true;
  expect(await issue(who)).toEqual({ account, created: false });
  expect(await issueForPool(who)).toEqual(pooled);
  expect([await codeOf(issue(who, "new")), await codeOf(issueForPool(who, 2))]).toEqual([
    "service_unavailable",
    "service_unavailable",
  ]);
  expect(await rowsOf(who)).toEqual([1, 1]);
});

test("an account that the bank had not opened yet is not opened once the merchant is suspended", async () => {
  const who = merchant();
  partner.respond = () => Promise.reject(new Problem("provider_timeout", "The bank did not respond."));
  expect(await codeOf(issue(who))).toBe("provider_timeout");
  merchants.stand(who.id, "suspended", true);
  expect(await codeOf(issue(who))).toBe("merchant_suspended");
  expect(partner.requests).toHaveLength(1);
});

test("test accounts need no verification, and nothing is asked for them", async () => {
  const who = merchant("test");
  merchants.stand(who.id, "draft");
  const asked = merchants.asked.length;
  expect([await codeOf(issue(who)), await codeOf(issueForPool(who))]).toEqual(["issued", "issued"]);
  expect(merchants.asked).toHaveLength(asked);
});
