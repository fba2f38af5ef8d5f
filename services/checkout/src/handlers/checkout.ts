import { answer, type Request } from "@collect/bus";
import {
  getCheckout,
  giveCheckoutDetails,
  openCheckout,
  reportCheckoutSent,
  type SessionSnapshot,
} from "@collect/contracts";
import { checkoutView, createdView } from "../domain/view.ts";
import type { Client } from "../use-cases/gate.ts";
import type { CountSessionCall } from "../use-cases/session-limits.ts";
import type { Sessions } from "../use-cases/sessions.ts";

/** The same operations as requests for the gateway, which serves them under the address of the merchant API. */
export function checkoutRequests({ sessions, count }: { sessions: Sessions; count: CountSessionCall }): Request[] {
  const view = (session: SessionSnapshot) => checkoutView(session, new Date());
  return [
    answer(getCheckout, async ({ reference }) => {
      await count("checkout_reads", reference);
      return view(await sessions.find(reference));
    }),
    answer(giveCheckoutDetails, async ({ reference, client, proof, ...details }, context) => {
      await count("checkout_details", reference);
      return view(await sessions.giveDetails(reference, details, { context, client: clientOf(client, proof) }));
    }),
    answer(reportCheckoutSent, async ({ reference }, context) => {
      await count("checkout_sent", reference);
      return view(await sessions.reportSent(reference, context));
    }),
    answer(openCheckout, async ({ merchant, client, ...fields }, context) => {
      const created = await sessions.create(merchant, fields, { context, client: clientOf(client, fields.proof) });
      return { checkout: createdView(created, new Date()), created: created.created };
    }),
  ];
}

/** A gateway of the previous release names no client: together such calls are one. */
const clientOf = (address = "gateway", proof?: string): Client => ({ address, proof });
