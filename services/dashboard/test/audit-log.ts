import {
  type Actor,
  browseAuditLog,
  concludeAct,
  type Input,
  importActs,
  type RequestContract,
  recordAct,
} from "@collect/contracts";

export type Audited = Input<typeof recordAct> & { actor: Actor; outcome: string; key?: string };

/** The gateway's audit log, as far as the dashboard sees it: acts with their actors, outcomes told once, keys known once. */
export function playAuditLog() {
  const acts: Audited[] = [];
  const answers = new Map<RequestContract, (input: unknown, actor: Actor) => unknown>();
  const play = <Contract extends RequestContract>(
    contract: Contract,
    answer: (input: Input<Contract>, actor: Actor) => unknown,
  ) => answers.set(contract, (input, actor) => answer(contract.input.parse(input) as Input<Contract>, actor));

  play(recordAct, (act, actor) => {
    acts.push({ ...act, actor, outcome: "unknown" });
    return { chain: act.merchant_id ?? "", seq: String(acts.length) };
  });
  play(concludeAct, ({ entry, outcome }) => {
    const act = acts[Number(entry.seq) - 1];
    if (act?.outcome === "unknown") act.outcome = outcome;
    return {};
  });
  play(importActs, (input) => {
    for (const act of input.acts) if (!acts.some(({ key }) => key === act.key)) acts.push(act);
    return {};
  });
  play(browseAuditLog, ({ merchant, limit, after }) => {
    const before = after === undefined ? acts.length : Number(after);
    const ofMerchant = acts
      .map((act, index) => ({ ...act, index }))
      .filter(({ merchant_id }) => merchant_id === merchant.id);
    const page = ofMerchant.filter(({ index }) => index < before).toReversed();
    const data = page.slice(0, limit).map(({ actor, index, merchant_id, mode, action, detail, outcome }) => ({
      ...{ merchant_id, mode, action, detail, outcome },
      id: String(index + 1),
      at: "2026-11-21T09:30:00.000+00:00",
      actor: { kind: actor.kind, id: actor.kind === "member" ? actor.user_id : null, label: labelOf(actor) },
    }));
    return { data, next: page.length > limit ? String(page[limit - 1]?.index) : null };
  });

  return {
    acts,
    /** Undefined for a request about something else. */
    answerTo: (contract: RequestContract, input: unknown, actor: string): unknown =>
      answers.get(contract)?.(input, JSON.parse(actor)),
  };
}

function labelOf(actor: Actor): string {
  if (actor.kind === "member") return actor.email;
  return "name" in actor ? (actor.name ?? "") : "";
}
