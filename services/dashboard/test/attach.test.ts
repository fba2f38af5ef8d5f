import { attachCollection, listAttachable, searchCustomers, type WireResult } from "@collect/contracts";
import { expect, test } from "vitest";
import { aMember } from "./dashboard.ts";
import { useDashboard } from "./world.ts";

const { world, dashboard, others } = await useDashboard();
const member = (role: "finance" | "support") => aMember(world, dashboard, { merchantId: "mer_attach", role });
const finance = await member("finance");
const base = "/api/m/mer_attach/live/collections/col_1";

type Customer = WireResult<typeof searchCustomers>["customers"][number];
const customer = (customer_reference: string): Customer => ({
  ...{ customer_reference, customer_name: "Ngozi Eze", account_number: "0123456789", status: "active" },
});
const sessions: WireResult<typeof listAttachable>["sessions"] = [];

test("customers who are called like the payer are offered, in whatever order the bank has the names; or those that are typed", async () => {
  others.reply(listAttachable, () => ({ sessions, payer_name: "EZE, NGOZI T" }));
  others.reply(searchCustomers, ({ text }) => ({
    customers: text === "EZE" ? [customer("cust_1"), customer("cust_2")] : text === "NGOZI" ? [customer("cust_2")] : [],
  }));
  const likeliest = await finance.get(`${base}/attachable`);
  expect(likeliest.body).toEqual({ sessions, customers: [customer("cust_2"), customer("cust_1")] });
  expect(others.askedOf(searchCustomers).map((asked) => Object(asked).text)).toEqual(["EZE", "NGOZI"]);
  others.asked.length = 0;
  expect((await finance.get(`${base}/attachable?text=order-7`)).body).toEqual({ sessions, customers: [] });
  const merchant = { id: "mer_attach", mode: "live", name: "Ada Stores" };
  expect(others.askedOf(listAttachable)).toEqual([{ merchant, reference: "col_1", text: "order-7" }]);
  others.refuse(searchCustomers, "service_unavailable");
  expect((await finance.get(`${base}/attachable`)).body).toEqual({ sessions, customers: null });
  others.refuse(searchCustomers, undefined);
});

test("attaching is for owners and finance, and in the audit log with who said whose money it is, done or refused", async () => {
  others.reply(attachCollection, () => Object({ collection: { reference: "col_1" }, session: null }));
  const target = { payment_reference: "pay_1" };
  const last = () => others.audited.at(-1);
  expect((await finance.post(`${base}/attach`, target)).status).toBe(200);
  expect(others.askedOf(attachCollection)).toMatchObject([{ reference: "col_1", ...target }]);
  const entry = { action: "collection.attached", detail: { reference: "col_1", ...target }, mode: "live" };
  expect(last()).toMatchObject({ ...entry, outcome: "done", actor: { user_id: finance.id } });
  const support = await member("support");
  expect((await support.post(`${base}/attach`, target)).body.code).toBe("role_required");
  expect(others.askedOf(attachCollection)).toHaveLength(1);
  others.refuse(attachCollection, "already_attached");
  const { status, body } = await finance.post(`${base}/attach`, { customer_reference: "cust_1" });
  expect([status, body.code]).toEqual([409, "already_attached"]);
  expect(last()).toMatchObject({ action: "collection.attached", outcome: "refused", actor: { user_id: finance.id } });
  others.refuse(attachCollection, undefined);
});
