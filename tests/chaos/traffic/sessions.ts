import { setTimeout as sleep } from "node:timers/promises";
import { koboOf, type OpenedSession, type SessionPlan } from "../books.ts";
import { authorization, type Context } from "./context.ts";
import type { Bank } from "./transfers.ts";

const PLANS: readonly SessionPlan[] = ["exact", "exact", "exact", "under", "over", "late", "never"];
const NAIRA = [2_000, 9_000] as const;
const PAID_AFTER_MS = [200, 3_000] as const;
/** Late is later than any clock could mistake for in time. */
const LATE_BY_MS = 1_500;

/** Opens a session as a merchant's server does and pays it, or not, as its plan is. */
export async function playSession({ world, random, merchantApi }: Context, bank: Bank): Promise<void> {
  const plan = random.pick(PLANS);
  const merchant = random.int(0, world.merchants.length - 1);
  const order = `order-${world.books.sessions.length}-${random.int(0, 1e9)}`;
  // Money of another amount is known by an account that only this payer has.
  const isOwn = plan === "under" || plan === "over" || random.chance(0.5);
  const customer = isOwn ? { customer_reference: order, customer_name: "Ada Obi" } : {};
  const waitMs = random.int(...PAID_AFTER_MS);
  const body = JSON.stringify({ amount: random.int(...NAIRA), reference: order, ...customer });
  const headers = authorization(world.merchants[merchant]?.keys.sk_live ?? "");
  const answer = await merchantApi(
    { method: "POST", path: "/v1/payments", headers, body },
    ({ status }) => status < 500,
  );
  if (!answer) return;
  if (answer.status > 201) {
    world.books.oddities.push(`opening a session was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return;
  }
  const session: OpenedSession = {
    reference: String(answer.body.reference),
    merchant,
    plan,
    amount: koboOf(answer.body.amount),
    expiresAtMs: Date.parse(String(answer.body.expires_at)),
    paidBy: undefined,
  };
  world.books.sessions.push(session);
  if (plan === "never") return;
  await sleep(plan === "late" ? Math.max(0, session.expiresAtMs + LATE_BY_MS - Date.now()) : waitMs);
  session.paidBy = await bank.report({
    merchant,
    accountNumber: String(answer.body.account_number),
    amount: amountOf(session),
    session: session.reference,
  });
}

export function amountOf({ plan, amount }: Pick<OpenedSession, "plan" | "amount">): number {
  if (plan === "under") return Math.ceil(amount / 3);
  return plan === "over" ? amount + 500_000 : amount;
}
