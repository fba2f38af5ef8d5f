import {
  admitOperatorAct,
  admitOperatorOrder,
  concludeAct,
  type EntryRef,
  type Input,
  isRefusal,
  type OperatorAct,
  Problem,
  type RequestContext,
  type RequestContract,
} from "@collect/contracts";
import { failpoint, type Logger } from "@collect/runtime";
import type { Msg } from "nats";
import type { Bus } from "../connection/connect.ts";
import { signatureOf } from "./signature.ts";

type Admission = { admitted: true; operator: string; entry: EntryRef } | { admitted: false; proposal: string };
type Conclusion = Pick<Input<typeof concludeAct>, "entry" | "outcome" | "detail">;

/** Where the acts of operators are admitted and recorded: at the gateway, which owns the audit log. */
export type Acts = {
  /** Verifies the signature and records the act; or keeps it as a proposal for a second operator. */
  admit(order: Input<typeof admitOperatorAct>, context: RequestContext): Promise<Admission>;
  conclude(conclusion: Conclusion, context: RequestContext): Promise<unknown>;
};

export const actsAtGateway = (bus: Bus): Acts => ({
  admit: (order, context) =>
    bus.seals.orders ? bus.request(admitOperatorOrder, order, context) : bus.request(admitOperatorAct, order, context),
  conclude: (conclusion, context) => bus.request(concludeAct, conclusion, context),
});

type Order = { contract: RequestContract; act: OperatorAct; message: Msg; acts: Acts; log: Logger };

/** Does what an operator orders: only with a record of it, and with the operator whose signature was verified as the actor. */
export async function asOperator(
  { contract: { subject }, act, message, acts, log }: Order,
  context: RequestContext,
  work: (context: RequestContext) => Promise<unknown>,
): Promise<unknown> {
  const signature = signatureOf(message.headers);
  if (!signature) throw unsigned();
  const admission = await acts.admit({ subject, body: message.string(), signature }, context);
  if (!admission.admitted)
    throw new Problem("approval_required", `Waiting for a second operator: ops -- approve ${admission.proposal}`);
  failpoint("committed");
  const { entry, operator } = admission;
  const identified: RequestContext = { ...context, actor: { kind: "operator", name: operator } };
  const conclude = (outcome: "done" | "refused", detail: Record<string, unknown>) =>
    acts.conclude({ entry, outcome, detail }, identified);
  return concluded({ conclude, log, result: act.result }, () => work(identified));
}

type Recorded = {
  conclude(outcome: "done" | "refused", detail: Record<string, unknown>): Promise<unknown>;
  log: Logger;
  /** The fields of the result to record. */
  result?: readonly string[];
};

/**
 * Does a recorded act and records its outcome. A failure that does not prove that nothing was done leaves it unknown. The act
 * is done, and its response may contain a secret that is shown only once: an outcome that cannot be recorded does not fail it.
 */
export async function concluded<Result>(
  { conclude, log, result = [] }: Recorded,
  work: () => Promise<Result>,
): Promise<Result> {
  const record = (outcome: "done" | "refused", detail: Record<string, unknown>) =>
    conclude(outcome, detail).catch((error) =>
      log.error({ err: error }, "the outcome of an act is not in the audit log"),
    );
  try {
    const done = await work();
    const fields: Record<string, unknown> = Object(done);
    await record("done", Object.fromEntries(result.map((name) => [name, fields[name]])));
    return done;
  } catch (error) {
    if (isRefusal(error)) await record("refused", { code: error.code });
    throw error;
  }
}

const unsigned = () => new Problem("invalid_operator", "Sign the request with an operator's key.");
