import { answer, type Bus, type Request } from "@collect/bus";
import { Problem, simulatePayment } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { findSession } from "../adapters/payments.ts";
import { customerPayment } from "../domain/simulation.ts";
import { accountRetired, assertTestMode } from "../domain/test-mode.ts";
import { findAccount } from "../store/customer-accounts.ts";
import type { TestMoney } from "../use-cases/test-money.ts";

type Deps = { pool: Pool; bus: Bus; testMoney: TestMoney };

/** Simulates a payment into a customer's account, for its newest open session if there is one. */
export function simulationRequests({ pool, bus, testMoney }: Deps): Request[] {
  return [
    answer(simulatePayment, async ({ merchant, customer_reference, outcome, amount, payer_name }, context) => {
      assertTestMode(merchant);
      const account = await findAccount(pool, merchant, customer_reference);
      if (!account?.account_number) throw new Problem("not_found", "There is no such customer account.");
      if (account.status === "retired") throw accountRetired();
      const accountNumber = account.account_number;
      const by = { account_number: accountNumber, to_expire: outcome === "expired" };
      const session = await findSession(bus, merchant, by, context);
      const payment = customerPayment(outcome, { amount, session });
      const payerName = payer_name ?? account.customer_name;
      return testMoney({ merchant, outcome, accountNumber, session, payerName, ...payment }, context);
    }),
  ];
}
