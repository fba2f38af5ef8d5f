import { Alert, Text } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useRead } from "../api/hooks.ts";
import { useScope } from "../api/scope.ts";
import { durationWords } from "../components/duration.ts";
import { When } from "../components/when.tsx";

/** A server, a script or the command line moves the clock, and nothing tells the page. */
const REFETCH_MS = 15_000;

/** Above every page of test mode while the merchant's test clock is ahead; nothing in live mode, which has no such clock. */
export function TestClock() {
  const { mode } = useScope();
  const { data } = useRead("test-clock", {}, { enabled: mode === "test", refetchInterval: REFETCH_MS });
  if (mode !== "test" || !data || data.ahead_by === 0) return null;
  return (
    <Alert
      component="section"
      role="region"
      color="yellow"
      variant="default"
      mb="md"
      py="xs"
      icon={<IconClock aria-hidden color="var(--mantine-color-yellow-6)" />}
      title={`Your test clock is ${durationWords(data.ahead_by)} ahead`}
    >
      <Text size="sm" c="var(--mantine-color-text)">
        In test mode it is <When at={data.now} exact />, and times in test mode follow that clock, so what you create
        now is dated in the future. The clock stands still until you advance it again or real time catches up. Live mode
        always uses real time.
      </Text>
    </Alert>
  );
}
