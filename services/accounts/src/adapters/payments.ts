import type { Bus } from "@collect/bus";
import {
  expireSession,
  findPayableSession,
  type MerchantScope,
  type RequestContext,
  type Result,
  type WireInput,
} from "@collect/contracts";

export type PayableSession = NonNullable<Result<typeof findPayableSession>["session"]>;

/** The session that a simulated payment is for, requested from payments; null when there is none. */
export async function findSession(
  bus: Bus,
  merchant: MerchantScope,
  by: WireInput<typeof findPayableSession>["by"],
  context: RequestContext,
): Promise<PayableSession | null> {
  const found = await bus.request(findPayableSession, { merchant: scopeOf(merchant), by }, context);
  return findPayableSession.output.parse(found).session;
}

/** Expires a session early. False when it was already closed. */
export async function closeSession(
  bus: Bus,
  merchant: MerchantScope,
  reference: string,
  context: RequestContext,
): Promise<boolean> {
  const { expired } = await bus.request(expireSession, { merchant: scopeOf(merchant), reference }, context);
  return expired;
}

const scopeOf = ({ id, mode }: MerchantScope): MerchantScope => ({ id, mode });
