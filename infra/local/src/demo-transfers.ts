import { runSettlement, Transfer } from "@collect/contracts";
import { formatNaira, naira } from "@collect/money";
import { type Client, check, poll, show } from "./demo-client.ts";
import { connectOperator } from "./operator.ts";
import type { Settings } from "./settings.ts";

/** A test bank account whose transfers succeed, and one whose transfers fail: the last serial digit decides. */
const SUCCEEDS = "0000000017";
const FAILS = "0000000024";

/** Settles the collected balance and sends transfers to bank accounts. */
export async function playTransfers(merchant: Client, given: { merchantId: string; settings: Settings; run: string }) {
  console.log("\nSettlement and transfers: the collected balance is settled and paid out\n");
  const before = await merchant.balance();
  const bus = await connectOperator(given.settings);
  const { settlement } = await bus.request(runSettlement, { merchant: { id: given.merchantId, mode: merchant.mode } });
  await bus.close();
  const settled = await merchant.balance();
  check(settlement !== null && settled.settled > before.settled, "nothing was settled");
  check(
    settled.collected + settled.settled === before.collected + before.settled,
    "the settlement changed the total balance",
  );
  show(
    `the operator settled ${formatNaira(settled.settled - before.settled)}`,
    "otherwise settlement runs automatically the next day at 06:00 Lagos time",
  );

  const success = await send(merchant, `${given.run}_1`, SUCCEEDS);
  check(success.status === "success", `the transfer has status ${success.status}`);
  show(
    `${formatNaira(success.amount)} to ${success.account_name}: ${success.reference} success`,
    "paid once, however often a step is repeated",
  );
  const failed = await send(merchant, `${given.run}_2`, FAILS);
  check(failed.status === "failed", `the transfer that must fail has status ${failed.status}`);
  const after = await merchant.balance();
  check(
    after.settled === settled.settled - success.amount,
    "the failed transfer was not returned to the settled balance",
  );
  show(`${failed.reference} failed: ${failed.failure_reason}`, "the amount was returned to the settled balance");

  const more = naira(after.settled + 1n);
  const tooMuch = await merchant.call("POST", "/transfers", transferTo(SUCCEEDS, `${given.run}_3`, more));
  check(tooMuch.status === 422, `a transfer above the settled balance returned ${tooMuch.status}`);
  show("a transfer above the settled balance: 422 insufficient_balance", "nothing was sent");
}

const transferTo = (account_number: string, reference: string, amount: number) => ({
  amount,
  bank_code: "000",
  account_number,
  reference,
});

async function send(merchant: Client, reference: string, accountNumber: string): Promise<Transfer> {
  const created = await merchant.call("POST", "/transfers", transferTo(accountNumber, reference, 100.5));
  check(created.status === 201, `the transfer returned ${created.status}: ${JSON.stringify(created.body)}`);
  const { reference: ours } = Transfer.parse(created.body);
  return poll(
    async () => Transfer.parse((await merchant.call("GET", `/transfers/${ours}`)).body),
    ({ status }) => status !== "pending",
    () => `${ours} did not reach a final status`,
  );
}
