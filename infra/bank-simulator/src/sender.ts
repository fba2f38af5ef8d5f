import { setTimeout as sleep } from "node:timers/promises";
import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { Problem } from "@collect/contracts";
import { type Component, type Logger, withBackOff } from "@collect/runtime";
import { Agent, request } from "undici";

/** The body of a transfer as it goes to the bank door. */
export type Transfer = {
  id: string;
  account_number: string;
  amount: number;
  currency: string;
  payer: { name: string; account_number: string | null; bank_name: string | null };
  narration: string | null;
  paid_at: string;
  type?: string;
};
/** What one attempt met: an answer of the bank door, or none and why. */
export type DoorAnswer = { status: number; body: unknown } | { error: string };
export type SentTransfer = { transfer: Transfer; acknowledged: boolean; retrying: boolean; answers: DoorAnswer[] };

export type Sender = Component & {
  /** Answers once every copy was answered or failed; a retry goes on behind it. */
  send(order: { transfer: Transfer; times: number; delayMs: number; retry: boolean }): Promise<SentTransfer>;
  /** The last thousand, newest first. */
  sent(): SentTransfer[];
};

const DEADLINE_MS = 15_000;
const RETRY_FOR_MS = 3_600_000;
const RETRYING_MAX = 1_000;
const SENT_KEPT = 1_000;
/** As many as copies can be sent at once, so that "at once" is true. */
const CONNECTIONS = 100;
const ANSWERS_KEPT = 100;
const ANSWER_BYTES_MAX = 65_536;

/** Reports transfers to the bank door, signed, as a bank does. */
export function createSender({ doorUrl, secret, log }: { doorUrl: string; secret: string; log: Logger }): Sender {
  const dispatcher = new Agent({ connections: CONNECTIONS, maxResponseSize: ANSWER_BYTES_MAX });
  const stopping = new AbortController();
  const retrying = new Set<Promise<unknown>>();
  const history: SentTransfer[] = [];

  const post = (body: string) =>
    postTo(`${doorUrl}/bank/transfers`, body, { secret, dispatcher, signal: stopping.signal });

  async function attempt(sent: SentTransfer, body: string): Promise<void> {
    const answer = await post(body);
    sent.answers = [...sent.answers, answer].slice(-ANSWERS_KEPT);
    sent.acknowledged ||= "status" in answer && answer.status === 200;
  }

  function keepTrying(sent: SentTransfer, body: string): void {
    sent.retrying = true;
    const again = async () => {
      await attempt(sent, body);
      if (!sent.acknowledged) throw new Error("the bank door has not acknowledged the transfer");
    };
    const retry = withBackOff(again, {
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
      if (retry && !sent.acknowledged) keepTrying(sent, body);
      return { ...sent };
    },
    sent: () => history,
  };
}

async function postTo(
  url: string,
  body: string,
  { secret, dispatcher, signal }: { secret: string; dispatcher: Agent; signal: AbortSignal },
): Promise<DoorAnswer> {
  const headers = { "content-type": "application/json", [SIGNATURE_HEADER]: signBody(body, secret) };
  const ended = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  try {
    const answer = await request(url, { method: "POST", headers, body, signal: ended, dispatcher });
    return { status: answer.statusCode, body: jsonOrText(await answer.body.text()) };
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
