import { randomInt, randomUUID } from "node:crypto";
import type { Contract, Operation } from "./contract.ts";
import { type aShop, call, type Gateway } from "./gateway.ts";

export type Shop = Awaited<ReturnType<typeof aShop>>;
export type Call = { path: string; key: string | undefined; body: Record<string, unknown> };

/**
 * A successful call as the document describes it: the example body with unique references, and a path whose references exist.
 */
export async function aCall(
  contract: Contract,
  operation: Operation,
  { shop, gateway }: { shop: Shop; gateway: Gateway },
): Promise<Call> {
  const { path, security } = operation;
  const [needed] = security.flatMap((scheme) => Object.keys(scheme));
  const body = contract.exampleBody(operation);
  for (const name of ["reference", "customer_reference"]) if (name in body) body[name] = `ref-${randomUUID()}`;
  return {
    path: path
      .replace("{customer_reference}", path.includes("{customer_reference}") ? await aCustomer(gateway, shop) : "")
      .replace(/\{\w+\}/g, aSessionReference()),
    key: needed && (needed === "public_key" ? shop.pk_test : shop.sk_test),
    body,
  };
}

/** Fields as a form: an object's as `name[key]`. */
export function asForm(fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([key, one]) => [`${name}[${key}]`, String(one)])
      : [[name, String(value)]],
  );
  return new URLSearchParams(pairs).toString();
}

export function aSessionReference(): string {
  const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  return `pay_${Array.from({ length: 22 }, () => alphabet.charAt(randomInt(alphabet.length))).join("")}`;
}

/** Uses none of the shop's reads, and no more of its accounts budget than it has. */
async function aCustomer(gateway: Gateway, shop: Shop): Promise<string> {
  const customer_reference = `cust-${randomUUID()}`;
  const body = { customer_reference, customer_name: "Ngozi Eze" };
  await call(gateway, "POST", "/customer_accounts", { key: shop.sk_test, body });
  return customer_reference;
}
