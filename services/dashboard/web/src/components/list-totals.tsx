import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { TotalsOf, TotalsPath } from "../api/calls.ts";
import { useReadTotals } from "../api/hooks.ts";

/** How many rows match the filters of a list, and what they come to. */
export function ListTotals<Path extends TotalsPath>(props: {
  path: Path;
  filters: Record<string, string>;
  /** One row and several: `["collection", "collections"]`. */
  noun: [one: string, many: string];
  children: (totals: TotalsOf<Path>) => ReactNode;
}) {
  const { path, filters, noun } = props;
  const { data, isPlaceholderData } = useReadTotals(path, filters);
  const totals = data?.totals;
  const [one, many] = noun;
  return (
    <Text size="sm" role="status" mih={22} opacity={isPlaceholderData ? 0.5 : 1}>
      {totals && (
        <>
          {totals.count === 1 ? `1 ${one}` : `${totals.count.toLocaleString("en-NG")} ${many}`}
          {": "}
          {props.children(totals)}
        </>
      )}
      {totals === null && `More than 10,000 ${many}. Filter them to see totals.`}
    </Text>
  );
}
