import { createSeed, publicKeyOf } from "@collect/bus";
import { OPERATORS, opsAs, type Run } from "@collect/testing";
import type { Stack } from "../stack.ts";

/** Two operators at their terminals, each with a key of their own; for what weighs much one needs the other. */

/** The command line as an operator runs it. */
export type Operator = (...args: string[]) => Promise<Run>;

const PEOPLE = { ada: createSeed(), bola: createSeed() };
const NAMED = Object.entries(PEOPLE).map(([name, seed]) => `${name}:${publicKeyOf(seed)}`);

/** From now on the stack's own bus alone does nothing that needs four eyes. */
export async function startFourEyes(stack: Stack): Promise<Record<keyof typeof PEOPLE, Operator>> {
  const env = { FOUR_EYES: "true", OPERATORS: [OPERATORS, ...NAMED].join(",") };
  await stack.service("gateway").restart({ env });
  return { ada: operatorOf(stack, PEOPLE.ada), bola: operatorOf(stack, PEOPLE.bola) };
}

const operatorOf =
  ({ natsUrl }: Stack, seed: string): Operator =>
  (...args) =>
    opsAs(seed, natsUrl, ...args);

/** `done`, or the code with which it was refused, with that of the field if one is named. */
export function outcomeOf({ code, stderr }: Run): string {
  if (code === 0) return "done";
  const [, refusal] = /^(\w+):/.exec(stderr) ?? [];
  const [, field] = /\n {2}\w+: (?:.* \()?(\w+)\)?\n/.exec(stderr) ?? [];
  return field ? `${refusal} ${field}` : String(refusal);
}

/** What one operator orders waits for another. Returns the proposal. */
export async function propose(by: Operator, order: string[]): Promise<string> {
  const { stderr } = await by(...order);
  const [, proposal] = /^approval_required: .*ops -- approve (prop_[0-9a-f]{24})/.exec(stderr) ?? [];
  if (!proposal) throw new Error(`${order.join(" ")} was not proposed: ${stderr}`);
  return proposal;
}
