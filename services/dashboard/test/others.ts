import * as contracts from "@collect/contracts";
import {
  invalidFields,
  Problem,
  type ProblemCode,
  type RequestContract,
  type WireInput,
  type WireResult,
} from "@collect/contracts";
import type { World } from "@collect/testing";
import { playAuditLog } from "./audit-log.ts";

export type Others = Awaited<ReturnType<typeof playOthers>>;
type Asked = { subject: string; input: Record<string, unknown> };

const all: RequestContract[] = Object.values(contracts).flatMap((exported) => (isRequest(exported) ? [exported] : []));

const ADMISSIONS: RequestContract[] = [contracts.admitOperatorAct, contracts.admitOperatorOrder];

const inputsOf = ({ subject }: RequestContract, asked: Asked[]) =>
  asked.filter((one) => one.subject === subject).map(({ input }) => input);

/** What the dashboard's workers ask by themselves, at any moment: it is not in `asked`. */
const BACKGROUND: RequestContract[] = [contracts.listNewPayees, contracts.listEndpointChanges, contracts.listDecisions];

function isRequest(exported: unknown): exported is RequestContract {
  return typeof exported === "object" && exported !== null && "subject" in exported && "deadlineMs" in exported;
}

/**
 * Every other service, as the dashboard sees it: they check what they are asked against the contract, remember it, and answer
 * what they were told to, or else with the question itself. They refuse, or say nothing, when told to.
 */
export async function playOthers(world: World) {
  const [asked, polled]: [Asked[], Asked[]] = [[], []];
  const replies = new Map<string, (input: Record<string, unknown>) => unknown>();
  const refusals = new Map<string, ProblemCode>();
  const auditLog = playAuditLog();
  // The world admits every operator.
  const subscriptions = all
    .filter((contract) => contract.to !== "dashboard" && !ADMISSIONS.includes(contract))
    .map((contract) =>
      world.others.serve(contract, (message) => {
        const input = message.json<Record<string, unknown>>();
        const data = auditLog.answerTo(contract, input, message.headers?.get("Actor") ?? "null");
        if (data && !refusals.has(contract.subject)) return void message.respond(JSON.stringify({ data }));
        (BACKGROUND.includes(contract) ? polled : asked).push({ subject: contract.subject, input });
        message.respond(JSON.stringify(answerTo(contract, input)));
      }),
    );
  await world.others.flush();

  function answerTo(contract: RequestContract, input: Record<string, unknown>) {
    try {
      const parsed = contract.input.safeParse(input);
      if (!parsed.success) throw invalidFields([]);
      const code = refusals.get(contract.subject) ?? refusals.get("*");
      if (code) throw new Problem(code, "The service behind was told to refuse.");
      const reply = replies.get(contract.subject);
      return { data: reply ? reply(input) : { echo: input, data: [], next: null } };
    } catch (error) {
      const { code, detail, errors } = error instanceof Problem ? error : new Problem("internal_error", String(error));
      return { problem: { code, detail, errors } };
    }
  }

  return {
    asked,
    /** What was recorded in the audit log. */
    audited: auditLog.acts,
    askedOf: (contract: RequestContract) => inputsOf(contract, [...asked, ...polled]),
    reply<Contract extends RequestContract>(
      contract: Contract,
      reply: (input: WireInput<Contract>) => WireResult<Contract>,
    ) {
      replies.set(contract.subject, (input) => reply(contract.input.parse(input) && Object(input)));
    },
    refuse({ subject }: RequestContract | { subject: "*" }, code: ProblemCode | undefined) {
      if (code) refusals.set(subject, code);
      else refusals.delete(subject);
    },
    /** As the gateway knows merchants: every one it is asked for, verified or not. */
    knowMerchants(name = "Ada Stores", verified_at: string | null = null) {
      this.reply(contracts.readMerchants, ({ merchant_ids }) => ({
        merchants: merchant_ids.map((merchant_id) => ({ merchant_id, name, verified_at })),
      }));
      this.reply(contracts.registerMerchant, ({ merchant_id, name }) => ({ merchant_id, name: String(name) }));
    },
    async stop() {
      await Promise.all(subscriptions.map((subscription) => subscription.drain()));
    },
  };
}
