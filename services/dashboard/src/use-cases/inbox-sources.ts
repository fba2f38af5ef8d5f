import {
  browseCollections,
  browsePayments,
  browseTransferBatches,
  browseTransfers,
  getCollection,
  getVerification,
  getWebhookHealth,
  type MerchantScope,
  type RequestContract,
  showPayment,
  showTransfer,
  showTransferBatch,
  type WireInput,
  type WireResult,
} from "@collect/contracts";
import type { InboxKind } from "../domain/inbox.ts";
import { unlessNotFound } from "../domain/unless-refused.ts";

/** A member's call, of which only the merchant and the way to the other services are needed. */
type Asking = {
  member: { merchant: MerchantScope };
  request<Contract extends RequestContract>(
    contract: Contract,
    data: WireInput<Contract>,
  ): Promise<WireResult<Contract>>;
};

/** What is known of an item where it comes from. */
export type Sourced = {
  reference: string;
  amount: number | null;
  amount_received: number | null;
  name: string | null;
  reason: string | null;
  failure_code: string | null;
  count: number | null;
  at: string | null;
};
export type SourcedPage = { data: Sourced[]; next: string | null };

/** Where the items of a kind come from: the newest first, a page at a time, and whether this is one of them. */
type Source = {
  list(call: Asking, page: { limit: string; after?: string }): Promise<SourcedPage>;
  has(call: Asking, reference: string): Promise<boolean>;
};

const NOTHING = {
  ...{ amount: null, amount_received: null, name: null, reason: null, failure_code: null },
  ...{ count: null, at: null },
};

export const SOURCES: Record<InboxKind, Source> = {
  approval: transfers({ approval: "required" }, ({ approval }) => approval?.state === "required"),
  file: {
    async list({ request, member: { merchant } }, page) {
      const { data, next } = await request(browseTransferBatches, { merchant, state: "awaiting_approval", ...page });
      const toItem = ({ reference, total: amount, lines: count, name, confirmed_at: at }: (typeof data)[number]) => ({
        ...NOTHING,
        ...{ reference, amount, name, count, at },
      });
      return { data: data.map(toItem), next };
    },
    async has({ request, member: { merchant } }, reference) {
      const shown = await unlessNotFound(request(showTransferBatch, { merchant, reference }));
      return shown?.state === "awaiting_approval";
    },
  },
  failed: transfers({ status: "failed" }, ({ transfer }) => transfer.status === "failed"),
  reversed: transfers({ status: "reversed" }, ({ transfer }) => transfer.status === "reversed"),
  unmatched: {
    async list({ request, member: { merchant } }, page) {
      const { data, next } = await request(browseCollections, { merchant, match: "none", ...page });
      const toItem = ({ reference, amount, payer, paid_at: at }: (typeof data)[number]) => ({
        ...NOTHING,
        ...{ reference, amount, name: payer.name, at },
      });
      return { data: data.map(toItem), next };
    },
    async has({ request, member: { merchant } }, reference) {
      const { collection } = (await unlessNotFound(request(getCollection, { merchant, reference }))) ?? {};
      const { payment_reference, customer_reference, amount_reversed } = collection ?? {};
      return payment_reference === null && customer_reference === null && !amount_reversed;
    },
  },
  underpaid: sessions({ status: "underpaid" }, ({ status }) => status === "underpaid"),
  overpaid: sessions({ status: "overpaid" }, ({ status }) => status === "overpaid"),
  paid_twice: sessions(
    { paid: "twice" },
    ({ status, amount, amount_received }) => status !== "overpaid" && amount_received > amount,
  ),
  taken_back: {
    async list({ request, member: { merchant } }, page) {
      const { data, next } = await request(browseCollections, { merchant, taken_back: "yes", ...page });
      const toItem = ({ reference, amount, amount_reversed = 0, payer, paid_at: at }: (typeof data)[number]) => ({
        ...NOTHING,
        // Of two amounts with kobo, in binary.
        ...{ reference, amount, amount_received: Math.round((amount - amount_reversed) * 100) / 100 },
        ...{ name: payer.name, at },
      });
      // A former release of payments does not know the filter, and lists all.
      return { data: data.filter(({ amount_reversed }) => amount_reversed).map(toItem), next };
    },
    async has({ request, member: { merchant } }, reference) {
      const found = await unlessNotFound(request(getCollection, { merchant, reference }));
      return Boolean(found?.collection.amount_reversed);
    },
  },
  webhook: whole(async ({ request, member: { merchant } }) =>
    failuresOf(await request(getWebhookHealth, { merchant })),
  ),
  verification: whole(async ({ request, member: { merchant } }) => {
    const { state, reason, decided_at: at } = await request(getVerification, { merchant_id: merchant.id });
    return state === "returned" ? [{ ...NOTHING, reference: "verification", reason, at }] : [];
  }),
};

type Shown = WireResult<typeof showTransfer>;
function transfers(filter: { approval?: "required"; status?: "failed" | "reversed" }, is: (shown: Shown) => boolean) {
  return {
    async list({ request, member: { merchant } }, page) {
      const { data, next } = await request(browseTransfers, { merchant, ...filter, ...page });
      const toItem = (transfer: (typeof data)[number]) => ({
        ...NOTHING,
        ...{ reference: transfer.reference, amount: transfer.amount, name: transfer.account_name },
        ...{ reason: transfer.failure_reason, failure_code: transfer.failure_code },
        at: transfer.completed_at ?? transfer.created_at,
      });
      return { data: data.map(toItem), next };
    },
    async has({ request, member: { merchant } }, reference) {
      const shown = await unlessNotFound(request(showTransfer, { merchant, reference }));
      return shown !== null && is(shown);
    },
  } satisfies Source;
}

type Payment = Pick<
  WireResult<typeof showPayment>["payment"],
  "status" | "amount" | "amount_received" | "amount_reversed"
>;
/** Those whose money the bank took back are listed by their collection: nothing more is expected of their payers. */
function sessions(
  filter: Pick<WireInput<typeof browsePayments>, "status" | "paid">,
  is: (payment: Payment) => boolean,
) {
  const isListed = (payment: Payment) => is(payment) && !payment.amount_reversed;
  return {
    async list({ request, member: { merchant } }, page) {
      const { data, next } = await request(browsePayments, { merchant, ...filter, ...page });
      // A former release of payments knows no `paid`, and lists all.
      const toItem = ({ reference, amount, amount_received, customer_name, created_at }: (typeof data)[number]) => ({
        ...NOTHING,
        ...{ reference, amount, amount_received, name: customer_name, at: created_at },
      });
      return { data: data.filter(isListed).map(toItem), next };
    },
    async has({ request, member: { merchant } }, reference) {
      const shown = await unlessNotFound(request(showPayment, { merchant, reference }));
      return shown !== null && isListed(shown.payment);
    },
  } satisfies Source;
}

/** Of a kind with few items, which are all known at once. */
function whole(items: (call: Asking) => Promise<Sourced[]>): Source {
  return {
    list: async (call) => ({ data: await items(call), next: null }),
    has: async (call, reference) => (await items(call)).some((item) => item.reference === reference),
  };
}

/** A release needs nobody: it ends by itself. */
function failuresOf({ hold, failing, exhausted, oldest_failing_at }: WireResult<typeof getWebhookHealth>): Sourced[] {
  const isHeld = hold !== null && hold.state !== "releasing";
  return [
    ...(isHeld ? [{ ...NOTHING, reference: stateOf(hold), count: hold.waiting, at: hold.since }] : []),
    ...(failing > 0 && !hold ? [{ ...NOTHING, reference: "failing", count: failing, at: oldest_failing_at }] : []),
    ...(exhausted > 0 ? [{ ...NOTHING, reference: "exhausted", count: exhausted }] : []),
  ];
}

/** After a restore a pause has to be looked at before it is ended. */
const stateOf = ({ state, lost_change_at: lost }: NonNullable<WireResult<typeof getWebhookHealth>["hold"]>) =>
  state === "paused" && lost ? "unchecked" : state;
