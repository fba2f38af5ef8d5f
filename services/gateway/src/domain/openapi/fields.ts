import { z } from "zod";
import type { Endpoint } from "../../endpoints.ts";

/** The fields that a caller sends in a query or a body: the contract's without who calls and what the path says. */
export function fieldsOf({ request, path }: Endpoint): z.ZodObject {
  const given = new Set(["merchant", ...parametersOf(path)]);
  return z.object(Object.fromEntries(Object.entries(request.input.shape).filter(([name]) => !given.has(name))));
}

/** What stands for a reference in a path. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}
