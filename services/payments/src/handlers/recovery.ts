import { answer, type Epochs, type Request } from "@collect/bus";
import {
  keepAccounts,
  keepTestEvent,
  listAccountCopies,
  listIntakes,
  listOutboundTransfers,
  listTransferEvents,
  readCollectionFacts,
  readIntakes,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { orderOf } from "../adapters/ledger.ts";
import type { End, Transfer } from "../domain/transfer.ts";
import { completedTransfer, parseToldKey } from "../domain/transfer-record.ts";
import { copiesSince, keepCopies } from "../store/account-copies.ts";
import {
  eventNumbers,
  intakesOf,
  intakesReceived,
  keepTestNumber,
  type NumberRow,
  readTransfers,
  succeededFacts,
  touchedTransfers,
} from "../store/recovery.ts";

const PAGE = 500;
/** A fact is up to 1 kB and a message of the broker at most 1 MB. */
const FACTS_PAGE = 300;

/** What a neighbour asks whose database was restored. A payments that was restored itself has no answer yet. */
export function recoveryRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  const current = <Input, Output>(work: (input: Input) => Promise<Output>) => {
    return (input: Input) => {
      epochs.assertCurrent();
      return work(input);
    };
  };
  return [
    answer(
      listOutboundTransfers,
      current(async ({ since, after }) => {
        const transfers = await touchedTransfers(pool, { since, after, limit: PAGE });
        const held = transfers.filter(({ step }) => step !== "created" && step !== "refused");
        return { rows: held.map(outboundOf), next: nextOf(transfers, PAGE, ({ reference }) => reference) };
      }),
    ),
    answer(
      listTransferEvents,
      current(async ({ since, after }) => {
        const numbers = await eventNumbers(pool, { since, after, limit: FACTS_PAGE });
        const references = numbers.map(({ key }) => parseToldKey(key).reference);
        const byReference = new Map((await readTransfers(pool, references)).map((row) => [row.reference, row]));
        const rows = numbers.map((number) => eventOf(number, byReference.get(parseToldKey(number.key).reference)));
        return { rows, next: nextOf(numbers, FACTS_PAGE, ({ key }) => key) };
      }),
    ),
    answer(
      readCollectionFacts,
      current(async ({ intake_ids }) => ({ collections: await succeededFacts(pool, intake_ids) })),
    ),
    answer(
      readIntakes,
      current(async ({ intake_ids }) => ({ intakes: await intakesOf(pool, intake_ids) })),
    ),
    answer(
      listIntakes,
      current(async (span) => {
        const intakes = await intakesReceived(pool, { ...span, limit: FACTS_PAGE });
        return { intakes, next: intakes.length < FACTS_PAGE ? null : (intakes.at(-1)?.intakeId ?? null) };
      }),
    ),
    answer(keepAccounts, async ({ accounts }) => {
      await keepCopies(pool, accounts);
      return {};
    }),
    answer(
      listAccountCopies,
      current((page) => copiesSince(pool, { ...page, limit: PAGE })),
    ),
    answer(keepTestEvent, async (event) => {
      await keepTestNumber(pool, event);
      return {};
    }),
  ];
}

const outboundOf = (transfer: Transfer) => ({
  transfer_id: transfer.reference,
  merchant: { id: transfer.merchantId, mode: transfer.mode },
  amount: transfer.amount,
  order: orderOf(transfer),
  outcome: transfer.status === "pending" ? null : transfer.status,
});

function eventOf({ key, merchantId, mode, sequence, deliveryNumber, recordedAt }: NumberRow, transfer?: Transfer) {
  const end = parseToldKey(key).end as End;
  return {
    key,
    merchant: { id: merchantId, mode },
    transfer: transfer ? completedTransfer(transfer, end) : null,
    sequence: Number(sequence),
    delivery_number: deliveryNumber === null ? null : Number(deliveryNumber),
    recorded_at: recordedAt,
  };
}

/** Null after the last page. */
function nextOf<Row extends { at: string }>(rows: Row[], limit: number, keyOf: (row: Row) => string) {
  const last = rows.at(-1);
  return last && rows.length === limit ? { at: last.at, key: keyOf(last) } : null;
}
