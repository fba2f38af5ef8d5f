import { randomBytes } from "node:crypto";
import { registerMerchant } from "@collect/contracts";
import { newMerchantId } from "../domain/merchant-id.ts";
import { beginBusiness, finishBusiness } from "../store/businesses.ts";
import type { PersonCall, PersonDeps } from "./person.ts";

/** The id is committed before the request to the gateway, so that an interrupted attempt is retried under the same id. */
export async function createBusiness(
  { bus, pool }: PersonDeps,
  { input: { name }, session: { user_id: founderId }, requestId }: PersonCall<"merchants">,
) {
  const business = await beginBusiness(pool, { id: newMerchantId(randomBytes(16)), name, founderId });
  if (!business.registered) {
    await bus.request(registerMerchant, { merchant_id: business.id, name: business.name }, requestId);
    await finishBusiness(pool, business.id);
  }
  return { merchant_id: business.id, name: business.name };
}
