import { type AuditedAct, Mode, type OperatorAct, Problem } from "@collect/contracts";
import { z } from "zod";

/** How far an operator's clock may be off, and how long a signature is valid. */
const CLOCK_TOLERANCE_MS = 120_000;

/** A signature is refused outside its minutes, so that only the newest have to be compared for repetition. */
export function assertCurrent(at: string, now: Date): void {
  if (Math.abs(Date.parse(at) - now.getTime()) <= CLOCK_TOLERANCE_MS) return;
  throw new Problem(
    "invalid_operator",
    "The signature is too old or in the future. Set this machine's clock, and try again.",
  );
}

const About = z.object({
  merchant: z
    .object({ id: z.string().min(1).max(80), mode: Mode })
    .partial()
    .optional()
    .catch(undefined),
  merchant_id: z.string().min(1).max(80).optional().catch(undefined),
  mode: Mode.optional().catch(undefined),
});

const Body = z.record(z.string(), z.unknown());

/**
 * What the audit log says about an operator's order: the merchant and mode that it names, and the declared fields. Only fields
 * of the request count: the handler ignores any other, so none may say whom the act is about.
 */
export function auditedOrder(
  { action, detail = [], takes }: OperatorAct & { takes: readonly string[] },
  body: string,
): AuditedAct {
  const sent = Object.entries(Body.parse(JSON.parse(body)));
  const fields = Object.fromEntries(sent.filter(([name]) => takes.includes(name)));
  const { merchant, merchant_id, mode } = About.parse(fields);
  return {
    merchant_id: merchant?.id ?? merchant_id ?? null,
    mode: merchant?.mode ?? mode ?? null,
    action,
    detail: Object.fromEntries(detail.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
  };
}

type Proposed = { subject: string; body: string; proposed_by: string; state: string };
type Approval = { subject: string; body: string; operator: string };

/** An approval executes exactly what was proposed, once, and by another person. */
export function assertApproves({ subject, body, operator }: Approval, proposal: Proposed | undefined): void {
  if (!proposal) throw new Problem("not_found", "There is no such proposal.");
  if (proposal.state !== "waiting") throw new Problem("conflict", `The proposal is ${proposal.state}.`);
  if (proposal.subject !== subject || proposal.body !== body)
    throw new Problem("conflict", "This is not exactly what was proposed.");
  if (proposal.proposed_by === operator)
    throw new Problem("own_proposal", "You proposed this yourself. Ask another operator to approve it.");
}
