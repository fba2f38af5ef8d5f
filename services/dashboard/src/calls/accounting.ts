import { browseOf, browseSettlementTotals } from "@collect/contracts";
import type { z } from "zod";
import {
  JournalAccounts,
  QuickBooksJournal,
  QuickBooksStatement,
  XeroAccounts,
  XeroJournal,
  XeroStatement,
} from "../domain/accounting.ts";
import { composedList, type Declaration } from "./declaration.ts";

/** Settlements as accounting software imports them, under the filters of their list. */
const Settlements = browseSettlementTotals.input.omit({ merchant: true });

function importable<In extends z.ZodObject, Row extends z.ZodObject>(input: In, row: Row) {
  return { ...composedList(input, browseOf(row)), permission: "exports", isImported: true } as const;
}

export const ACCOUNTING_READS = {
  "settlements/xero-statement": importable(Settlements, XeroStatement),
  "settlements/xero-journal": importable(Settlements.extend(XeroAccounts.shape), XeroJournal),
  "settlements/quickbooks-statement": importable(Settlements, QuickBooksStatement),
  "settlements/quickbooks-journal": importable(Settlements.extend(JournalAccounts.shape), QuickBooksJournal),
} satisfies Record<string, Declaration>;
