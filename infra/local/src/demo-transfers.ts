import { nuban, TEST_BANK } from "@collect/bank";
import { ResolvedAccount, runSettlement, Transfer } from "@collect/contracts";
import { formatNaira, naira } from "@collect/money";
import { type Client, check, poll, show } from "./demo-client.ts";
import { connectOperator } from "./operator.ts";
import type { Settings } from "./settings.ts";
import type { SimulatedBank } from "./simulated-bank.ts";

type Payee = { bank_code: string; account_number: string };
/** An account to which transfers succeed, and one to which they fail. */
type Payees = { succeeds: Payee; fails: Payee; beforeFailing?: () => Promise<void> };

/** The last serial digit decides. */
export const AT_TEST_BANK: Payees = {
  succeeds: { bank_code: TEST_BANK.code, account_number: "0000000017" },
  fails: { bank_code: TEST_BANK.code, account_number: "0000000024" },
};

/** At another bank, which the partner reaches: it refuses when it is told to. */
export function atOtherBank(partner: SimulatedBank): Payees {
  const account = { bank_code: "058", account_number: nuban({ bankCode: "058", serial: "123456789" }) };
  return { succeeds: account, fails: account, beforeFailing: partner.refusePayout };
}

type Given = { merchantId: string; settings: Settings; run: string; payees: Payees };

/** Settles the collected balance and sends transfers to bank accounts. */
export async function playTransfers(merchant: Client, given: Given): Promise<void> {
  const { succeeds, fails, beforeFailing } = given.payees;
  console.log(`\nSettlement and transfers in ${merchant.mode} mode: the collected balance is settled and paid out\n`);
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

  const { account_name, bank_name } = await resolve(merchant, succeeds);
  show(`${succeeds.account_number} at ${bank_name} belongs to ${account_name}`, "looked up before money is sent");
  const success = await send(merchant, `${given.run}_1`, succeeds);
  check(success.status === "success", `the transfer has status ${success.status}`);
  check(success.account_name === account_name, `the transfer went to ${success.account_name}`);
  show(
    `${formatNaira(success.amount)} to ${success.account_name}: ${success.reference} success`,
    "paid once, however often a step is repeated",
  );
  await beforeFailing?.();
  const failed = await send(merchant, `${given.run}_2`, fails);
  check(failed.status === "failed", `the transfer that must fail has status ${failed.status}`);
  const after = await merchant.balance();
  check(
    after.settled === settled.settled - success.amount,
    "the failed transfer was not returned to the settled balance",
  );
  show(
    `${failed.reference} failed: ${failed.failure_reason ?? failed.failure_code}`,
    "the amount was returned to the settled balance",
  );

  const more = naira(after.settled + 1n);
  const tooMuch = await merchant.call("POST", "/transfers", transferTo(succeeds, `${given.run}_3`, more));
  check(tooMuch.status === 422, `a transfer above the settled balance returned ${tooMuch.status}`);
  show("a transfer above the settled balance: 422 insufficient_balance", "nothing was sent");
}

const transferTo = (payee: Payee, reference: string, amount: number) => ({ ...payee, amount, reference });

async function resolve(merchant: Client, payee: Payee) {
  const { status, body } = await merchant.call("POST", "/transfers/resolve", payee);
  check(status === 200, `looking up an account returned ${status}: ${JSON.stringify(body)}`);
  return ResolvedAccount.parse(body);
}

async function send(merchant: Client, reference: string, payee: Payee): Promise<Transfer> {
  const created = await merchant.call("POST", "/transfers", transferTo(payee, reference, 100.5));
  check(created.status === 201, `the transfer returned ${created.status}: ${JSON.stringify(created.body)}`);
  const { reference: ours } = Transfer.parse(created.body);
  return poll(
    async () => Transfer.parse((await merchant.call("GET", `/transfers/${ours}`)).body),
    ({ status }) => status !== "pending",
    () => `${ours} did not reach a final status`,
  );
}
