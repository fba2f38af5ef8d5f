import { answer, type Request } from "@collect/bus";
import { searchPayments } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { soughtOf } from "../domain/sought.ts";
import { payerOf } from "../inbound/domain/collection-view.ts";
import { findCollections, findLinks, findPayers, findSessions } from "../inbound/store/search.ts";
import { shownName } from "../outbound/domain/holder-name.ts";
import { findTransfers } from "../outbound/store/search.ts";

const NOTHING = { collections: [], payers: [], sessions: [], transfers: [], links: [] };

/** The search of the dashboard over everything that payments owns. */
export function searchRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(searchPayments, async ({ merchant, text }) => {
      const sought = soughtOf(text);
      if (!sought) return NOTHING;
      const [payers, sessions, transfers, links] = await Promise.all([
        findPayers(pool, merchant, sought),
        findSessions(pool, merchant, sought),
        findTransfers(pool, merchant, sought),
        findLinks(pool, merchant, sought),
      ]);
      const collections = await findCollections(pool, merchant, { ...sought, payers, sessions });
      return {
        collections: collections.map(({ payerName, customerName, paidAt, ...collection }) => ({
          ...collection,
          ...{ payer_name: payerName, customer_name: customerName, paid_at: paidAt },
        })),
        payers: payers.map(payerOf),
        sessions: sessions.map(({ merchantReference, createdAt, ...session }) => ({
          ...session,
          ...{ merchant_reference: merchantReference, created_at: createdAt },
        })),
        transfers: transfers.map((transfer) => ({
          ...{ reference: transfer.reference, merchant_reference: transfer.merchantReference },
          account_name: shownName(transfer, transfer.status),
          ...{ amount: transfer.amount, status: transfer.status, created_at: transfer.createdAt },
        })),
        links,
      };
    }),
  ];
}
