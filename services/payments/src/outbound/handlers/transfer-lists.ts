import { answer, type Request } from "@collect/bus";
import { browseTransfers, isReferenceOf, Problem, showTransfer, TRANSFER_STATUSES, toPage } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { pageAsked } from "../../domain/page.ts";
import { shownTransfer } from "../domain/transfer-record.ts";
import { listTransfersShown } from "../store/transfer-lists.ts";
import { findTransfer } from "../store/transfers.ts";

/** Transfers as a merchant's people look at them. */
export function transferLists({ pool }: { pool: Pool }): Request[] {
  return [
    answer(browseTransfers, async ({ merchant, limit, status, search, ...asked }) => {
      const page = pageAsked({ limit, ...asked });
      const filter = { statuses: status === "all" ? TRANSFER_STATUSES : [status], search };
      const rows = await listTransfersShown(pool, merchant, { page, filter });
      const place = ({ createdAt, reference }: (typeof rows)[number]) => [createdAt, reference];
      return toPage(rows, { limit, place, show: shownTransfer });
    }),

    answer(showTransfer, async ({ merchant, reference }) => {
      const transfer = isReferenceOf("trf", reference) ? await findTransfer(pool, merchant, reference) : undefined;
      if (!transfer) throw new Problem("not_found", "There is no such transfer.");
      const { sentAt, reversedAt } = transfer;
      return { transfer: shownTransfer(transfer), sent_at: sentAt, reversed_at: reversedAt };
    }),
  ];
}
