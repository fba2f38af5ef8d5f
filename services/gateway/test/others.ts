import { answer, type Request, serveRequests } from "@collect/bus";
import {
  CheckoutSession,
  CreatedPayment,
  CustomerAccount,
  drainPayouts,
  findOpenedPayment,
  getBalance,
  getCustomerAccount,
  type Input,
  issueCustomerAccount,
  openCryptoPayment,
  Problem,
  type ProblemCode,
  type RequestContract,
  type Result,
  releasePayouts,
  reportCheckoutSent,
  resolveSettlementAccount,
  SimulationResult,
  simulatePayment,
} from "@collect/contracts";
import { startComponents, type World } from "@collect/testing";
import { afterAll } from "vitest";
import { z } from "zod";
import { type Endpoint, responseOf } from "../src/domain/endpoint.ts";
import { ENDPOINTS } from "../src/endpoints.ts";

export type Others = Awaited<ReturnType<typeof playOthers>>;

/** The upstream services for the whole test file. */
export async function useOthers(world: World): Promise<Others> {
  const others = await playOthers(world);
  afterAll(others.stop);
  return others;
}

/**
 * The upstream services, as the gateway sees them. Each request of the table returns the example of its response, except where
 * the tests need more, see below. They record their requests, and refuse them when configured to.
 */
export async function playOthers(world: World) {
  const asked: Record<string, unknown>[] = [];
  let refusal: ProblemCode | undefined;

  function play<Contract extends RequestContract>(
    contract: Contract,
    reply: (input: Input<Contract>) => Result<Contract>,
  ) {
    return answer(contract, async (input) => {
      if (!LOOKUPS.has(contract)) asked.push(Object(input));
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

/** What only finds repeats changes nothing, so it is not recorded. */
const CALLED = new Set(ENDPOINTS.map(({ request }) => request));
const LOOKUPS = new Set(
  ENDPOINTS.flatMap(({ findRepeated: lookup }) => (lookup && !CALLED.has(lookup) ? [lookup] : [])),
);

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

/** The example with the request's mode, reference and page echoed. A created record is new only the first time. */
function exampleReply(endpoint: Endpoint, asked: z.output<typeof Asked>, isNew: FirstTimes): unknown {
  const { request, created } = endpoint;
  const { merchant, reference, ...rest } = asked;
  const names = created ? { merchant_reference: reference } : { reference };
  const echoed: Record<string, unknown> = { ...rest, ...names, mode: merchant?.mode };
  const example = Object.entries(exampleOf(responseOf(endpoint)));
  const made = Object.fromEntries(
    example.map(([name, value]) => [name, typeof echoed[name] === typeof value ? echoed[name] : value]),
  );
  const scope = `${endpoint.name} ${merchant?.id} ${merchant?.mode}`;
  return request.output.parse(created ? { [created]: made, created: isNew(scope, reference) } : made);
}

type FirstTimes = (scope: string, reference: string | undefined) => boolean;

/** Whether a reference is seen for the first time; a request without one is always new. */
function firstTimes(): FirstTimes {
  const seen = new Set<string>();
  return (scope, reference) => {
    const isFirst = reference === undefined || !seen.has(`${scope} ${reference}`);
    seen.add(`${scope} ${reference}`);
    return isFirst;
  };
}

/** Accounts are stored: one that was not issued does not exist. */
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
    play(issueCustomerAccount, ({ merchant, customer_reference, customer_name = "Ada", metadata = {} }) => {
      const key = keyOf(merchant, customer_reference);
      const known = issued.get(key);
      const account_name = `Ada Stores / ${customer_name}`;
      const given = { customer_reference, customer_name, metadata };
      const account = known ?? { ...example, ...given, account_name, mode: merchant.mode };
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

/** The only one that a session was created under before. */
export const KNOWN_REFERENCE = "order-known";

function payments(play: Play): Request[] {
  const payment = CreatedPayment.parse(exampleOf(CreatedPayment));
  return [
    play(resolveSettlementAccount, () => ({ bank_name: "Harbour Bank", account_name: "ADA STORES LIMITED" })),
    play(drainPayouts, () => ({ in_flight: 0 })),
    play(releasePayouts, () => ({ released: 0 })),
    play(findOpenedPayment, ({ merchant, reference }) => {
      if (reference !== KNOWN_REFERENCE) throw new Problem("not_found", `payments has no ${reference}`);
      return { ...payment, merchant_reference: reference, mode: merchant.mode };
    }),
    play(openCryptoPayment, () => {
      throw new Problem("crypto_unavailable", "USDT requires an exchange partner.");
    }),
  ];
}

function checkout(play: Play): Request[] {
  const session = CheckoutSession.parse(exampleOf(CheckoutSession));
  return [play(reportCheckoutSent, ({ reference }) => ({ ...session, reference, status: "processing" as const }))];
}
