import {
  browseApiCalls,
  browseCollections,
  browseCustomerAccounts,
  browseSettlementLines,
  findEvents,
  getCollection,
  getInboundTransfer,
  getTransaction,
  getVerification,
  getWebhookHealth,
  Problem,
  readCollections,
  showMerchant,
  showTransfer,
} from "@collect/contracts";
import { z } from "zod";
import type { Call } from "./call.ts";

/** Answers that are put together from several services. */

const ByReference = z.object({ reference: z.string() });

/** What a service says, or null: a story is told as far as it can be while a part of the house is away. */
async function ifAnswered<Told>(asked: Promise<Told>): Promise<Told | null> {
  return asked.catch((error) => {
    if (error instanceof Problem) return null;
    throw error;
  });
}

/** How money came, what the ledger holds of it and how it was told, around the collection it became. */
export async function tellCollection({ ask, member: { merchant }, fields }: Call) {
  const { reference } = ByReference.parse(fields);
  const found = await ask(getCollection, { merchant, reference });
  const [received, ledger, told] = await Promise.all([
    ifAnswered(ask(getInboundTransfer, { merchant, intake_id: found.intake_id })),
    ifAnswered(ask(getTransaction, { merchant, key: found.intake_id })),
    ifAnswered(ask(findEvents, { merchant, reference })),
  ]);
  return { ...found, received, ledger, events: told?.events ?? null };
}

export async function tellTransfer({ ask, member: { merchant }, fields }: Call) {
  const { reference } = ByReference.parse(fields);
  const found = await ask(showTransfer, { merchant, reference });
  const told = await ifAnswered(ask(findEvents, { merchant, reference: found.transfer.reference }));
  return { ...found, events: told?.events ?? null };
}

/** The lines of a settlement, each with the collection it is of: asked for at once, by what the lines are known as. */
export async function listSettlementLines({ ask, member: { merchant }, fields }: Call) {
  const asked = browseSettlementLines.input.omit({ merchant: true }).parse(fields);
  const page = await ask(browseSettlementLines, { merchant, ...asked, limit: String(asked.limit) });
  const intake_ids = page.data.map(({ key }) => key);
  const read = await ifAnswered(ask(readCollections, { merchant, intake_ids }));
  const byIntake = new Map(read?.collections.map(({ intake_id, ...collection }) => [intake_id, collection]));
  return { ...page, data: page.data.map((line) => ({ ...line, collection: byIntake.get(line.key) ?? null })) };
}

/** What a new merchant has done so far, in the order in which it is done. */
export async function showChecklist({ ask, member: { merchant } }: Call) {
  const merchant_id = merchant.id;
  const some = { merchant, limit: "1" };
  const [shown, calls, accounts, money, webhook, verification] = await Promise.all([
    ask(showMerchant, { merchant_id }),
    ask(browseApiCalls, some),
    ask(browseCustomerAccounts, some),
    ask(browseCollections, some),
    ask(getWebhookHealth, { merchant }),
    ask(getVerification, { merchant_id }),
  ]);
  const keys = shown.keys.filter(({ mode }) => mode === merchant.mode);
  return {
    keys_made: keys.length > 0,
    // The request log forgets after a week, a key does not.
    api_called: calls.data.length > 0 || keys.some(({ last_used_at }) => last_used_at !== null),
    account_made: accounts.data.length > 0,
    webhook_set: webhook.url !== null,
    money_received: money.data.length > 0,
    webhook_delivered: webhook.ever_delivered,
    verification: verification.state,
  };
}
