import { Problem, type RequestContext } from "@collect/contracts";

/** The person who orders an act, by the verified signature. */
export function operatorIn({ actor }: RequestContext): string {
  if (actor?.kind !== "operator") throw new Problem("invalid_operator", "Sign the request with an operator's key.");
  return actor.name;
}
