import { z } from "zod";
import { Id, Instant } from "../fields.ts";
import { request, SERVICES } from "../message.ts";
import { EntryRef } from "./audit-log.ts";

/** Operators are persons: each signs what they order, and with four eyes on, a second one approves what weighs much. */

export const OperatorName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,30}$/, "must be 1 to 31 small letters, digits, - and _, beginning with a letter");
export const PublicKey = z.string().regex(/^U[A-Z2-7]{55}$/, "must be the public nkey of a user: U and 55 characters");
const ProposalId = z.string().regex(/^prop_[0-9a-f]{24}$/, "must be the id of a proposal: prop_…");

/** What an operator's tool sends beside a request: who orders it, and the signature over it. */
export const OperatorSignature = z.object({
  public_key: PublicKey,
  at: Instant,
  request_id: z.string().max(100),
  /** The proposal that the operator approves by this request. */
  proposal: ProposalId.optional(),
  signature: z.base64().max(200),
});
export type OperatorSignature = z.output<typeof OperatorSignature>;

const admission = {
  callers: SERVICES.filter((service) => service !== "gateway"),
  meaning:
    "Verify an operator's signature over a request that a service has received, and record the act before it is done; or keep it as a proposal for a second operator.",
  input: z.object({ subject: z.string().max(100), body: z.string().max(100_000), signature: OperatorSignature }),
  output: z.discriminatedUnion("admitted", [
    z.object({ admitted: z.literal(true), operator: z.string(), entry: EntryRef }),
    z.object({ admitted: z.literal(false), proposal: z.string() }),
  ]),
};

export const admitOperatorAct = request({
  subject: "gateway.operator_act.admit",
  ...admission,
});

/** The same for services that hold the keys of orders: the answer is proven to be the gateway's. */
export const admitOperatorOrder = request({
  subject: "gateway.operator_order.admit",
  sealed: "orders",
  ...admission,
});

export const addOperator = request({
  subject: "gateway.operator.add",
  callers: ["operator"],
  operator: { action: "operator.added", detail: ["name", "public_key"], fourEyes: true },
  operatorPages: true,
  meaning: "Let a person operate with this key; a person may have several.",
  input: z.object({ name: OperatorName, public_key: PublicKey }),
  output: z.object({ name: z.string() }),
});

export const removeOperator = request({
  subject: "gateway.operator.remove",
  callers: ["operator"],
  operator: { action: "operator.removed", detail: ["name", "public_key"], fourEyes: "beyond_emergency" },
  operatorPages: true,
  meaning:
    "End a person's keys, or one of them: one's own at once, another's alone once in 24 hours while two operators are left. A removed key is never admitted again.",
  input: z.object({ name: OperatorName, public_key: PublicKey.optional() }),
  output: z.object({ removed: z.int() }),
});

export const listOperators = request({
  subject: "gateway.operator.list",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "The operators' keys, removed ones included.",
  input: z.object({}),
  output: z.object({
    operators: z.array(
      z.object({ name: z.string(), public_key: z.string(), added_at: Instant, removed_at: Instant.nullable() }),
    ),
  }),
});

const Proposal = z.object({
  proposal_id: Id,
  state: z.enum(["waiting", "approved", "cancelled", "expired"]),
  action: z.string(),
  subject: z.string(),
  /** The exact body of the request. */
  body: z.string(),
  proposed_by: z.string(),
  proposed_at: Instant,
  expires_at: Instant,
  decided_by: z.string().nullable(),
});
export type Proposal = z.output<typeof Proposal>;

export const listProposals = request({
  subject: "gateway.proposal.list",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "Proposals, newest first, 100 at most.",
  input: z.object({}),
  output: z.object({ proposals: z.array(Proposal) }),
});

export const getProposal = request({
  subject: "gateway.proposal.get",
  callers: ["operator"],
  operator: "read",
  meaning: "A proposal with the exact input that an approval executes.",
  input: z.object({ proposal_id: ProposalId }),
  output: Proposal,
});

export const cancelProposal = request({
  subject: "gateway.proposal.cancel",
  callers: ["operator"],
  operator: { action: "proposal.cancelled", detail: ["proposal_id"] },
  operatorPages: true,
  meaning: "Cancel a proposal that waits; any operator may.",
  input: z.object({ proposal_id: ProposalId }),
  output: Proposal,
});
