import { setTimeout as sleep } from "node:timers/promises";
import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { Problem } from "@collect/contracts";
import { type Component, type Logger, withBackOff } from "@collect/runtime";
import { Agent, request } from "undici";

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
/** The result of one attempt: the bank door's response, or the error. */
export type DoorResponse = { status: number; body: unknown } | { error: string };
export type SentTransfer = { transfer: Transfer; acknowledged: boolean; retrying: boolean; answers: DoorResponse[] };

export type Sender = Component & {
  /** Resolves once every copy was answered or failed; retries continue in the background. */
  send(order: { transfer: Transfer; times: number; delayMs: number; retry: boolean }): Promise<SentTransfer>;
  /** The last thousand, newest first. */
  sent(): SentTransfer[];
};

const DEADLINE_MS = 15_000;
const RETRY_FOR_MS = 3_600_000;
const RETRYING_MAX = 1_000;
const SENT_KEPT = 1_000;
/** As many as the maximum number of copies, so that all are really sent concurrently. */
const CONNECTIONS = 100;
const RESPONSES_KEPT = 100;
const RESPONSE_BYTES_MAX = 65_536;

/** Reports signed transfers to the bank door, as a bank does. */
export function createSender({ doorUrl, secret, log }: { doorUrl: string; secret: string; log: Logger }): Sender {
  const dispatcher = new Agent({ connections: CONNECTIONS, maxResponseSize: RESPONSE_BYTES_MAX });
  const stopping = new AbortController();
  const retrying = new Set<Promise<unknown>>();
  const history: SentTransfer[] = [];

  const post = (body: string) =>
    postTo(`${doorUrl}/bank/transfers`, body, { secret, dispatcher, signal: stopping.signal });

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
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(RETRY_FOR_MS)]),
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
      stopping.abort();
      await Promise.all(retrying);
      await dispatcher.destroy();
    },
    async send({ transfer, times, delayMs, retry }) {
      if (retry && retrying.size >= RETRYING_MAX)
        throw new Problem("service_unavailable", "Too many transfers are being retried.");
      const body = JSON.stringify(transfer);
      const sent: SentTransfer = { transfer, acknowledged: false, retrying: false, answers: [] };
      history.unshift(sent);
      history.splice(SENT_KEPT);
      await sleep(delayMs, undefined, { signal: stopping.signal });
      await Promise.all(Array.from({ length: times }, () => attempt(sent, body)));
      if (retry && !sent.acknowledged) startRetrying(sent, body);
      return { ...sent };
    },
    sent: () => history,
  };
}

async function postTo(
  url: string,
  body: string,
  { secret, dispatcher, signal }: { secret: string; dispatcher: Agent; signal: AbortSignal },
): Promise<DoorResponse> {
  const headers = { "content-type": "application/json", [SIGNATURE_HEADER]: signBody(body, secret) };
  const ended = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  try {
    const response = await request(url, { method: "POST", headers, body, signal: ended, dispatcher });
    return { status: response.statusCode, body: jsonOrText(await response.body.text()) };
  } catch (error) {
    return { error: reason(error) };
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `ECONNREFUSED`, `UND_ERR_SOCKET`, … or `TimeoutError`, `AbortError`. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
