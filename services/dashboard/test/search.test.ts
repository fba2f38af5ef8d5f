import { searchCustomers, searchPayments, type WireResult } from "@collect/contracts";
import { expect, test } from "vitest";
import { aMember } from "./dashboard.ts";
import { useDashboard } from "./world.ts";

const { world, dashboard, others } = await useDashboard();
const viewer = await aMember(world, dashboard, { merchantId: "mer_search", role: "viewer" });
const search = (text: string) => viewer.get(`/api/m/mer_search/live/search?text=${encodeURIComponent(text)}`);

const links = [{ slug: "abcdefghij", title: "Shoes", amount: 2500 }];
const payments: WireResult<typeof searchPayments> = { collections: [], payers: [], sessions: [], transfers: [], links };
const accounts: WireResult<typeof searchCustomers> = {
  customers: [{ customer_reference: "cust_1", customer_name: "Ada", account_number: "0123456789", status: "active" }],
};
others.reply(searchPayments, () => payments);
others.reply(searchCustomers, () => accounts);

test("one call asks each service for what it owns, for the merchant in its mode", async () => {
  const { status, body } = await search(" ada ");
  expect([status, body]).toEqual([200, { ...payments, ...accounts }]);
  const asked = { merchant: { id: "mer_search", mode: "live", name: "Ada Stores" }, text: "ada" };
  expect([others.askedOf(searchPayments), others.askedOf(searchCustomers)]).toEqual([[asked], [asked]]);
});

test("what a service does not answer in time is null, and the rest is answered", async () => {
  others.refuse(searchCustomers, "service_unavailable");
  expect((await search("ada")).body).toEqual({ ...payments, customers: null });
  others.refuse(searchPayments, "internal_error");
  const none = { collections: null, payers: null, sessions: null, transfers: null, links: null, customers: null };
  expect((await search("ada")).body).toEqual(none);
  others.refuse(searchCustomers, undefined);
  expect((await search("ada")).body).toEqual({ ...none, ...accounts });
  others.refuse(searchPayments, undefined);
  // A person is typing, and is to read within three seconds what is missing.
  for (const { deadlineMs } of [searchPayments, searchCustomers]) expect(deadlineMs).toBeLessThanOrEqual(2_500);
});

test.each(["", " ", "a\u0000", "x".repeat(101)])(
  "a search for %j is refused, and no service is called",
  async (text) => {
    others.asked.length = 0;
    const { status, body } = await search(text);
    expect([status, body.code, body.errors, others.asked]).toMatchObject([
      400,
      "validation_failed",
      [{ param: "text" }],
      [],
    ]);
  },
);
