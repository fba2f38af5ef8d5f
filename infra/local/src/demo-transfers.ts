import { connectBus } from "@collect/bus";
import { runSettlement, Transfer } from "@collect/contracts";
import { formatNaira, naira } from "@collect/money";
import { createLogger } from "@collect/runtime";
import { type Client, hold, show, soon } from "./demo-client.ts";

/** The test bank's account whose transfers succeed, and the one whose transfers fail: its last serial digit decides. */
const SUCCEEDS = "0000000017";
const FAILS = "0000000024";

/** What was collected is settled, and sent to a bank account. */
export async function playTransfers(merchant: Client, given: { merchantId: string; natsUrl: string; run: string }) {
  console.log("\nSettlement and transfers: what was collected becomes the merchant's, and is sent out\n");
  const before = await merchant.balance();
  const bus = await connectBus({ url: given.natsUrl, name: "operator", log: createLogger("demo", "silent") });
  const { settlement } = await bus.request(runSettlement, { merchant: { id: given.merchantId, mode: merchant.mode } });
  await bus.nats.close();
  const settled = await merchant.balance();
  hold(settlement !== null && settled.settled > before.settled, "nothing was settled");
  hold(settled.collected + settled.settled === before.collected + before.settled, "settling changed the sum");
  show(
    `the operator settled ${formatNaira(settled.settled - before.settled)}`,
    "otherwise it happens by itself on the next day at 06:00 in Lagos",
  );

  const success = await send(merchant, `${given.run}_1`, SUCCEEDS);
  hold(success.status === "success", `the transfer ended as ${success.status}`);
  show(
    `${formatNaira(success.amount)} to ${success.account_name}: ${success.reference} success`,
    "paid once, whatever repeats",
  );
  const failed = await send(merchant, `${given.run}_2`, FAILS);
  hold(failed.status === "failed", `the transfer that must fail ended as ${failed.status}`);
  const after = await merchant.balance();
  hold(after.settled === settled.settled - success.amount, "the failed transfer did not come back to Settled");
  show(`${failed.reference} failed: ${failed.failure_reason}`, "its money is back in Settled");

  const more = naira(after.settled + 1n);
  const tooMuch = await merchant.call("POST", "/transfers", transferTo(SUCCEEDS, `${given.run}_3`, more));
  hold(tooMuch.status === 422, `a transfer of more than Settled was answered ${tooMuch.status}`);
  show("more than Settled holds: 422 insufficient_balance", "nothing was sent");
}

const transferTo = (account_number: string, reference: string, amount: number) => ({
  amount,
  bank_code: "000",
  account_number,
  reference,
});

async function send(merchant: Client, reference: string, accountNumber: string): Promise<Transfer> {
  const created = await merchant.call("POST", "/transfers", transferTo(accountNumber, reference, 100.5));
  hold(created.status === 201, `the transfer was answered ${created.status}: ${JSON.stringify(created.body)}`);
  const { reference: ours } = Transfer.parse(created.body);
  return soon(
    async () => Transfer.parse((await merchant.call("GET", `/transfers/${ours}`)).body),
    ({ status }) => status !== "pending",
    () => `${ours} did not end`,
  );
}
