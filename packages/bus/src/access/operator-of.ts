import type { Msg } from "nats";
import { ACROSS_ACCOUNTS } from "./permissions.ts";

/** Set by the broker on a request that comes from another account. It replaces what the sender may have put there. */
const REQUEST_INFO = "Nats-Request-Info";

/**
 * The operator who sent a request: the name of the account, by the broker's own word. Undefined for a request of a
 * service: such a request carries the sender's headers unchanged, but cannot have a reply subject between accounts.
 */
export function operatorOf({ reply, headers }: Pick<Msg, "reply" | "headers">): string | undefined {
  if (!reply?.startsWith(ACROSS_ACCOUNTS)) return undefined;
  const { acc } = Object(JSON.parse(headers?.get(REQUEST_INFO) || "{}"));
  return typeof acc === "string" ? acc : undefined;
}
