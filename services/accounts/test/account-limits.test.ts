import { answer, serveRequests } from "@collect/bus";
import {
  issueAccountWithinLimit,
  issueCustomerAccount,
  type Merchant,
  Problem,
  readAccountLimit,
} from "@collect/contracts";
import { aMerchant, startComponents } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { deleteCreations } from "../src/store/account-creations.ts";
import { aPartner, issued, useAccounts } from "./world.ts";

const partner = aPartner();
const world = await useAccounts({ partner });
const limits = new Map<string, number>();
const asked: string[] = [];
const requests = [
  answer(readAccountLimit, async ({ merchant_id }) => {
    asked.push(merchant_id);
    const accounts_per_hour = limits.get(merchant_id);
    if (accounts_per_hour === undefined) throw new Problem("service_unavailable", "The gateway is down.");
    return { accounts_per_hour };
  }),
];
afterAll(await startComponents([serveRequests(world.others, { service: "gateway", log: world.log, requests })]));

function merchant(perHour?: number): Merchant {
  const made = { ...aMerchant(), name: "Acme Stores" };
  if (perHour !== undefined) limits.set(made.id, perHour);
  return made;
}
const within = (who: Merchant, customer_reference: string) =>
  world.others.request(issueAccountWithinLimit, { merchant: who, customer_reference, customer_name: "Ada Obi" });
const byApi = (who: Merchant, customer_reference: string) =>
  world.others.request(issueCustomerAccount, { merchant: who, customer_reference, customer_name: "Ada Obi" });
const outcome = (call: Promise<{ created: boolean }>) =>
  call.then(
    ({ created }) => (created ? "created" : "known"),
    (error) => {
      if (error instanceof Problem) return error.code;
      throw error;
    },
  );
const tally = (outcomes: string[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, (each) => each)].map(([key, { length }]) => [key, length]));
const accountsOf = async ({ id }: Merchant) =>
  Number(
    (await world.owner.query("select count(*) from customer_accounts where merchant_id = $1", [id])).rows[0].count,
  );

test("330 new customers at once make 300 accounts, and the refusals say when one more is allowed and leave nothing behind", async () => {
  const acme = merchant();
  const calls = Array.from({ length: 330 }, (_, n) => outcome(within(acme, `cust_${n}`)));
  expect(tally(await Promise.all(calls))).toEqual({ created: 300, rate_limited: 30 });
  expect(await accountsOf(acme)).toBe(300);
  const refused = await within(acme, "one-more").catch((error) => error);
  expect(refused).toMatchObject({ code: "rate_limited" });
  expect(refused.retryAfterS).toBeGreaterThan(3_500);
});

test("repeats of a reference are not counted and never refused, not even at once with the first", async () => {
  const acme = merchant(2);
  const first = await Promise.all(Array.from({ length: 20 }, () => outcome(within(acme, "cust_1"))));
  expect(tally(first)).toEqual({ created: 1, known: 19 });
  expect(await outcome(within(acme, "cust_2"))).toBe("created");
  expect(await outcome(within(acme, "cust_3"))).toBe("rate_limited");
  expect(await outcome(within(acme, "cust_1"))).toBe("known");
});

test("accounts of every door count, in both modes, but POST /customer_accounts is refused only by the gateway's count", async () => {
  partner.respond = async ({ accountName }) => issued("7290000001", accountName);
  const acme = merchant(3);
  expect(await outcome(byApi(acme, "cust_1"))).toBe("created");
  expect(await outcome(byApi({ ...acme, mode: "live" }, "cust_1"))).toBe("created");
  expect(await outcome(within(acme, "cust_2"))).toBe("created");
  expect(await outcome(within(acme, "cust_3"))).toBe("rate_limited");
  expect(await outcome(byApi(acme, "cust_3"))).toBe("created");
  expect(await outcome(within(merchant(3), "cust_1"))).toBe("created");
});

test("an account stops counting after the hour", async () => {
  const acme = merchant(1);
  expect(await outcome(within(acme, "cust_1"))).toBe("created");
  const age = (minutes: number) =>
    world.owner.query(
      "update account_creations set minute = floor(extract(epoch from clock_timestamp()) / 60) - $2 where merchant_id = $1",
      [acme.id, minutes],
    );
  await age(59);
  expect(await outcome(within(acme, "cust_2"))).toBe("rate_limited");
  await age(62);
  expect(await outcome(within(acme, "cust_2"))).toBe("created");
});

test("the gateway is asked for a merchant's limit once a minute, and 300 holds while it does not respond", async () => {
  const acme = merchant(5);
  await within(acme, "cust_1");
  await within(acme, "cust_2");
  expect(asked.filter((id) => id === acme.id)).toHaveLength(1);
  const unknown = merchant();
  expect(await outcome(within(unknown, "cust_1"))).toBe("created");
});

test("counts past their use are deleted, and no others", async () => {
  const [old, recent] = [merchant(), merchant()];
  await within(old, "cust_1");
  await within(recent, "cust_1");
  await world.owner.query("update account_creations set minute = minute - 1441 where merchant_id = $1", [old.id]);
  expect(await deleteCreations(world.pool, { days: 1, max: 10 })).toBe(1);
  const { rows } = await world.owner.query("select merchant_id from account_creations where merchant_id = any ($1)", [
    [old.id, recent.id],
  ]);
  expect(rows).toEqual([{ merchant_id: recent.id }]);
});
