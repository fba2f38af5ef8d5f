import { Button, Stack } from "@mantine/core";
import { Link } from "react-router";
import { useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { StandingNotices } from "../../components/standing-notices.tsx";
import { Attention } from "./attention.tsx";
import { DayChart } from "./day-chart.tsx";
import { Figures } from "./figures.tsx";
import { NewestCollections } from "./newest-collections.tsx";

/** Balances, alerts and the newest collections. */
export default function HomePage() {
  const newest = useRead("collections", { limit: 5 });
  const isNew = newest.data?.data.length === 0;
  const { home } = useScope();
  const send = useMay("money") && !isNew && (
    <Button component={Link} to={`${home}/transfers#send`}>
      Send money
    </Button>
  );
  return (
    <Page title="Home" actions={send}>
      <StandingNotices />
      <Stack gap="lg">
        <Figures />
        <Attention isNew={isNew} />
        {isNew ? (
          <NoMoneyYet />
        ) : (
          <>
            <DayChart />
            <NewestCollections page={newest} />
          </>
        )}
      </Stack>
    </Page>
  );
}

function NoMoneyYet() {
  const { mode, home, me } = useScope();
  return (
    <EmptyState
      title={mode === "test" ? "Simulate your first payment" : "No live payments yet"}
      action={
        <Button component={Link} to={`${home}/get-started`}>
          Get started
        </Button>
      }
      command={`curl ${me.urls.api}/balance \\\n  -H 'Authorization: Bearer sk_${mode}_…'`}
    >
      {mode === "test"
        ? "Issue an account to a customer, simulate a payment and see your server receive the event. It takes a few minutes."
        : "Get started lists the remaining steps before your first customer can pay."}
    </EmptyState>
  );
}
