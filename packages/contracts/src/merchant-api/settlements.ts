import { z } from "zod";
import { Currency, Mode, Naira, NairaBalance } from "../fields.ts";
import { Cursor, CursorPage, cursorListOf, HasMore, Limit, Timestamp } from "./lists.ts";
import { COLLECTION, ONE_CURSOR_PAGE, PAID_AT, SETTLEMENT } from "./story.ts";

/** Money that moved from Collected to Settled. */
const Settled = z.object({
  id: z.string().meta({ description: "The `settlement_id` of its collections.", examples: [SETTLEMENT.id] }),
  amount: Naira.meta({ description: "What was settled, net of the fee, in naira: the sum of its lines." }),
  currency: Currency,
  cut_off: Timestamp.meta({ description: "It settles what was recorded before this time and not settled yet." }),
  created_at: Timestamp.meta({ description: "When it was booked." }),
  mode: Mode,
});
export const MerchantSettlement = Settled.meta({
  id: "Settlement",
  description: "Money that moved from Collected to Settled.",
  examples: [SETTLEMENT],
});

export const ListSettlements = CursorPage;
export const SettlementList = cursorListOf(MerchantSettlement).meta({
  id: "SettlementList",
  description: "A page of settlements.",
  examples: [{ data: [SETTLEMENT], ...ONE_CURSOR_PAGE }],
});

/** Which page of its lines. */
export const ReadSettlement = CursorPage;

const Line = z.object({
  kind: z.string().meta({
    description:
      "`collection`, or `allocation` for a collection that an operator assigned to you later; `collection_reversal` and `allocation_reversal` for what the bank took back of one; `cover` for what was moved back from Settled because Collected was below zero.",
  }),
  collection_reference: z
    .string()
    .nullable()
    .meta({ description: "The collection; null if it is not recorded as one yet, and for other lines." }),
  amount: NairaBalance.meta({ description: "What was received, in naira; negative if the bank took it back." }),
  fee: NairaBalance.meta({ description: "Our fee on it, in naira; negative if it was given back." }),
  net: NairaBalance.meta({ description: "What was settled of it, in naira." }),
  recorded_at: Timestamp.meta({ description: "When it was added to Collected." }),
});

/** What the lines of a settlement come to. */
export const SettlementTotals = z.object({
  amount: NairaBalance.meta({ description: "What was received, less what the bank took back, in naira." }),
  fee: NairaBalance.meta({ description: "Our fees on it, less what was given back of them, in naira." }),
  covered: NairaBalance.optional().meta({
    description: "What was moved back from Settled because Collected was below zero, in naira. Absent without any.",
  }),
  net: NairaBalance.meta({
    description: "What was settled, in naira: `amount` less `fee`, and `covered`. It is the settlement's `amount`.",
  }),
});

export const SettlementWithLines = Settled.extend({
  totals: SettlementTotals.optional().meta({ description: "The sums of all its lines, on every page." }),
  lines: z
    .object({
      data: z.array(Line).meta({ description: "In the order in which they were recorded, oldest first." }),
      limit: Limit,
      has_more: HasMore,
      next: Cursor.nullable().meta({ description: "The `after` of the next page; null on the last one." }),
    })
    .meta({ description: "A page of what was settled, in the order in which it was recorded." }),
}).meta({
  id: "SettlementWithLines",
  description: "A settlement, and a page of what it settled.",
  examples: [
    {
      ...SETTLEMENT,
      totals: { amount: COLLECTION.amount, fee: COLLECTION.fee, net: COLLECTION.net },
      lines: {
        data: [
          {
            kind: "collection",
            collection_reference: COLLECTION.reference,
            amount: COLLECTION.amount,
            fee: COLLECTION.fee,
            net: COLLECTION.net,
            recorded_at: PAID_AT,
          },
        ],
        limit: 20,
        has_more: false,
        next: null,
      },
    },
  ],
});

/** Test money that was settled on request. */
export const SandboxSettlement = z
  .object({
    settlement: MerchantSettlement.nullable().meta({
      description: "Null if nothing was collected since the last one.",
    }),
    mode: Mode,
  })
  .meta({
    id: "SandboxSettlement",
    description: "What a call settled.",
    examples: [{ settlement: SETTLEMENT, mode: "test" }],
  });
