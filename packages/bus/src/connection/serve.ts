import type { RequestContract } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { headers, type Msg } from "nats";
import { isInbox } from "../access/permissions.ts";
import type { RequestSeal, Seals } from "../access/request-seal.ts";
import { operatorActOf } from "../operators/operator-act.ts";
import type { Drainable, Subscribe } from "./subscribe.ts";

/** Takes a request's messages, as one of the replicas of the service that responds. */
export type Serve = (contract: RequestContract, onMessage: (message: Msg) => void) => Drainable;

/**
 * A request that does not prove its sender, where the contract demands it, is not handled and not answered: its sender is
 * not the caller, or lacks the key, and gives up at its deadline. An operator's act is proven by its signature, which is
 * verified before it is handled.
 */
export function createServe(subscribe: Subscribe, { seals, log }: { seals: Seals; log: Logger }): Serve {
  return function serve(contract, onMessage) {
    const { subject, to: queue, sealed } = contract;
    return subscribe(subject, {
      queue,
      onMessage(message) {
        if (!isInbox(message.reply)) return;
        if (!sealed || operatorActOf(contract, message)) return onMessage(message);
        const seal = seals[sealed];
        if (seal?.isRequest(wireOf(subject, message))) return onMessage(withSealedResponse(subject, message, seal));
        log.error({ alarm: "forged_request", subject }, "a request is not its caller's");
      },
    });
  };
}

const wireOf = (subject: string, message: Msg) => ({
  subject,
  reply: message.reply ?? "",
  payload: message.string(),
  headers: message.headers,
});

function withSealedResponse(subject: string, message: Msg, seal: RequestSeal): Msg {
  const respond = (payload: string) => {
    const sealed = { subject, reply: message.reply ?? "", payload, headers: headers() };
    seal.sealResponse(sealed);
    return message.respond(payload, { headers: sealed.headers });
  };
  return Object.assign(Object.create(message), { respond });
}
