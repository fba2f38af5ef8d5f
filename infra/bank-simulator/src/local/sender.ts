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

export type Sender = Component & {
  /** Resolves once every copy was answered or failed; retries continue in the background. */
  send(order: { transfer: Transfer; times: number; delayMs: number; retry: boolean }): Promise<SentTransfer>;
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

  const post = (body: string) => door.post({ headers: { [SIGNATURE_HEADER]: signBody(body, secret) }, body });

  async function attempt(sent: SentTransfer, body: string): Promise<void> {
    const response = await post(body);
    sent.answers = [...sent.answers, response].slice(-RESPONSES_KEPT);
    sent.acknowledged ||= "status" in response && response.status === 200;
  }

  function startRetrying(sent: SentTransfer, body: string): void {
    sent.retrying = true;
    const retryOnce = async () => {
      await attempt(sent, body);
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
    async send({ transfer, times, delayMs, retry }) {
      if (retry && retrying.size >= RETRYING_MAX)
        throw new Problem("service_unavailable", "Too many transfers are being retried.");
      const body = JSON.stringify(transfer);
      const sent: SentTransfer = { transfer, acknowledged: false, retrying: false, answers: [] };
      history.unshift(sent);
      history.splice(SENT_KEPT);
      await sleep(delayMs, undefined, { signal: door.signal });
      await Promise.all(Array.from({ length: times }, () => attempt(sent, body)));
      if (retry && !sent.acknowledged) startRetrying(sent, body);
      return { ...sent };
    },
    sent: () => history,
  };
}
