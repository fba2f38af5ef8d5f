import { type Acts, answer, type Request } from "@collect/bus";
import {
  addOperator,
  admitOperatorAct,
  admitOperatorOrder,
  cancelProposal,
  getProposal,
  listOperators,
  listProposals,
  Problem,
  REQUESTS,
  removeOperator,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { addOperatorKeys, findOperator, listOperatorKeys, removeOperatorKeys } from "../store/operators.ts";
import {
  decideProposal,
  findProposal,
  listProposals as list,
  lockProposal,
  type ProposalRow,
} from "../store/proposals.ts";

type Deps = { pool: Pool; acts: Acts };

/** The persons who operate the system, and what one of them proposed to the others. */
export function operatorRequests({ pool, acts }: Deps): Request[] {
  return [
    ...[admitOperatorAct, admitOperatorOrder].map((contract) =>
      answer(contract, (order, context) => acts.admit(order, context)),
    ),

    answer(addOperator, async ({ name, public_key }) => {
      const added = await addOperatorKeys(pool, [{ name, public_key }]);
      const isTheirs = added === 1 || (await findOperator(pool, public_key)) === name;
      if (!isTheirs) throw new Problem("conflict", "This key was removed, or is another operator's. Create a new one.");
      return { name };
    }),

    answer(removeOperator, async ({ name, public_key }) => {
      const removed = await removeOperatorKeys(pool, name, public_key);
      if (removed === 0) throw new Problem("not_found", "There is no such operator, or the key is removed.");
      return { removed };
    }),

    answer(listOperators, async () => ({ operators: await listOperatorKeys(pool) })),
    answer(listProposals, async () => ({ proposals: (await list(pool)).map(toResponse) })),

    answer(getProposal, async ({ proposal_id }) => {
      const found = await findProposal(pool, proposal_id);
      if (!found) throw noSuchProposal();
      return toResponse(found);
    }),

    answer(cancelProposal, ({ proposal_id }, { actor }) =>
      transaction(pool, async (tx) => {
        const found = await lockProposal(tx, proposal_id);
        if (!found) throw noSuchProposal();
        if (found.state !== "waiting") throw new Problem("conflict", `The proposal is ${found.state}.`);
        const decided_by = actor.kind === "operator" ? actor.name : "";
        await decideProposal(tx, proposal_id, "cancelled", decided_by);
        return toResponse({ ...found, state: "cancelled", decided_by });
      }),
    ),
  ];
}

const noSuchProposal = () => new Problem("not_found", "There is no such proposal.");

function toResponse(proposal: ProposalRow) {
  const declared = REQUESTS.find(({ subject }) => subject === proposal.subject)?.operator;
  return { ...proposal, action: typeof declared === "object" ? declared.action : proposal.subject };
}
