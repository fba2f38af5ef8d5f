import { answer, type Request, serveRequests } from "@collect/bus";
import {
  BankList,
  CheckoutSession,
  CustomerAccount,
  createTransfer,
  getBalance,
  getCheckout,
  getCustomerAccount,
  getPayment,
  getTransfer,
  giveCheckoutDetails,
  type Input,
  issueCustomerAccount,
  listBanks,
  listCustomerAccounts,
  listTransfers,
  type Mode,
  OpenedCheckout,
  openCheckout,
  openCryptoPayment,
  openPayment,
  Payment,
  Problem,
  type ProblemCode,
  type RequestContract,
  ResolvedAccount,
  type Result,
  reportCheckoutSent,
  resolveAccount,
  SimulationResult,
  sandboxPay,
  simulatePayment,
  Transfer,
} from "@collect/contracts";
import { startParts, type World } from "@collect/testing";
import { EXAMPLES } from "../src/domain/openapi/examples.ts";

export type Others = Awaited<ReturnType<typeof playOthers>>;

/** The services behind, as the gateway sees them: they remember what they were asked, and refuse when told to. */
export async function playOthers(world: World) {
  const asked: Record<string, unknown>[] = [];
  let refusal: ProblemCode | undefined;

  function play<Contract extends RequestContract>(
    contract: Contract,
    reply: (input: Input<Contract>) => Result<Contract>,
  ) {
    return answer(contract, async (input) => {
      asked.push(Object(input));
      if (refusal) throw new Problem(refusal, "The service behind was told to refuse.", RETRY_AFTER[refusal]);
      return reply(input);
    });
  }

  const played = { accounts: accounts(play), ledger: ledger(play), payments: payments(play), checkout: checkout(play) };
  const stop = await startParts(
    (["accounts", "ledger", "payments", "checkout"] as const).map((service) =>
      serveRequests(world.others, { service, log: world.log, requests: played[service] }),
    ),
  );
  const refuseWith = (code: ProblemCode | undefined) => {
    refusal = code;
  };
  return { asked, refuseWith, stop };
}

const RETRY_AFTER: Partial<Record<ProblemCode, { retryAfterS: number }>> = {
  rate_limited: { retryAfterS: 60 },
  service_unavailable: { retryAfterS: 1 },
};

type Play = <Contract extends RequestContract>(
  contract: Contract,
  reply: (input: Input<Contract>) => Result<Contract>,
) => Request;

/** Accounts are remembered: what was not issued is not there. */
function accounts(play: Play): Request[] {
  const issued = new Map<string, CustomerAccount>();
  const keyOf = ({ id, mode }: { id: string; mode: Mode }, reference: string) => `${id} ${mode} ${reference}`;
  const find = (merchant: { id: string; mode: Mode }, reference: string) => {
    const account = issued.get(keyOf(merchant, reference));
    if (!account) throw new Problem("not_found", `accounts has no ${reference}`);
    return account;
  };
  const simulation = SimulationResult.parse(EXAMPLES.SimulationResult);
  return [
    play(issueCustomerAccount, ({ merchant, customer_reference, customer_name = "Ada" }) => {
      const key = keyOf(merchant, customer_reference);
      const known = issued.get(key);
      const account = known ?? anAccount(merchant.mode, customer_reference, customer_name);
      issued.set(key, account);
      return { account, created: !known };
    }),
    play(getCustomerAccount, ({ merchant, customer_reference }) => find(merchant, customer_reference)),
    play(listCustomerAccounts, ({ merchant, limit, offset }) => emptyPage(merchant.mode, limit, offset)),
    play(simulatePayment, ({ merchant, customer_reference, outcome, amount = 0n }) => {
      const { account_number } = find(merchant, customer_reference);
      return { ...simulation, outcome, amount, account_number, mode: merchant.mode };
    }),
    play(sandboxPay, ({ merchant, outcome }) => ({ ...simulation, outcome, mode: merchant.mode })),
  ];
}

function ledger(play: Play): Request[] {
  return [
    play(getBalance, ({ merchant: { mode } }) => ({
      mode,
      currency: "NGN" as const,
      collected: 250_073n,
      settled: -5n,
      as_of: "2026-11-21T09:30:00.123+00:00",
      ledger_sequence: 7,
    })),
  ];
}

function payments(play: Play): Request[] {
  const isNew = firstTimes();
  const payment = Payment.parse(EXAMPLES.Payment);
  const transfer = Transfer.parse(EXAMPLES.Transfer);
  return [
    play(openPayment, ({ merchant: { id, mode }, reference }) => ({
      payment: { ...payment, mode, merchant_reference: reference ?? null },
      created: isNew(`session ${id} ${mode}`, reference),
    })),
    play(getPayment, ({ merchant: { mode }, reference }) => ({ ...payment, mode, reference })),
    play(openCryptoPayment, () => {
      throw new Problem("crypto_unavailable", "USDT waits for an exchange partner.");
    }),
    play(listBanks, ({ merchant: { mode } }) => ({ ...BankList.parse(EXAMPLES.BankList), mode })),
    play(resolveAccount, ({ merchant: { mode } }) => ({ ...ResolvedAccount.parse(EXAMPLES.ResolvedAccount), mode })),
    play(createTransfer, ({ merchant: { id, mode }, reference }) => ({
      transfer: { ...transfer, mode, merchant_reference: reference },
      created: isNew(`transfer ${id} ${mode}`, reference),
    })),
    play(getTransfer, ({ merchant: { mode }, reference }) => ({ ...transfer, mode, reference })),
    play(listTransfers, ({ merchant, limit, offset }) => ({
      ...emptyPage(merchant.mode, limit, offset),
      data: [{ ...transfer, mode: merchant.mode }],
    })),
  ];
}

function checkout(play: Play): Request[] {
  const isNew = firstTimes();
  const session = CheckoutSession.parse(EXAMPLES.CheckoutSession);
  const opened = OpenedCheckout.parse(EXAMPLES.OpenedCheckout);
  return [
    play(getCheckout, ({ reference }) => ({ ...session, reference })),
    play(giveCheckoutDetails, ({ reference }) => ({ ...session, reference })),
    play(reportCheckoutSent, ({ reference }) => ({ ...session, reference, status: "processing" as const })),
    play(openCheckout, ({ merchant: { id, mode }, reference }) => ({
      checkout: { ...opened, mode, merchant_reference: reference ?? null },
      created: isNew(`${id} ${mode}`, reference),
    })),
  ];
}

/** Whether something is there for the first time; without a reference it always is. */
function firstTimes(): (scope: string, reference: string | undefined) => boolean {
  const seen = new Set<string>();
  return (scope, reference) => {
    const isFirst = reference === undefined || !seen.has(`${scope} ${reference}`);
    seen.add(`${scope} ${reference}`);
    return isFirst;
  };
}

const emptyPage = (mode: Mode, limit: number, offset: number) => ({ data: [], limit, offset, has_more: false, mode });

function anAccount(mode: Mode, customer_reference: string, customer_name: string): CustomerAccount {
  return {
    ...CustomerAccount.parse(EXAMPLES.CustomerAccount),
    customer_reference,
    customer_name,
    account_name: `Ada Stores / ${customer_name}`,
    mode,
  };
}
