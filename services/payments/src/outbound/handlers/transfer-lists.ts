import { answer, type Epochs, type Request } from "@collect/bus";
import {
  assertOneStart,
  browseTransfers,
  cursorPageOf,
  foreignCursor,
  type Input,
  isReferenceOf,
  listTransfers,
  type MerchantScope,
  showTransfer,
  sumTransfers,
  toPage,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { isStorable, requestedPage, spanOf } from "../../domain/page.ts";
import { soughtInList } from "../../domain/sought.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import type { Transfer } from "../domain/transfer.ts";
import { toTransferResponse } from "../domain/transfer-record.ts";
import { searchTransfers } from "../store/search.ts";
import {
  findListedTransfer,
  isTransferOf,
  listTransfers as readTransfers,
  sumTransfers as sumListed,
  type TransferFilter,
} from "../store/transfer-lists.ts";
import { missingTransfer } from "../use-cases/missing-transfer.ts";

type Deps = { epochs: Epochs; prisma: PrismaClient; lists: Pool };

/** Transfers, for merchants' servers and the dashboard. */
export function transferListRequests({ epochs, prisma, lists }: Deps): Request[] {
  return [
    answer(listTransfers, async ({ merchant, status, reference, limit, offset, after }) => {
      // A restored list lacks rows for a while: a merchant that reads on from here would miss them.
      epochs.assertCurrent();
      assertOneStart({ after, offset });
      const page = requestedPage("trf_", { limit, after });
      if (page.key && !(await isTransferOf(prisma, merchant, page.key))) throw foreignCursor();
      const search = reference === undefined ? undefined : { text: reference, references: [reference] };
      const filter = { status: status === "all" ? undefined : status, search };
      const rows = await readTransfers(prisma, merchant, { page, offset, filter });
      return { ...cursorPageOf(toPage(rows, { limit, ...SHOWN }), { limit, mode: merchant.mode }), offset };
    }),

    answer(browseTransfers, async ({ merchant, limit, after, from, before, ...filters }) => {
      const page = requestedPage("trf_", { limit, after, from, before });
      const { filter, isPartial } = await filterOf(lists, merchant, filters);
      const rows = await readTransfers(prisma, merchant, { page, filter });
      if (rows.length === 0) epochs.assertCurrent();
      return { ...toPage(rows, { limit, ...SHOWN }), is_partial: isPartial };
    }),

    answer(sumTransfers, async ({ merchant, from, before, ...filters }) => {
      const { filter } = await filterOf(lists, merchant, filters);
      return { totals: (await sumListed(prisma, merchant, { span: spanOf({ from, before }), filter })) ?? null };
    }),

    answer(showTransfer, async ({ merchant, reference }) => {
      const found = isReferenceOf("trf", reference) ? await findListedTransfer(prisma, merchant, reference) : undefined;
      const transfer = found ?? missingTransfer(epochs);
      const { sentAt, reversedAt, heldFor } = transfer;
      const steps = { sent_at: sentAt, reversed_at: reversedAt, held_for: heldFor };
      return { transfer: toTransferResponse(transfer), ...steps, ...approvalOf(transfer) };
    }),
  ];
}

type Filters = Omit<Input<typeof sumTransfers>, "merchant" | "from" | "before">;

async function filterOf(
  lists: Pool,
  merchant: MerchantScope,
  { status, approval, search, ...filters }: Filters,
): Promise<{ filter: TransferFilter; isPartial?: boolean }> {
  const filter = {
    status: status === "all" ? undefined : status,
    approval,
    accountNumber: filters.account_number,
    bankCode: filters.bank_code,
    amountFrom: filters.amount_from,
    amountTo: filters.amount_to,
    references: filters.references?.filter(isStorable),
  };
  if (search === undefined) return { filter };
  const sought = soughtInList(search);
  const { keys, isPartial } = await searchTransfers(lists, merchant, sought);
  return { filter: { ...filter, search: { text: sought.text, references: keys } }, isPartial };
}

const SHOWN = {
  cursor: ({ createdAt, reference }: Transfer) => [createdAt, reference],
  toResponse: toTransferResponse,
};

const approvalOf = ({
  orderedBy,
  approval,
  approvalBy,
  approvalAt,
}: Awaited<ReturnType<typeof findListedTransfer>> & object) => ({
  ordered_by: orderedBy,
  approval: approval && { state: approval, by: approvalBy, at: approvalAt },
});
