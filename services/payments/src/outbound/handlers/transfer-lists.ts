import { answer, type Request } from "@collect/bus";
import {
  browseTransfers,
  isReferenceOf,
  listTransfers,
  Problem,
  pageOf,
  showTransfer,
  toPage,
} from "@collect/contracts";
import { pageAsked } from "../../domain/page.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import { shownTransfer } from "../domain/transfer-record.ts";
import { findTransferShown, listTransfersOf, listTransfersShown } from "../store/transfer-lists.ts";

/** Transfers as a merchant's people look at them. */
export function transferLists({ prisma }: { prisma: PrismaClient }): Request[] {
  return [
    answer(browseTransfers, async ({ merchant, limit, status, search, ...asked }) => {
      const page = pageAsked({ limit, ...asked });
      const filter = { status: status === "all" ? undefined : status, search };
      const rows = await listTransfersShown(prisma, merchant, { page, filter });
      const place = ({ createdAt, reference }: (typeof rows)[number]) => [createdAt, reference];
      return toPage(rows, { limit, place, show: shownTransfer });
    }),

    answer(listTransfers, async ({ merchant, status: asked, limit, offset }) => {
      const status = asked === "all" ? undefined : asked;
      const rows = await listTransfersOf(prisma, merchant, { status, limit: limit + 1, offset });
      return pageOf(rows, { limit, offset, mode: merchant.mode, show: shownTransfer });
    }),

    answer(showTransfer, async ({ merchant, reference }) => {
      const transfer = isReferenceOf("trf", reference)
        ? await findTransferShown(prisma, merchant, reference)
        : undefined;
      if (!transfer) throw new Problem("not_found", "There is no such transfer.");
      const { sentAt, reversedAt } = transfer;
      return { transfer: shownTransfer(transfer), sent_at: sentAt, reversed_at: reversedAt };
    }),
  ];
}
