import type { SealName } from "@collect/contracts";
import type { MsgHdrs } from "nats";
import { createMac } from "./mac.ts";

/**
 * Proves a request to the service that responds, and the response to the one that asked: only services that hold the keys
 * can speak for either, not even the broker's administrator. The reply subject is unique, so a response belongs to one request.
 */
export type RequestSeal = {
  sealRequest(message: Sealed): void;
  sealResponse(message: Sealed): void;
  isRequest(message: Read): boolean;
  isResponse(message: Read): boolean;
};
export type Seals = Partial<Record<SealName, RequestSeal>>;
type Sealed = { subject: string; reply: string; payload: string; headers: MsgHdrs };
type Read = Omit<Sealed, "headers"> & { headers: MsgHdrs | undefined };

/** The seals of a service, each under the keyring that it shares with the services which prove the same to each other. */
/** `now` is the clock that the services share, their databases': that of a process may be a day off. */
export function createSeals(keyrings: Partial<Record<SealName, string>>, now: () => number = Date.now): Seals {
  const { payouts, orders } = keyrings;
  return {
    ...(payouts && { payouts: createPayoutSeal(payouts) }),
    ...(orders && { orders: createOrderSeal(orders, now) }),
  };
}

const MAC = "Mac";
/** What an order is proven with besides its content: the actor, and when it was sent. */
const ACTOR = "Actor";
const SENT_AT = "Sent-At";
/** As for calls to the bank. What is repeated sooner meets the natural key of what was ordered. */
const ORDER_VALID_MS = 5 * 60_000;

function createPayoutSeal(keyring: string): RequestSeal {
  const mac = createMac(keyring);
  const text = (way: string, { subject, reply, payload }: Omit<Read, "headers">) =>
    JSON.stringify([way, subject, reply, payload]);
  const isValid = (way: string, message: Read) => mac.isValid(text(way, message), message.headers?.get(MAC));
  return {
    sealRequest: (message) => message.headers.set(MAC, mac.of(text("request", message))),
    sealResponse: (message) => message.headers.set(MAC, mac.of(text("response", message))),
    isRequest: (message) => isValid("request", message),
    isResponse: (message) => isValid("response", message),
  };
}

/** Orders are given in a person's or key's name, and may be replaced by later ones: the actor and the time are proven too. */
function createOrderSeal(keyring: string, now: () => number): RequestSeal {
  const mac = createMac(keyring);
  const text = (way: string, { subject, reply, payload, headers }: Read) =>
    JSON.stringify([way, subject, reply, payload, headers?.get(ACTOR) ?? "", headers?.get(SENT_AT) ?? ""]);
  const seal = (way: string, message: Sealed) => {
    message.headers.set(SENT_AT, String(now()));
    message.headers.set(MAC, mac.of(text(way, message)));
  };
  const isValid = (way: string, message: Read) =>
    Math.abs(now() - Number(message.headers?.get(SENT_AT) || Number.NaN)) <= ORDER_VALID_MS &&
    mac.isValid(text(way, message), message.headers?.get(MAC));
  return {
    sealRequest: (message) => seal("order", message),
    sealResponse: (message) => seal("outcome", message),
    isRequest: (message) => isValid("order", message),
    isResponse: (message) => isValid("outcome", message),
  };
}
