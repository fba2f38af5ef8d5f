import { Problem } from "@collect/contracts";
import { parseNaira } from "@collect/money";
import { z } from "zod";

/**
 * Naira greater than zero with at most two decimals. Kept in its wire format, because the simulator does no arithmetic.
 */
export const NairaAmount = z
  .number()
  .refine((amount) => (parseNaira(amount) ?? 0n) > 0n, "must be naira, at most two decimals");

export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (cause) {
    throw new Problem("malformed_body", "The body is not valid JSON.", { cause });
  }
}
