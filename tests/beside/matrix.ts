import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SERVICES, type ServiceName } from "@collect/contracts";
import { proveNumbers } from "../faults/numbers.ts";
import { proveNothingLost } from "../faults/proof.ts";
import { proveAudit } from "../faults/restore.ts";
import { openShop, proveCompleted } from "../faults/shop.ts";
import { openTraffic } from "../faults/traffic.ts";
import { untilCurrent } from "../stack/current.ts";
import { ROOT } from "../stack/service.ts";
import { migrateAll } from "../stack/template.ts";
import { type Stack, startStack } from "../stack.ts";
import type { BankDays } from "./bank-days.ts";
import { openRound } from "./round.ts";

/** These services are replaced at once by those of the other release. */
export type Step = { services: readonly ServiceName[]; to: "old" | "new" };
const PER_SECOND = 30;

/** One by one in this order. */
const each = (order: readonly ServiceName[], to: Step["to"]): Step[] =>
  order.map((service) => ({ services: [service], to }));

/** All of them at once. */
const all = (to: Step["to"]): Step => ({ services: SERVICES, to });

const ASKING: readonly ServiceName[] = ["gateway", "dashboard", "checkout", "statements"];

/**
 * Those that ask beside the last release of those that answer, then the whole release, all of it back, and the two that book
 * charges beside the last release of the others.
 */
export const FORWARD_AND_BACK: readonly Step[] = [
  { services: ASKING, to: "new" },
  { services: SERVICES.filter((service) => !ASKING.includes(service)), to: "new" },
  all("old"),
  { services: ["ledger", "statements"], to: "new" },
];

/** Each service alone of its release among those of the other one, and forward and back one by one, in both orders; then the release. */
export const EVERY_PAIR: readonly Step[] = [
  ...SERVICES.flatMap((service) => [...each([service], "new"), ...each([service], "old")]),
  ...each(SERVICES, "new"),
  ...SERVICES.flatMap((service) => [...each([service], "old"), ...each([service], "new")]),
  ...each(SERVICES.toReversed(), "old"),
  ...each(SERVICES.toReversed(), "new"),
  ...each(SERVICES, "old"),
  all("new"),
];

/**
 * Starts the last release from its checkout, and replaces its services step by step while money flows. The migrations of this
 * release are applied first, beside the services of the last. After each step everything that a merchant, a payer, a team or an
 * operator does is done once, and none of it may be refused; at the end no kobo is lost or doubled. Any order of services, and the way back, is open as
 * long as the charges of closed days wait (`BOOK_CHARGES`): they do until the last step.
 */
export async function playBeside(tree: string, steps: readonly Step[], say: (line: string) => void): Promise<void> {
  const stack = await startStack({ tree, env: { statements: { BOOK_CHARGES: "false" } } });
  try {
    const [traffic, shop] = [await openTraffic(stack, { perSecond: PER_SECOND }), await openShop(stack)];
    const round = await openRound(stack, await pagesOf(tree));
    const references: string[] = [];
    const prove = async (what: string) => {
      const [reference] = await Promise.all([shop.send(references.length), round.play()]).catch((cause) => {
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
        await bookCharges(stack, round.days);
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

/** After it the ledger of the last release, which does not know these postings, cannot come back. */
async function bookCharges(stack: Stack, days: BankDays): Promise<void> {
  if (!(await days.haveWaited())) throw new Error("charges were booked while the last release might come back");
  await stack.service("statements").restart({ tree: ROOT, env: { BOOK_CHARGES: "true" } });
  await days.untilBooked();
  await days.close();
}

type Playing = { tree: string; prove(what: string): Promise<void>; say(line: string): void };

async function play(stack: Stack, { services, to }: Step, { tree, prove, say }: Playing): Promise<void> {
  const started = performance.now();
  await Promise.all(services.map((name) => stack.service(name).restart({ tree: to === "old" ? tree : ROOT })));
  await untilCurrent(stack.bus);
  const what = `${services.join(", ")} of ${to === "old" ? "the last" : "this"} release`;
  await prove(what);
  say(`${what}: ${Math.round(performance.now() - started)} ms`);
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
