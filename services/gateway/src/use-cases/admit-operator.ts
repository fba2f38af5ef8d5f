import { randomBytes } from "node:crypto";
import { digestOf, isSigned } from "@collect/bus";
import {
  type AuditedAct,
  type admitOperatorAct,
  type EntryRef,
  type Input,
  type OperatorAct,
  Problem,
  REQUESTS,
  type RequestContext,
  removeOperator,
} from "@collect/contracts";
import type { Pool, Transaction } from "@collect/database";
import { chainOf } from "../domain/audit-chain.ts";
import { assertApproves, assertCurrent, auditedOrder } from "../domain/operator-order.ts";
import { mayRemoveAlone } from "../domain/operator-removal.ts";
import { append, holdChain, removalsLately } from "../store/audit-log.ts";
import { activeOperators, findOperator } from "../store/operators.ts";
import { decideProposal, insertProposal, lockProposal } from "../store/proposals.ts";
import type { ChainQueue } from "./chain-queue.ts";

type Order = Input<typeof admitOperatorAct>;
type Admission = { admitted: true; operator: string; entry: EntryRef } | { admitted: false; proposal: string };

/**
 * The one place where acts of operators are admitted. In one transaction the order is recorded, once for each signature, and
 * with four eyes either kept as a proposal or tied to the proposal that it approves.
 */
export async function admitOperator(
  { pool, inChain, fourEyes }: { pool: Pool; inChain: ChainQueue; fourEyes: boolean },
  order: Order,
  { clientRequestId }: RequestContext,
): Promise<Admission> {
  const { subject, body, signature: signed } = order;
  const { proposal } = signed;
  assertCurrent(signed.at, new Date());
  const signedOrder = { ...signed, subject, body };
  if (!isSigned(signedOrder)) throw noSuchOperator();
  const operator = await findOperator(pool, signed.public_key);
  if (!operator) throw noSuchOperator();
  const act = actOf(subject);
  const audited = auditedOrder(act, body);
  const admit = async (tx: Transaction): Promise<Admission> => {
    const record = (acts: Partial<AuditedAct> & { outcome: "unknown" | "done" }) =>
      recordOnce(tx, { ...signed, operator, key: digestOf(signedOrder) }, { ...audited, ...acts, clientRequestId });
    if (proposal) {
      assertApproves({ subject, body, operator }, await lockProposal(tx, proposal));
      await decideProposal(tx, proposal, "approved", operator);
      const entry = await record({ detail: { ...audited.detail, proposal }, outcome: "unknown" });
      return { admitted: true, operator, entry };
    }
    if (!fourEyes || !(await needsSecond(tx, act, { by: operator, body })))
      return { admitted: true, operator, entry: await record({ outcome: "unknown" }) };
    const proposed = `prop_${randomBytes(12).toString("hex")}`;
    await insertProposal(tx, { proposal_id: proposed, subject, body, proposed_by: operator });
    const detail = { ...audited.detail, act: act.action, proposal: proposed };
    await record({ action: "proposal.created", detail, outcome: "done" });
    return { admitted: false, proposal: proposed };
  };
  return inChain(chainOf(audited), admit, { isRefusable: false });
}

/** One removal at a time is decided on, and recorded in the same transaction: the next one sees it. */
async function needsSecond(
  tx: Transaction,
  { fourEyes, action }: OperatorAct,
  { by, body }: { by: string; body: string },
): Promise<boolean> {
  if (fourEyes !== "beyond_emergency") return fourEyes === true;
  const { name } = removeOperator.input.parse(JSON.parse(body));
  await holdChain(tx, "");
  const lately = await removalsLately(tx, action);
  return !mayRemoveAlone({ by, name }, { operators: await activeOperators(tx), lately });
}

type Recorded = AuditedAct & { clientRequestId: string | undefined; outcome: "unknown" | "done" };

/** An order that was admitted is in the log, under its digest: a repeated message has no effect. */
async function recordOnce(
  tx: Transaction,
  { operator: name, request_id: requestId, key }: Order["signature"] & { operator: string; key: string },
  audited: Recorded,
): Promise<EntryRef> {
  const actor = { kind: "operator" as const, name };
  const [entry] = await append(tx, chainOf(audited), [{ ...audited, actor, requestId, key: `operator:${key}` }]);
  if (!entry) throw new Problem("invalid_operator", "This signature was used before. Send the command again.");
  return entry;
}

function actOf(subject: string): OperatorAct & { takes: string[] } {
  const contract = REQUESTS.find((request) => request.subject === subject);
  if (typeof contract?.operator !== "object") throw new Error(`${subject} is not an act of operators`);
  return { ...contract.operator, takes: Object.keys(contract.input.shape) };
}

const noSuchOperator = () =>
  new Problem("invalid_operator", "Nobody operates with this key. Ask an operator to add it.");
