import { Button, Checkbox, Group, Modal, NumberInput, Progress, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { fieldErrors } from "../../api/problem.ts";
import { useMay } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { Status } from "../../components/status.tsx";

type Replay = NonNullable<ReadResponse<"replay">["replay"]>;
const WATCH_EVERY_MS = 1_500;

/** Resends a range of events in the background; it continues after the dialog is closed. */
export function ReplayRange() {
  const mayReplay = useMay("resend");
  const [isOpen, { open, close }] = useDisclosure();
  if (!mayReplay) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        Resend a range
      </Button>
      <Modal opened={isOpen} onClose={close} title="Resend a range of events">
        <Body />
      </Modal>
    </>
  );
}

function Body() {
  const last = useRead("replay", {}, { refetchInterval: WATCH_EVERY_MS });
  const replay = last.data?.replay;
  const isRunning = replay?.status === "running";
  return (
    <Stack>
      {replay && <Progressing replay={replay} />}
      {!isRunning && last.data && <RangeForm />}
    </Stack>
  );
}

function Progressing({ replay }: { replay: Replay }) {
  const cancel = useAct("replay/cancel", { changes: ["replay"] });
  const { from_sequence: from, to_sequence: to, at_sequence: at, replayed, status } = replay;
  const share = (100 * Math.max(0, at - from + 1)) / (to - from + 1);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">
          Events {from} to {to}: {replayed} resent
        </Text>
        <Status status={status} />
      </Group>
      <Progress value={status === "done" ? 100 : share} aria-label="Resend progress" />
      {status === "running" && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Resending continues if you leave this page.
          </Text>
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({})}>
            Stop resending
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function RangeForm() {
  const newest = useRead("events", { limit: 1 }).data?.data[0]?.sequence ?? 1;
  const [from, setFrom] = useState<number | string>(1);
  const [to, setTo] = useState<number | string>("");
  const [onlyUndelivered, setOnlyUndelivered] = useState(true);
  const start = useAct("replay", { changes: ["replay", "deliveries"] });
  const errors = fieldErrors(start.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({ from_sequence: Number(from), to_sequence: Number(to || newest), only_undelivered: onlyUndelivered });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          Events are resent to your current URL with the same body and numbers. Your server can detect duplicates by{" "}
          <code>X-Service-Delivery</code>.
        </Text>
        <Group grow align="flex-start">
          <NumberInput label="From event" min={1} value={from} onChange={setFrom} error={errors.from_sequence} />
          <NumberInput
            label="To event"
            min={1}
            placeholder={String(newest)}
            value={to}
            onChange={setTo}
            error={errors.to_sequence}
          />
        </Group>
        <Checkbox
          label="Only events that were not delivered"
          checked={onlyUndelivered}
          onChange={(event) => setOnlyUndelivered(event.currentTarget.checked)}
        />
        <FormProblem error={start.error} fields={["from_sequence", "to_sequence"]} />
        <Button type="submit" loading={start.isPending}>
          Resend
        </Button>
      </Stack>
    </form>
  );
}
