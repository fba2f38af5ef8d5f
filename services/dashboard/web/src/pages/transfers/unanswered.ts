import { useSessionStorage } from "@mantine/hooks";
import { ApiProblem } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import type { NamedAccount } from "../../components/bank-account.tsx";
import type { Order } from "./order.ts";

/** An order whose response is unknown. Until it is known, no other order can be sent: it could pay twice. */
export type Unanswered = { order: Order; account: NamedAccount; asked_at: number };

/** Stored in the browser tab from the click until the response, so that closing the dialog or reloading does not lose it. */
export function useUnanswered() {
  const { me, merchantId, mode } = useScope();
  const [unanswered, keep, drop] = useSessionStorage<Unanswered | null>({
    key: `unanswered-transfer ${me.user.id} ${merchantId} ${mode}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  return { unanswered, keep, drop };
}

/** Refusals of the order itself. Any other refusal came before the order was examined, and says nothing about an earlier attempt. */
const ON_THE_ORDER = new Set<string>(["insufficient_balance", "account_unresolved", "reference_conflict"]);

/** Whether it is unknown after this error if the transfer was created. */
export function isOpenAfter(problem: unknown, wasUnanswered: boolean): boolean {
  if (!(problem instanceof ApiProblem)) return true;
  if (problem.status === 0 || problem.status >= 500) return true;
  return wasUnanswered && !ON_THE_ORDER.has(problem.code);
}
