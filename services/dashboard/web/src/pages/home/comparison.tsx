import { useRead } from "../../api/hooks.ts";
import { comparedWith, daysBefore } from "./days.ts";

/** How the total of the last days compares with that of as many days before; nothing while that is not known. */
export function Comparison({ total, count }: { total: number; count: number }) {
  const days = daysBefore(count, Date.now());
  const before = useRead("collection-days", { from: days[0] ?? "", to: days.at(-1) ?? "" });
  if (!before.data || before.isPlaceholderData) return null;
  const sum = before.data.days.reduce((sum, { amount }) => sum + amount, 0);
  const words = comparedWith(total, sum, count);
  return words ? <>; {words}</> : null;
}
