import type { Bus } from "@collect/bus";
import { createMerchant, type Mode, setWebhookEndpoint, verifyMerchant } from "@collect/contracts";
import { isSigned, type Received, until, type WebhookReceiver } from "@collect/testing";

export type MerchantOptions = {
  name?: string;
  /** Whether it has live keys; true by default. */
  verified?: boolean;
  /** The URL in both modes: the stack's receiver by default, none if null. */
  webhook?: string | null;
  rateLimits?: { accounts?: number; reads?: number };
};

export type TestMerchant = {
  id: string;
  name: string;
  keys: { sk_test: string; pk_test: string; sk_live: string; pk_live: string };
  secrets: Record<Mode, string>;
  /** The webhooks its server received in a mode, in order of arrival; throws if a signature does not match the raw bytes. */
  received(mode: Mode): Received[];
  untilReceived(mode: Mode, count: number): Promise<Received[]>;
};

/** In the order of their numbers: webhooks that are sent at once may overtake each other. */
export const inOrder = (received: Received[]): Received[] =>
  received.toSorted((one, other) => numberOf(one) - numberOf(other));
const numberOf = ({ headers }: Received) => Number(headers["x-service-sequence"]);

/** Created over the bus, as by the operator. Its webhooks are sent to its own path of the receiver. */
export async function makeMerchant(
  { bus, receiver }: { bus: Bus; receiver: WebhookReceiver },
  { name = "Ada Stores", verified = true, webhook, rateLimits }: MerchantOptions = {},
): Promise<TestMerchant> {
  const created = await bus.request(createMerchant, { name, ...(rateLimits && { rate_limits: rateLimits }) });
  const id = created.merchant_id;
  const live = verified
    ? (await bus.request(verifyMerchant, { merchant_id: id, despite_name: true })).keys
    : { sk_live: "", pk_live: "" };
  const setUrl = async (mode: Mode) => {
    const url = webhook === undefined ? `${receiver.url}/${id}/${mode}` : webhook;
    return (await bus.request(setWebhookEndpoint, { merchant: { id, mode }, url })).secret;
  };
  const secrets = { test: await setUrl("test"), live: await setUrl("live") };
  const received = (mode: Mode) => {
    const mine = receiver.received.filter(({ path }) => path === `/hook/${id}/${mode}`);
    if (!mine.every((delivery) => isSigned(delivery, secrets[mode])))
      throw new Error(`a webhook of ${id} is not signed`);
    return mine;
  };
  return {
    id,
    name,
    keys: { ...created.keys, ...live },
    secrets,
    received,
    untilReceived: (mode, count) =>
      until(`${count} webhooks of ${id}`, () => {
        const mine = received(mode);
        return mine.length >= count && mine;
      }),
  };
}
