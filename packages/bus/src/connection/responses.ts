import type { RequestContract, ServiceName } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { type Msg, type MsgHdrs, type NatsConnection, RequestError, TimeoutError } from "nats";
import { responseInbox } from "../access/permissions.ts";
import type { RequestSeal, Seals } from "../access/request-seal.ts";

type Outgoing = {
  contract: RequestContract;
  payload: string;
  headers: MsgHdrs;
};
type Options = { caller: string; seals: Seals; log: Logger };

const NO_RESPONDERS = 503;

/**
 * Requests whose responses arrive in an inbox for each responding service. The broker lets only that service publish to
 * it: a service cannot answer a request that was sent to another. (The client's own request() has one inbox for all.)
 */
export function createRequester(nats: NatsConnection, { caller, seals, log }: Options) {
  const inboxes = new Map<ServiceName, string>();
  const waiting = new Map<string, (response: Msg) => void>();
  /** Also in the inbox's name: a response to an earlier process of this name is not taken for one to this process. */
  const process = crypto.randomUUID().replaceAll("-", "");
  let last = 0;

  function inboxOf(service: ServiceName): string {
    const known = inboxes.get(service);
    if (known) return known;
    const inbox = `${responseInbox(caller, service)}.${process}`;
    nats.subscribe(`${inbox}.*`, {
      callback: (error, response) => {
        if (!error) waiting.get(response.subject)?.(response);
      },
    });
    inboxes.set(service, inbox);
    return inbox;
  }

  return function send({ contract, payload, headers }: Outgoing): Promise<Msg> {
    const { subject, to, deadlineMs } = contract;
    const reply = `${inboxOf(to)}.${(++last).toString(36)}`;
    const { promise, resolve, reject } = Promise.withResolvers<Msg>();
    const timer = setTimeout(() => reject(new TimeoutError()), deadlineMs);
    waiting.set(reply, (response) => {
      const isRefusal = response.data.length === 0 && response.headers?.code === NO_RESPONDERS;
      if (isRefusal) reject(new RequestError(`no responders: ${subject}`));
      else if (isProven(contract, response)) resolve(response);
      // The true one may still come.
      else log.error({ alarm: "forged_response", subject }, "a response is not the service's");
    });
    try {
      sealOf(contract)?.sealRequest({ subject, reply, payload, headers });
      nats.publish(subject, payload, { reply, headers });
    } catch (error) {
      reject(error);
    }
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(reply);
    });
  };

  function isProven(contract: RequestContract, response: Msg): boolean {
    const { subject: reply, headers } = response;
    const message = { subject: contract.subject, reply, payload: response.string(), headers };
    return sealOf(contract)?.isResponse(message) ?? true;
  }

  /** Operators sign what they send, and hold no keys of services. */
  function sealOf({ subject, sealed }: RequestContract): RequestSeal | undefined {
    if (!sealed || caller === "operator") return undefined;
    const seal = seals[sealed];
    if (!seal) throw new Error(`${subject} is sent only with the keys that prove it`);
    return seal;
  }
}
