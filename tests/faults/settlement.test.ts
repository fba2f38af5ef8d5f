import { runSettlement } from "@collect/contracts";
import { parseNaira, shareOf } from "@collect/money";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { client } from "../stack/client.ts";
import { startStack, type TestMerchant } from "../stack.ts";
import { redrive } from "./proof.ts";
import { openTraffic, type Traffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const settle = ({ id }: TestMerchant) => stack.bus.request(runSettlement, { merchant: { id, mode: "live" } });
const merchantsOf = ({ customers }: Traffic) => customers.map(({ merchant }) => merchant);

/** Settles every merchant repeatedly until it is over, retrying while the ledger is down. */
async function settleWhile(traffic: Traffic, isOver: () => boolean): Promise<void> {
  while (!isOver()) await Promise.all(merchantsOf(traffic).map((merchant) => settle(merchant).catch(() => undefined)));
}

/** Without this, a slow machine may settle nothing before the fault, and everything in one settlement after it. */
async function untilEachHasSettled(traffic: Traffic): Promise<void> {
  await until("each merchant has settled", async () => {
    const { rows } = await stack
      .database("ledger")
      .query("select count(distinct merchant_id)::int as merchants from settlements where merchant_id = any($1)", [
        merchantsOf(traffic).map(({ id }) => id),
      ]);
    return rows[0].merchants === traffic.customers.length;
  });
}

/** Each settlement begins where the last one ended, and equals the sum of the entries in between. */
async function proveSettled(traffic: Traffic): Promise<void> {
  for (const merchant of merchantsOf(traffic)) {
    const { rows } = await stack.database("ledger").query(
      `select s.from_version::int as from_version, s.to_version::int as to_version, s.amount,
         (select -sum(e.amount) from entries e join transactions t on t.id = e.transaction_id
          where e.account_id = 'live:collected:' || s.merchant_id and t.kind <> 'settlement'
            and e.account_version > s.from_version and e.account_version <= s.to_version)::bigint as covered
       from settlements s where s.merchant_id = $1 order by s.to_version`,
      [merchant.id],
    );
    expect(rows.length).toBeGreaterThan(1);
    let end = 0;
    for (const { from_version, to_version, amount, covered } of rows) {
      expect([from_version, covered]).toEqual([end, amount]);
      end = to_version;
    }
  }
}

async function proveBalances(traffic: Traffic): Promise<void> {
  for (const { merchant, accountNumber } of traffic.customers) {
    const amounts = [...traffic.acknowledged.values()]
      .filter(({ account_number }) => account_number === accountNumber)
      .map(({ amount }) => parseNaira(amount) ?? 0n);
    const nets = amounts.reduce((sum, amount) => sum + amount - shareOf(amount, 100), 0n);
    const balance = async () => {
      const { body } = await client(stack.baseUrl, merchant.keys.sk_live).get("/balance");
      return { collected: body.collected, settled: parseNaira(Number(body.settled)) };
    };
    await until("all is collected and settled", async () => {
      await settle(merchant);
      return (await balance()).settled === nets;
    });
    expect(await balance()).toEqual({ collected: 0, settled: nets });
  }
}

test("settlements while transfers flow skip nothing and duplicate nothing", async () => {
  const traffic = await openTraffic(stack);
  let isOver = false;
  const settling = settleWhile(traffic, () => isOver);
  await traffic.flow(40);
  await untilEachHasSettled(traffic);
  await traffic.flow(360).finally(() => {
    isOver = true;
  });
  await settling;
  await proveBalances(traffic);
  await proveSettled(traffic);
});

test("a ledger killed while it settles and posts settles each entry once", async () => {
  const traffic = await openTraffic(stack);
  let isOver = false;
  const settling = settleWhile(traffic, () => isOver);
  const ledger = stack.service("ledger");
  await traffic.flow(40);
  await untilEachHasSettled(traffic);
  await traffic.flowUntil(ledger.kill9().then(() => ledger.restart()));
  isOver = true;
  await settling;
  await redrive(stack, traffic);
  await proveBalances(traffic);
  await proveSettled(traffic);
});
