import { z } from "zod";
import { AmountRange, Browse, browseOf, Search, Selected, Span, totalsOf } from "../browse.ts";
import { Id, Instant, Naira, NairaBalance, ReferenceQuery } from "../fields.ts";
import {
  ListSettlements,
  ReadSettlement,
  SandboxSettlement,
  SettlementList,
  SettlementTotals,
  SettlementWithLines,
} from "../merchant-api/settlements.ts";
import { request } from "../message.ts";
import { Settlement } from "./ledger.ts";
import { byScope } from "./merchant.ts";

/** Settlements, as merchants read them with a key. */

export const listSettlements = request({
  subject: "ledger.settlement.list",
  callers: ["gateway"],
  meaning: "Settlements of one merchant and mode, the latest cut-off first.",
  input: byScope.extend(ListSettlements.shape),
  output: SettlementList,
});

export const readSettlement = request({
  subject: "ledger.settlement.read",
  callers: ["gateway"],
  meaning: "One settlement of a merchant and mode with a page of what it settled, and what all of it comes to.",
  deadlineMs: 20_000,
  input: byScope.extend({ ...ReadSettlement.shape, id: ReferenceQuery }),
  output: SettlementWithLines,
});

export const settleTestMoney = request({
  subject: "ledger.settlement.run_test",
  callers: ["gateway"],
  meaning: "Move everything that was collected so far in test mode to Settled. Live mode is refused.",
  deadlineMs: 20_000,
  input: byScope,
  output: SandboxSettlement,
});

/** The ledger in the dashboard: the merchant's own ledger accounts, never those of the bank, the fees or another merchant. */

/** Which settlements. A time span selects by when they were created, and a search is for a reference or its beginning. */
const SettlementFilters = byScope.extend({
  ...Span.shape,
  ...AmountRange.shape,
  ...Selected.shape,
  search: Search,
});

export const browseSettlements = request({
  subject: "ledger.settlement.browse",
  callers: ["dashboard"],
  meaning:
    "Settlements of one merchant and mode, the latest cut-off first; a time span selects by when they were created.",
  input: SettlementFilters.extend(Browse.shape),
  output: browseOf(Settlement),
});

export const sumSettlements = request({
  subject: "ledger.settlement.sum",
  callers: ["dashboard"],
  meaning:
    "How many settlements match the filters of the list, and their sum; null above 10,000, which are not counted.",
  input: SettlementFilters,
  output: totalsOf({ amount: Naira }),
});

export const browseSettlementTotals = request({
  subject: "ledger.settlement.browse_totals",
  callers: ["dashboard"],
  meaning:
    "The list of settlements, with what the lines of each come to. A page can be shorter than its limit, because lines are summed.",
  deadlineMs: 20_000,
  input: SettlementFilters.extend(Browse.shape),
  output: browseOf(Settlement.extend({ totals: SettlementTotals })),
});

export const getSettlement = request({
  subject: "ledger.settlement.get",
  callers: ["dashboard"],
  meaning: "One settlement of a merchant and mode, and what its lines come to.",
  deadlineMs: 20_000,
  input: byScope.extend({ reference: ReferenceQuery }),
  output: Settlement.extend({ totals: SettlementTotals.optional() }),
});

export const browseSettlementLines = request({
  subject: "ledger.settlement.browse_lines",
  callers: ["payments", "dashboard"],
  meaning: "The entries of Collected that a settlement moved, oldest first; their amounts sum to the settlement's.",
  input: byScope.extend({ reference: ReferenceQuery, ...Browse.shape }),
  output: browseOf(
    z.object({
      /** Of a collection, an allocation, or a reversal of one: the collection's intake id. Of a `cover` it names nothing. */
      key: Id,
      kind: z.string(),
      /** Received, fee, and the entry: what is owed to the merchant. Negative if the bank took it back. */
      gross: NairaBalance,
      fee: NairaBalance,
      amount: NairaBalance,
      version: z.int(),
      recorded_at: Instant,
    }),
  ),
});

export const settlementsOfCollections = request({
  subject: "ledger.settlement.of_collections",
  callers: ["payments"],
  meaning: "The settlements of a merchant's collections, by their intake ids; those that are not settled are omitted.",
  input: byScope.extend({ intake_ids: z.array(Id).max(100) }),
  output: z.object({ settlements: z.array(z.object({ intake_id: Id, reference: Id })) }),
});

export const browseCollected = request({
  subject: "ledger.collection.browse",
  callers: ["payments"],
  meaning:
    "The intake ids of a merchant's collections that are settled, or are not settled yet, the last recorded first.",
  input: byScope.extend({ ...Browse.shape, settled: z.enum(["yes", "no"]) }),
  output: browseOf(z.object({ intake_id: Id })),
});

export const getTransaction = request({
  subject: "ledger.transaction.get",
  callers: ["dashboard"],
  meaning:
    "The transaction with this key and its entries. Balances are included for the merchant's own ledger accounts only.",
  input: byScope.extend({
    /** An intake id, a settlement's reference or key, or a transfer's id with the kind of booking: `trf_…:reserve`. */
    key: ReferenceQuery,
  }),
  output: z.object({
    transaction_id: Id,
    kind: z.string(),
    amount: Naira,
    fee: Naira,
    fee_basis_points: z.int(),
    occurred_at: Instant,
    posted_at: Instant,
    entries: z.array(
      z.object({
        /** bank, fees, collected, settled, payouts or suspense. */
        account: z.string(),
        /** Debits are positive. */
        amount: NairaBalance,
        /** From the merchant's side: positive is what the merchant is owed. */
        balance_after: NairaBalance.nullable(),
        version: z.int().nullable(),
      }),
    ),
  }),
});

export const getSettlementSchedule = request({
  subject: "ledger.settlement_schedule.get",
  callers: ["dashboard"],
  meaning: "A merchant's settlement schedule and its next cut-off.",
  input: byScope,
  output: z.object({ delay_days: z.int(), at: z.string(), next_at: Instant }),
});
