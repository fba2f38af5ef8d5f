import { Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { TotalsOf, TotalsPath } from "../api/calls.ts";
import { queryOf } from "../api/client.ts";
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
  const read = useReadTotals(path, filters);
  const { data, isPlaceholderData } = read;
  const isAnnounced = useAnnounced(queryOf(filters), read);
  const totals = data?.totals;
  const [one, many] = noun;
  return (
    <Text
      size="sm"
      role="status"
      aria-live={isAnnounced ? "polite" : "off"}
      mih={22}
      opacity={isPlaceholderData ? 0.5 : 1}
    >
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

type Read = { dataUpdatedAt: number; isPlaceholderData: boolean };

/** Only the first answer after the filters change is read aloud: each payment that arrives meanwhile changes the totals. */
function useAnnounced(filters: string, { dataUpdatedAt, isPlaceholderData }: Read): boolean {
  const [first, setFirst] = useState<{ filters: string; at?: number }>({ filters });
  if (first.filters !== filters && !isPlaceholderData && dataUpdatedAt > 0) setFirst({ filters, at: dataUpdatedAt });
  return first.filters !== filters || first.at === dataUpdatedAt;
}
