import { nuban } from "@collect/bank";
import { runSettlement } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { client } from "../stack/client.ts";
import { aMember, type Person } from "../stack/person.ts";
import { sharedStack } from "../stack/shared.ts";
import type { TestMerchant } from "../stack.ts";

/** Somebody who has one owner's session, or the live secret key, tries to send more than the business lets one person send. */

const stack = await sharedStack();

const TO = { bank_code: "058", account_number: nuban({ bankCode: "058", serial: "000123451" }) };

/** A business with ₦9,900 of real money settled, and no transfer of more than ₦1,000 without a second person. */
async function aBusiness() {
  const merchant = await stack.createMerchant();
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  const { body } = await live.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Ada Obi" });
  await client(stack.bankSimulatorUrl).post("/control/transfers", {
    account_number: body.account_number,
    amount: 10_000,
  });
  await merchant.untilReceived("live", 1);
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
  const person = async (role: "owner" | "finance" | "developer") => {
    const member = await aMember(stack, merchant.id, role);
    return (path: string, sent?: object) => callAs(member, merchant.id, path, sent);
  };
  const owner = await person("owner");
  const limits = { transfer_max: 5_000, day_max: 6_000, approval_above: 1_000 };
  expect((await owner("payout-limits", limits)).body.limits).toEqual(limits);
  return { merchant, live, owner, finance: await person("finance"), developer: await person("developer") };
}

/** As if the members had had their roles for more than a day. */
const afterADay = ({ id }: TestMerchant) =>
  stack
    .database("dashboard")
    .query("update members set joined_at = joined_at - interval '25 hours' where merchant_id = $1", [id]);

const callAs = (member: Person, merchantId: string, path: string, sent?: object) =>
  member.call(sent ? "POST" : "GET", `/api/m/${merchantId}/live/${path}`, sent);

const referenceIn = (body: Record<string, unknown>): string =>
  String(Object(body.transfer).reference ?? body.reference);

test("one person's session sends nothing above the threshold; a second person's approval sends it once", async () => {
  const { merchant, live, owner, finance, developer } = await aBusiness();
  await afterADay(merchant);
  const ordered = await owner("transfers", { ...TO, amount: 1_500, reference: "large-1" });
  const reference = referenceIn(ordered.body);
  const status = async () => (await live.get(`/transfers/${reference}`)).body.status;

  expect((await owner(`transfers/${reference}/approve`, {})).body.code).toBe("second_person_required");
  expect((await developer(`transfers/${reference}/approve`, {})).body.code).toBe("role_required");
  const small = await live.post("/transfers", { ...TO, amount: 1_000, reference: "small-1" });
  await until(
    "the small one was sent",
    async () => (await live.get(`/transfers/${small.body.reference}`)).body.status === "success",
  );
  expect(await status()).toBe("pending");

  const approved = await Promise.all([1, 2].map(() => finance(`transfers/${reference}/approve`, {})));
  expect(approved.map((answer) => answer.status)).toEqual([200, 200]);
  await until("the large one was sent", async () => (await status()) === "success");
  expect((await live.get("/balance")).body.settled).toBe(9_900 - 1_500 - 1_000);
  const { body } = await owner("audit?limit=20");
  const acts = Object(body.data).map(({ action }: { action: string }) => action);
  expect(acts).toContain("transfer.approved");
});

test("the live secret key sends nothing above the threshold either, and a declined order returns the money", async () => {
  const { live, owner } = await aBusiness();
  const { body } = await live.post("/transfers", { ...TO, amount: 4_000, reference: "theft-1" });
  expect(body.status).toBe("pending");
  expect((await live.get("/balance")).body.settled).toBe(5_900);
  expect((await owner("payouts")).body.awaiting_approval).toBe(1);
  expect((await owner(`transfers/${body.reference}/decline`, {})).status).toBe(200);
  await until("the money is back", async () => (await live.get("/balance")).body.settled === 9_900);
  const { body: ended } = await live.get(`/transfers/${body.reference}`);
  expect([ended.status, ended.failure_code]).toEqual(["failed", "approval_declined"]);
});

test("an owner approves nothing that a key of their own ordered, nor with a second address that they just invited", async () => {
  const { merchant, live, owner, finance: invited } = await aBusiness();
  const made = await owner("keys/restricted", { name: "Payroll", scopes: ["transfers:write"] });
  const key = client(stack.baseUrl, String(made.body.key));
  const { body } = await key.post("/transfers", { ...TO, amount: 4_000, reference: "theft-2" });
  const approve = (person: typeof owner) => person(`transfers/${body.reference}/approve`, {});
  const status = async () => (await live.get(`/transfers/${body.reference}`)).body.status;

  await afterADay(merchant);
  expect((await approve(owner)).body.code).toBe("second_person_required");
  await stack
    .database("dashboard")
    .query("update members set joined_at = clock_timestamp() where merchant_id = $1 and role = 'finance'", [
      merchant.id,
    ]);
  const tooNew = (await approve(invited)).body;
  expect(tooNew).toMatchObject({
    code: "approver_too_new",
    detail: expect.stringContaining("You can approve payouts from"),
  });
  expect(await status()).toBe("pending");

  await afterADay(merchant);
  expect((await approve(invited)).status).toBe(200);
  await until("it was sent", async () => (await status()) === "success");
});

test("limits hold for every door, in slices too, and whoever lifts them has to wait a day", async () => {
  const { live, owner } = await aBusiness();
  const order = (amount: number, reference: string) => live.post("/transfers", { ...TO, amount, reference });
  expect((await order(5_000.01, "too-much")).body.code).toBe("payout_limit_exceeded");
  const slices = await Promise.all(Array.from({ length: 9 }, (_, n) => order(1_000, `slice-${n}`)));
  expect(slices.filter(({ status }) => status === 201)).toHaveLength(6);
  expect(slices.filter(({ body }) => body.code === "payout_limit_exceeded")).toHaveLength(3);

  const lifted = await owner("payout-limits", { transfer_max: null, day_max: null, approval_above: null });
  expect(lifted.body.limits).toMatchObject({ transfer_max: 5_000, day_max: 6_000, approval_above: 1_000 });
  expect(Object(lifted.body.upcoming)).toMatchObject({ day_max: null });
  expect((await order(1, "after")).body.code).toBe("payout_limit_exceeded");
});
