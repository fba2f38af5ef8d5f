import { setTimeout as sleep } from "node:timers/promises";
import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { Problem } from "@collect/contracts";
import { type Component, type Logger, withBackOff } from "@collect/runtime";
import { type DoorResponse, openDoor } from "../door.ts";

/** The body of a transfer report to the bank door. */
export type Transfer = {
  id: string;
  account_number: string;
  amount: number;
  currency: string;
  payer: { name: string; account_number: string | null; bank_name: string | null };
  narration: string | null;
  paid_at: string;
} & Partial<
  Record<"type" | "reverses" | "session_id" | "settlement_id", string | undefined> &
    Record<"bank_fee" | "bank_vat", number | undefined>
>;
export type SentTransfer = { transfer: Transfer; acknowledged: boolean; retrying: boolean; answers: DoorResponse[] };

/** `other_body`: it is right, for a report of another amount. `other_key`: another secret made it. */
export const SIGNATURES = ["right", "other_body", "other_key"] as const;
export type Signature = (typeof SIGNATURES)[number];

type Order = { transfer: Transfer; times: number; delayMs: number; retry: boolean; signature: Signature };

export type Sender = Component & {
  /** Resolves once every copy was answered or failed; retries continue in the background. */
  send(order: Order): Promise<SentTransfer>;
  /** The last thousand, newest first. */
  sent(): SentTransfer[];
};

const RETRY_FOR_MS = 3_600_000;
const RETRYING_MAX = 1_000;
const SENT_KEPT = 1_000;
const RESPONSES_KEPT = 100;

/** Reports signed transfers to the bank door, as a bank does. */
export function createSender({ doorUrl, secret, log }: { doorUrl: string; secret: string; log: Logger }): Sender {
  const door = openDoor(`${doorUrl}/bank/transfers`);
  const retrying = new Set<Promise<unknown>>();
  const history: SentTransfer[] = [];

  async function attempt(sent: SentTransfer, message: Message): Promise<void> {
    const response = await door.post(message);
    sent.answers = [...sent.answers, response].slice(-RESPONSES_KEPT);
    sent.acknowledged ||= "status" in response && response.status === 200;
  }

  function startRetrying(sent: SentTransfer, message: Message): void {
    sent.retrying = true;
    const retryOnce = async () => {
      await attempt(sent, message);
      if (!sent.acknowledged) throw new Error("the bank door has not acknowledged the transfer");
    };
    const retry = withBackOff(retryOnce, {
      signal: AbortSignal.any([door.signal, AbortSignal.timeout(RETRY_FOR_MS)]),
      onFailure: (_error, waitMs) =>
        log.info({ transfer_id: sent.transfer.id, wait_ms: waitMs }, "transfer not acknowledged"),
    }).finally(() => {
      sent.retrying = false;
      retrying.delete(retry);
    });
    retrying.add(retry);
  }

  return {
    name: "sender",
    start: async () => {},
    stop: async () => {
      await door.close();
      await Promise.all(retrying);
    },
    async send({ transfer, times, delayMs, retry, signature }) {
      if (retry && retrying.size >= RETRYING_MAX)
        throw new Problem("service_unavailable", "Too many transfers are being retried.");
      const message = messageOf(transfer, { signature, secret });
      const sent: SentTransfer = { transfer, acknowledged: false, retrying: false, answers: [] };
      history.unshift(sent);
      history.splice(SENT_KEPT);
      await sleep(delayMs, undefined, { signal: door.signal });
      await Promise.all(Array.from({ length: times }, () => attempt(sent, message)));
      if (retry && !sent.acknowledged) startRetrying(sent, message);
      return { ...sent };
    },
    sent: () => history,
  };
}

type Message = { headers: Record<string, string>; body: string };

function messageOf(transfer: Transfer, { signature, secret }: { signature: Signature; secret: string }): Message {
  const body = JSON.stringify(transfer);
  const signed = signature === "other_body" ? JSON.stringify({ ...transfer, amount: transfer.amount + 1 }) : body;
  return { headers: { [SIGNATURE_HEADER]: signBody(signed, signature === "other_key" ? `${secret}?` : secret) }, body };
}
