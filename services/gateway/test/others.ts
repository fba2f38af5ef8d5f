import { answer, type Request, serveRequests } from "@collect/bus";
import {
  CheckoutSession,
  CustomerAccount,
  getBalance,
  getCustomerAccount,
  type Input,
  issueCustomerAccount,
  openCryptoPayment,
  Problem,
  type ProblemCode,
  type RequestContract,
  type Result,
  reportCheckoutSent,
  SimulationResult,
  simulatePayment,
} from "@collect/contracts";
import { startComponents, type World } from "@collect/testing";
import { z } from "zod";
import { answerOf, type Endpoint } from "../src/domain/endpoint.ts";
import { ENDPOINTS } from "../src/endpoints.ts";

export type Others = Awaited<ReturnType<typeof playOthers>>;

/**
 * The upstream services, as the gateway sees them. Each request of the table is answered with the example of its answer; below is
 * what the tests need otherwise. They remember what they were asked, and refuse when they are set to.
 */
export async function playOthers(world: World) {
  const asked: Record<string, unknown>[] = [];
  let refusal: ProblemCode | undefined;

  function play<Contract extends RequestContract>(
    contract: Contract,
    reply: (input: Input<Contract>) => Result<Contract>,
  ) {
    return answer(contract, async (input) => {
      asked.push(Object(input));
      if (refusal) throw new Problem(refusal, "The upstream service was set to refuse.", RETRY_AFTER[refusal]);
      return reply(input);
    });
  }

  const otherwise = [...accounts(play), ...ledger(play), ...payments(play), ...checkout(play)];
  const played = [...otherwise, ...examples(play, new Set(otherwise.map(({ contract }) => contract)))];
  const byService = Map.groupBy(played, ({ contract }) => contract.to);
  const stop = await startComponents(
    [...byService].map(([service, requests]) => serveRequests(world.others, { service, log: world.log, requests })),
  );
  const refuseWith = (code: ProblemCode | undefined) => {
    refusal = code;
  };
  return { asked, refuseWith, stop };
}

/** The example of a schema of the contracts, as a record. */
export function exampleOf(schema: z.ZodType): Record<string, unknown> {
  const [example] = z.array(z.record(z.string(), z.unknown())).parse(schema.meta()?.examples ?? []);
  if (!example) throw new Error("this schema has no example in its meta");
  return example;
}

const RETRY_AFTER: Partial<Record<ProblemCode, { retryAfterS: number }>> = {
  rate_limited: { retryAfterS: 60 },
  service_unavailable: { retryAfterS: 1 },
};

type Play = <Contract extends RequestContract>(
  contract: Contract,
  reply: (input: Input<Contract>) => Result<Contract>,
) => Request;

function examples(play: Play, but: ReadonlySet<RequestContract>): Request[] {
  const isNew = firstTimes();
  return ENDPOINTS.filter(({ request }) => !but.has(request)).map((endpoint) =>
    play(endpoint.request, (input) => exampleReply(endpoint, Asked.parse(input), isNew)),
  );
}

const Asked = z.looseObject({
  merchant: z.object({ id: z.string(), mode: z.string() }).optional(),
  reference: z.string().optional(),
});

/** The example, saying again what it was asked by: mode, reference, page. What is made is new for the first time only. */
function exampleReply(endpoint: Endpoint, asked: z.output<typeof Asked>, isNew: FirstTimes): unknown {
  const { request, created } = endpoint;
  const { merchant, reference, ...rest } = asked;
  const names = created ? { merchant_reference: reference } : { reference };
  const told: Record<string, unknown> = { ...rest, ...names, mode: merchant?.mode };
  const example = Object.entries(exampleOf(answerOf(endpoint)));
  const made = Object.fromEntries(
    example.map(([name, value]) => [name, typeof told[name] === typeof value ? told[name] : value]),
  );
  const scope = `${endpoint.name} ${merchant?.id} ${merchant?.mode}`;
  return request.output.parse(created ? { [created]: made, created: isNew(scope, reference) } : made);
}

type FirstTimes = (scope: string, reference: string | undefined) => boolean;

/** Whether something is there for the first time; without a reference it always is. */
function firstTimes(): FirstTimes {
  const seen = new Set<string>();
  return (scope, reference) => {
    const isFirst = reference === undefined || !seen.has(`${scope} ${reference}`);
    seen.add(`${scope} ${reference}`);
    return isFirst;
  };
}

/** Accounts are remembered: what was not issued is not there. */
function accounts(play: Play): Request[] {
  const issued = new Map<string, CustomerAccount>();
  const keyOf = ({ id, mode }: { id: string; mode: string }, reference: string) => `${id} ${mode} ${reference}`;
  const find = (merchant: { id: string; mode: string }, reference: string) => {
    const account = issued.get(keyOf(merchant, reference));
    if (!account) throw new Problem("not_found", `accounts has no ${reference}`);
    return account;
  };
  const example = CustomerAccount.parse(exampleOf(CustomerAccount));
  const simulation = SimulationResult.parse(exampleOf(SimulationResult));
  return [
    play(issueCustomerAccount, ({ merchant, customer_reference, customer_name = "Ada" }) => {
      const key = keyOf(merchant, customer_reference);
      const known = issued.get(key);
      const account_name = `Ada Stores / ${customer_name}`;
      const account = known ?? { ...example, customer_reference, customer_name, account_name, mode: merchant.mode };
      issued.set(key, account);
      return { account, created: !known };
    }),
    play(getCustomerAccount, ({ merchant, customer_reference }) => find(merchant, customer_reference)),
    play(simulatePayment, ({ merchant, customer_reference, outcome, amount = 0n }) => {
      const { account_number } = find(merchant, customer_reference);
      return { ...simulation, outcome, amount, account_number, mode: merchant.mode };
    }),
  ];
}

function ledger(play: Play): Request[] {
  return [
    play(getBalance, ({ merchant: { mode } }) => ({
      mode,
      currency: "NGN" as const,
      collected: 250_073n,
      settled: -5n,
      as_of: "2026-11-21T09:30:00.123+00:00",
      ledger_sequence: 7,
    })),
  ];
}

function payments(play: Play): Request[] {
  return [
    play(openCryptoPayment, () => {
      throw new Problem("crypto_unavailable", "USDT waits for an exchange partner.");
    }),
  ];
}

function checkout(play: Play): Request[] {
  const session = CheckoutSession.parse(exampleOf(CheckoutSession));
  return [play(reportCheckoutSent, ({ reference }) => ({ ...session, reference, status: "processing" as const }))];
}
