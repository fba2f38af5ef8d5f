import { conflictIn, Problem } from "@collect/contracts";
import { readLine } from "../store/statements.ts";

export type Line = NonNullable<Awaited<ReturnType<typeof readLine>>>;

export async function existingLine(...[tx, id]: Parameters<typeof readLine>): Promise<Line> {
  const line = await readLine(tx, id);
  if (!line) throw new Problem("not_found", "There is no such line.");
  return line;
}

/** By the reason of a person. While it says so, the line is nothing else. */
export function refuseOwnFunds({ is_own }: Line): void {
  if (!is_own) return;
  throw conflictIn(
    "line",
    "line_is_own_funds",
    "The line is money of our own, or a charge that the bank gave back, by the reason that was given for it: give it another reason first.",
  );
}
