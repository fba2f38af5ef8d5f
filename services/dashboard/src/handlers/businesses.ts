import { randomBytes } from "node:crypto";
import { Problem, registerMerchant } from "@collect/contracts";
import { newMerchantId } from "../domain/merchant-id.ts";
import { MADE_MAX } from "../domain/rate-limits.ts";
import { assertConfirmed } from "../http/sessions.ts";
import { noteAct } from "../store/audit.ts";
import { beginBusiness, type Counted, finishBusiness } from "../store/businesses.ts";
import type { PersonCall, PersonDeps } from "./person.ts";

/**
 * The first business needs no confirmed address, so that everybody can try test mode at once; every other one does. The id is
 * committed before the request to the gateway, so that an interrupted attempt is retried under the same id.
 */
export async function createBusiness(
  { bus, config, pool }: PersonDeps,
  { input: { name }, session, context }: PersonCall<"merchants">,
) {
  const business = await beginBusiness(
    pool,
    { id: newMerchantId(randomBytes(16)), name, founderId: session.user_id },
    (counted) => {
      if (counted.made > 0) assertConfirmed(session, config);
      assertRoom(counted);
    },
  );
  if (!business.registered) {
    await bus.request(registerMerchant, { merchant_id: business.id, name: business.name }, context);
    await finishBusiness(pool, business.id);
    const act = { merchantId: business.id, action: "merchant.registered", detail: { name: business.name } };
    await noteAct(pool, { ...act, ...context, outcome: "done" });
  }
  return { merchant_id: business.id, name: business.name };
}

function assertRoom({ made, today, seconds }: Counted): void {
  if (made >= MADE_MAX.businesses)
    throw new Problem(
      "conflict",
      `You have created ${made} businesses, which is the limit for one person. Contact us if you need another.`,
    );
  if (today >= MADE_MAX.businessesPerDay)
    throw new Problem("rate_limited", `At most ${MADE_MAX.businessesPerDay} businesses can be created in 24 hours.`, {
      retryAfterS: Math.max(seconds, 1),
    });
}
