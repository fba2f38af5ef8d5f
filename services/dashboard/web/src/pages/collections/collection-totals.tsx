import { Text } from "@mantine/core";
import { useRead } from "../../api/hooks.ts";
import { Money } from "../../components/money.tsx";

/** How many collections match the filters, and what they come to. What other services have to find is not summed. */
export function CollectionTotals({ filters }: { filters: Record<string, string> }) {
  const isSummed = !filters.settled && !filters.webhook;
  const { data, isPlaceholderData } = useRead("collections/totals", filters, { enabled: isSummed });
  if (!isSummed) return null;
  return (
    <Text size="sm" role="status" mih={22} opacity={isPlaceholderData ? 0.5 : 1}>
      {data?.totals && (
        <>
          {data.totals.count === 1 ? "1 collection" : `${data.totals.count.toLocaleString("en-NG")} collections`}
          {": "}
          <strong>
            <Money naira={data.totals.amount} />
          </strong>
          , net <Money naira={data.totals.net} />
        </>
      )}
      {data?.totals === null && "More than 10,000 collections. Filter them to see totals."}
    </Text>
  );
}
