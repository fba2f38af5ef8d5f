import { Accordion, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useScope } from "../../api/scope.ts";
import { Failure } from "../../components/failure.tsx";
import { Page } from "../../components/page.tsx";
import { type Checklist, useChecklist } from "./checklist.ts";
import { LiveDifferences } from "./live-differences.tsx";
import { liveSteps } from "./live-steps.tsx";
import { type Step, StepItem } from "./step.tsx";
import { testSteps } from "./test-steps.tsx";

/** From zero to the first webhook received, step by step; each is checked off once the services confirm it. */
export default function GetStartedPage() {
  const { mode } = useScope();
  const checklist = useChecklist();
  return (
    <Page
      title="Get started"
      lead={
        mode === "test"
          ? "Go from zero to your first webhook with test payments that follow the same path as real ones."
          : "What you need before customers can pay you real money."
      }
    >
      {mode === "live" && <LiveDifferences />}
      {checklist.error && <Failure error={checklist.error} onRetry={() => void checklist.refetch()} />}
      {checklist.data && <Steps checklist={checklist.data} />}
    </Page>
  );
}

/** The first open step is expanded; an expanded step stays expanded after it is completed. */
function Steps({ checklist }: { checklist: Checklist }) {
  const { mode, me } = useScope();
  const steps: Step[] = (mode === "test" ? testSteps : liveSteps)(checklist, me.urls.api);
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone)?.id ?? "";
  const [unfolded, setUnfolded] = useState([next]);
  const [seen, setSeen] = useState(next);
  if (seen !== next) {
    setSeen(next);
    setUnfolded([...unfolded, next]);
  }
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {done === steps.length ? "All steps completed." : `${done} of ${steps.length} done`}
      </Text>
      <Progress value={(100 * done) / steps.length} aria-label="Steps done" />
      <Accordion multiple variant="separated" order={2} value={unfolded} onChange={setUnfolded} transitionDuration={0}>
        {steps.map((step, place) => (
          <StepItem key={step.id} step={step} number={place + 1} />
        ))}
      </Accordion>
    </Stack>
  );
}
