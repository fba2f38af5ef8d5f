import { Badge } from "@mantine/core";
import { useRead } from "../../api/hooks.ts";
import { openCount } from "./inbox-words.ts";

/** For what no change announces: a webhook that fails, a verification that is returned. Acts on the page refetch it at once. */
const REFETCH_MS = 60_000;

/** How much waits for someone, beside the page's name; nothing if nothing does. */
export function InboxCount() {
  const { data } = useRead("inbox", {}, { refetchInterval: REFETCH_MS });
  const count = data && openCount(data.kinds);
  if (!count) return null;
  return (
    <Badge color="orange" variant="light" aria-label={`${count} open`}>
      {count}
    </Badge>
  );
}
