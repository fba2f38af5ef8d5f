import { setTimeout as sleep } from "node:timers/promises";
import { type CreatedSession, koboOf, type SessionPlan } from "../observations.ts";
import { authorization, type Context } from "./context.ts";
import type { Bank } from "./transfers.ts";

const PLANS: readonly SessionPlan[] = ["exact", "exact", "exact", "under", "over", "late", "never"];
const NAIRA = [2_000, 9_000] as const;
const PAID_AFTER_MS = [200, 3_000] as const;
/** Late enough to exclude clock differences. */
const LATE_BY_MS = 1_500;

/** Creates a session as a merchant's server does, and pays it according to its plan. */
export async function playSession({ world, random, merchantApi }: Context, bank: Bank): Promise<void> {
  const plan = random.pick(PLANS);
  const merchant = random.int(0, world.merchants.length - 1);
  const order = `order-${world.observations.sessions.length}-${random.int(0, 1e9)}`;
  // Another amount can be matched only on an account that only this payer has.
  const isOwn = plan === "under" || plan === "over" || random.chance(0.5);
  const customer = isOwn ? { customer_reference: order, customer_name: "Ada Obi" } : {};
  const waitMs = random.int(...PAID_AFTER_MS);
  const body = JSON.stringify({ amount: random.int(...NAIRA), reference: order, ...customer });
  const headers = authorization(world.merchants[merchant]?.keys.sk_live ?? "");
  const response = await merchantApi(
    { method: "POST", path: "/v1/payments", headers, body },
    ({ status }) => status < 500,
  );
  if (!response) return;
  if (response.status > 201) {
    world.observations.anomalies.push(
      `creating a session was answered with ${response.status}: ${JSON.stringify(response.body)}`,
    );
    return;
  }
  const session: CreatedSession = {
    reference: String(response.body.reference),
    merchant,
    plan,
    amount: koboOf(response.body.amount),
    expiresAtMs: Date.parse(String(response.body.expires_at)),
    paidBy: undefined,
  };
  world.observations.sessions.push(session);
  if (plan === "never") return;
  await sleep(plan === "late" ? Math.max(0, session.expiresAtMs + LATE_BY_MS - Date.now()) : waitMs);
  session.paidBy = await bank.report({
    merchant,
    accountNumber: String(response.body.account_number),
    amount: amountOf(session),
    session: session.reference,
  });
}

export function amountOf({ plan, amount }: Pick<CreatedSession, "plan" | "amount">): number {
  if (plan === "under") return Math.ceil(amount / 3);
  return plan === "over" ? amount + 500_000 : amount;
}
