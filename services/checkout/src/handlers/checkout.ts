import { answer, type Request } from "@collect/bus";
import {
  getCheckout,
  giveCheckoutDetails,
  openCheckout,
  reportCheckoutSent,
  type SessionSnapshot,
} from "@collect/contracts";
import { checkoutView, createdView } from "../domain/view.ts";
import type { Sessions } from "../use-cases/sessions.ts";

/** The same operations as requests for the gateway, which serves them under the address of the merchant API. */
export function checkoutRequests({ sessions }: { sessions: Sessions }): Request[] {
  const view = (session: SessionSnapshot) => checkoutView(session, new Date());
  return [
    answer(getCheckout, async ({ reference }) => view(await sessions.find(reference))),
    answer(giveCheckoutDetails, async ({ reference, ...details }, requestId) =>
      view(await sessions.giveDetails(reference, details, requestId)),
    ),
    answer(reportCheckoutSent, async ({ reference }, requestId) =>
      view(await sessions.reportSent(reference, requestId)),
    ),
    answer(openCheckout, async ({ merchant, ...fields }, requestId) => {
      const created = await sessions.create(merchant, fields, requestId);
      return { checkout: createdView(created, new Date()), created: created.created };
    }),
  ];
}
