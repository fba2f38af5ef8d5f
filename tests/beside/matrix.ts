import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServiceName } from "@collect/contracts";
import { proveNothingLost } from "../faults/proof.ts";
import { proveAudit, proveNumbers } from "../faults/restore.ts";
import { openShop, proveCompleted } from "../faults/shop.ts";
import { openTraffic } from "../faults/traffic.ts";
import { untilCurrent } from "../stack/current.ts";
import { ROOT } from "../stack/service.ts";
import { migrateAll } from "../stack/template.ts";
import { type Stack, startStack } from "../stack.ts";
import { openRound } from "./round.ts";

/** The order in which docs/operations.md replaces the services. */
export const ORDER: readonly ServiceName[] = [
  ...(["accounts", "ledger", "webhooks", "payments", "checkout", "gateway", "dashboard"] as const),
];

/** One service is replaced by that of the other release. */
export type Step = { service: ServiceName; to: "old" | "new" };
const PER_SECOND = 30;

/** Forward in one order and back in the opposite one. */
export function forthAndBack(order: readonly ServiceName[]): Step[] {
  return [
    ...order.map((service) => ({ service, to: "new" as const })),
    ...order.toReversed().map((service) => ({ service, to: "old" as const })),
  ];
}

/** Each service alone of its release among those of the other one, and forward and back in both orders. */
export function everyPair(): Step[] {
  const others: Step[] = ORDER.flatMap((service) => [
    { service, to: "old" },
    { service, to: "new" },
  ]);
  const forward = forthAndBack(ORDER);
  return [
    ...ORDER.flatMap((service) => forthAndBack([service])),
    ...forward.slice(0, ORDER.length),
    ...others,
    ...forward.slice(ORDER.length),
    ...forthAndBack(ORDER.toReversed()),
  ];
}

/**
 * Starts the last release from its checkout, and replaces its services step by step while money flows. The migrations of this
 * release are applied first, beside the services of the last. After each step everything that a merchant, a payer, a team or an
 * operator does is done once, and none of it may be refused; at the end no kobo is lost or doubled.
 */
export async function playBeside(tree: string, steps: readonly Step[], say: (line: string) => void): Promise<void> {
  const stack = await startStack({ tree });
  try {
    const [traffic, shop] = [await openTraffic(stack, { perSecond: PER_SECOND }), await openShop(stack)];
    const round = await openRound(stack, await pagesOf(tree));
    const references: string[] = [];
    const prove = async (what: string) => {
      const [reference] = await Promise.all([shop.send(references.length), round()]).catch((cause) => {
        throw new Error(`${what}: ${cause instanceof Error ? cause.message : cause}`, { cause });
      });
      references.push(reference);
    };
    await traffic.flowUntil(
      (async () => {
        await prove("the last release");
        const applied = await migrateAll(stack.adminUrl, ROOT);
        say(`${applied.length} migrations applied`);
        await prove("the last release with the migrations of this one");
        for (const step of steps) await play(stack, step, { tree, prove, say });
      })(),
    );
    await proveNothingLost(stack, traffic);
    await proveCompleted(stack, shop, references);
    for (const { merchant } of [shop, ...traffic.customers]) proveNumbers(merchant);
    await proveAudit(stack);
    say(`${traffic.acknowledged.size} transfers, none lost or doubled`);
  } finally {
    await stack.stop();
  }
}

type Playing = { tree: string; prove(what: string): Promise<void>; say(line: string): void };

async function play(stack: Stack, { service, to }: Step, { tree, prove, say }: Playing): Promise<void> {
  const started = performance.now();
  await stack.service(service).restart({ tree: to === "old" ? tree : ROOT });
  await untilCurrent(stack.bus);
  await prove(`${service} of ${to === "old" ? "the last" : "this"} release`);
  say(`${service} ${to} (${Math.round(performance.now() - started)} ms)`);
}

type Fields = { shape: Record<string, { safeParse(value: unknown): { success: boolean } }> };
type Declared = { request?: { input: Fields }; input?: Fields };

/** The reads of a checkout's dashboard that need no fields. */
async function pagesOf(tree: string): Promise<string[]> {
  const { READS } = await import(pathToFileURL(join(tree, "services/dashboard/src/calls/merchant.ts")).href);
  const isComplete = ({ request, input = request?.input }: Declared) =>
    Object.entries(input?.shape ?? {}).every(
      ([name, field]) => name === "merchant" || field.safeParse(undefined).success,
    );
  return Object.entries<Declared>(READS).flatMap(([path, read]) => (isComplete(read) ? [path] : []));
}
