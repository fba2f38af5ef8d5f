import { Text } from "@mantine/core";
import { useRead } from "../../api/hooks.ts";
import { comparedWith, type DaySum, daysBefore, everyDay } from "./days.ts";

/** How the shown days but today compare with as many before; nothing while that is not known. */
export function Comparison({ shown, now }: { shown: DaySum[]; now: number }) {
  const days = daysBefore(shown.length, now);
  const before = useRead("collection-days", { from: days[0] ?? "", to: days.at(-1) ?? "" });
  const words = before.data && !before.isPlaceholderData && comparedWith(shown, everyDay(days, before.data));
  return words ? (
    <Text size="sm" c="dimmed">
      {words}
    </Text>
  ) : null;
}
