import { Button, Text } from "@mantine/core";
import { Link } from "react-router";
import { useScope } from "../../api/scope.ts";
import { Page } from "../../components/page.tsx";
import { Scenarios } from "./scenarios.tsx";
import { TestClockCard } from "./test-clock-card.tsx";

/** What only test mode has: a clock that can be advanced, and faults that can be played. */
export function SandboxPage() {
  const { mode, merchantId } = useScope();
  return (
    <Page title="Sandbox" lead="Move time forward and make things go wrong, with test money.">
      {mode === "test" ? (
        <>
          <TestClockCard />
          <Scenarios />
        </>
      ) : (
        <>
          <Text>Live mode always uses real time and real money, so there is nothing to simulate here.</Text>
          <Button component={Link} to={`/m/${merchantId}/test/developers/sandbox`} w="fit-content">
            Switch to test mode
          </Button>
        </>
      )}
    </Page>
  );
}
