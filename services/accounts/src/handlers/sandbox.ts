import { answer, type Bus, type Request } from "@collect/bus";
import { invalidFields, type Merchant, Problem, type RequestContext, sandboxPay } from "@collect/contracts";
import { naira } from "@collect/money";
import { findSession } from "../adapters/payments.ts";
import { parseTarget, type RequestedTarget } from "../domain/sandbox.ts";
import { amountSent, owedBy, withinLimit } from "../domain/simulation.ts";
import { accountRetired, assertTestMode } from "../domain/test-mode.ts";
import { isRetired } from "../store/customer-accounts.ts";
import { collectionAccountOf } from "../use-cases/collection-account.ts";
import type { IssuingDeps } from "../use-cases/issue-account.ts";
import type { TestMoney, TestPayment } from "../use-cases/test-money.ts";

const PAYER_NAME = "Test Payer";

type Deps = IssuingDeps & { bus: Bus; testMoney: TestMoney };

/** Simulates a payment for a session by its reference, for one of this amount, or into the first collection account. */
export function sandboxRequests(deps: Deps): Request[] {
  return [
    answer(sandboxPay, async ({ merchant, ...input }, context) => {
      assertTestMode(merchant);
      const { outcome, amount_sent, payer_name: payerName = PAYER_NAME } = input;
      const { session, owed } = await targetOf(deps, merchant, { requested: parseTarget(input), outcome }, context);
      // Validated first: a refused request creates no account.
      const sent = amount_sent === undefined ? amountSent(outcome, owed) : withinLimit(amount_sent, "amount_sent");
      const accountNumber = session?.account_number ?? (await collectionAccountOf(deps, merchant, 1)).account_number;
      return deps.testMoney({ merchant, outcome, session, accountNumber, owed, sent, payerName }, context);
    }),
  ];
}

const WITHOUT_ACCOUNT = "has no account yet: give its payer's details first, POST /checkout/{reference}/details";

type Target = Pick<TestPayment, "session" | "owed">;

async function targetOf(
  deps: Deps,
  merchant: Merchant,
  { requested, outcome }: { requested: RequestedTarget } & Pick<TestPayment, "outcome">,
  context: RequestContext,
): Promise<Target> {
  if ("amount" in requested) {
    const session = await findSession(deps.bus, merchant, { amount: naira(requested.amount) }, context);
    return { session, owed: requested.amount };
  }
  const session = await findSession(deps.bus, merchant, requested, context);
  if (!session) throw new Problem("not_found", "There is no such payment session.");
  const { account_number } = session;
  if (account_number === null && outcome !== "expired")
    throw invalidFields([{ param: "payment_reference", code: "invalid", message: WITHOUT_ACCOUNT }]);
  if (account_number && (await isRetired(deps.pool, merchant.mode, account_number))) throw accountRetired();
  return { session, owed: owedBy(session) };
}
