import { NativeSelect, Stack, Text } from "@mantine/core";
import type { ActFields, ReadResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { SectionCard } from "../../components/section-card.tsx";
import { TestEvent } from "../webhook/test-event.tsx";
import { ReceivedWebhooks } from "./received-webhooks.tsx";
import { UseReceiver } from "./use-receiver.tsx";

/** Deliveries arrive within a second, and nothing else tells the page. */
const REFETCH_MS = 2_000;

/** Our own server for test events, and what it received. */
export function TestReceiver() {
  const { mode, me } = useScope();
  const isThere = mode === "test" && me.rules.test_receiver;
  const read = useRead("receiver", {}, { enabled: isThere, refetchInterval: REFETCH_MS });
  if (!isThere) return null;
  return (
    <SectionCard
      title="Test receiver"
      lead="A server we run that receives your test events until you have one. It checks each signature with your signing secret, and keeps the newest 50 for a day."
    >
      {read.error && !read.data && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && <Receiver {...read.data} />}
    </SectionCard>
  );
}

function Receiver({ url, in_use, behavior, received }: ReadResponse<"receiver">) {
  const mayUse = useMay("webhooks");
  return (
    <Stack gap="md">
      {url !== null && in_use && <Copy value={url} what="address of the test receiver" />}
      {in_use && mayUse && <Behavior behavior={behavior} />}
      {in_use && mayUse && <TestEvent />}
      {!in_use && <UseReceiver />}
      {received.length > 0 && <ReceivedWebhooks received={received} />}
      {received.length === 0 && in_use && <Text size="sm">Nothing has arrived yet.</Text>}
    </Stack>
  );
}

type BehaviorName = ActFields<"receiver/behavior">["behavior"];

const BEHAVIORS: { value: BehaviorName; label: string }[] = [
  { value: "ok", label: "200: acknowledge them" },
  { value: "error", label: "500: fail, so that they are retried" },
  { value: "timeout", label: "No response: time out" },
];

function Behavior({ behavior }: { behavior: BehaviorName }) {
  const change = useAct("receiver/behavior", { changes: ["receiver"] });
  const shown = change.isPending ? change.variables.behavior : behavior;
  return (
    <>
      <NativeSelect
        label="Respond to events with"
        description="A delivery whose signature is not valid always gets 400."
        maw={360}
        data={BEHAVIORS}
        value={shown}
        onChange={({ currentTarget: { value } }) => {
          const chosen = BEHAVIORS.find((known) => known.value === value);
          if (chosen) change.mutate({ behavior: chosen.value });
        }}
      />
      <FormProblem error={change.error} />
    </>
  );
}
