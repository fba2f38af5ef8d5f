import {
  Alert,
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Noun } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { fieldErrors } from "../../api/problem.ts";
import { useMay } from "../../api/scope.ts";
import { durationWords } from "../../components/duration.ts";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { SectionCard } from "../../components/section-card.tsx";
import { When } from "../../components/when.tsx";

/** The time in test mode, and how to advance it. */
export function TestClockCard() {
  const clock = useRead("test-clock", {}, { refetchInterval: 15_000 });
  const mayAdvance = useMay("collect");
  return (
    <SectionCard title="Test clock" lead="The time that everything in your test mode goes by. It only moves forward.">
      {clock.error && <Failure error={clock.error} isOld={Boolean(clock.data)} onRetry={() => void clock.refetch()} />}
      {clock.isPending && <Skeleton height={80} />}
      {clock.data && (
        <Facts
          facts={[
            ["Now", <When key="now" at={clock.data.now} exact />],
            [
              "Ahead by",
              clock.data.ahead_by === 0 ? "Nothing: it follows real time" : durationWords(clock.data.ahead_by),
            ],
          ]}
        />
      )}
      <Text size="sm">
        Advancing the clock does what would be due by then, in order: sessions, links and approvals expire, balances
        settle, events are retried, and transfers get their outcome. Afterwards the clock stands still until you advance
        it again or real time catches up. It can be at most 400 days ahead, and can't be set back.
      </Text>
      {clock.data && mayAdvance && <Advance now={clock.data.now} />}
      {!mayAdvance && <Text size="sm">Owners, finance members and developers can advance it.</Text>}
    </SectionCard>
  );
}

/** Everything that waits for a time, and what comes of it. */
const CHANGES = [
  "test-clock",
  "sessions",
  "links",
  "collections",
  "settlements",
  "schedule",
  "transfers",
  "balance",
  "events",
  "deliveries",
  "webhook",
] as const satisfies Noun[];

const UNITS = [
  { value: "60", label: "minutes" },
  { value: "3600", label: "hours" },
  { value: "86400", label: "days" },
];

/** Lagos has no summer time. */
const inLagos = (local: string) => new Date(`${local}+01:00`);

function Advance({ now }: { now: string }) {
  const [how, setHow] = useState("by");
  const [count, setCount] = useState<number | string>(1);
  const [unit, setUnit] = useState("86400");
  const [until, setUntil] = useState("");
  const { error, data, isAdvancing, advanceTo } = useAdvance();
  const { advance_to, advance_by } = fieldErrors(error);
  const wrong = advance_to ?? advance_by;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void advanceTo(how === "by" ? new Date(Date.parse(now) + Number(count) * Number(unit) * 1_000) : inLagos(until));
  };
  return (
    <form aria-label="Advance the test clock" onSubmit={submit}>
      <Stack gap="sm">
        <SegmentedControl
          w="fit-content"
          aria-label="How far"
          value={how}
          onChange={setHow}
          data={[
            { value: "by", label: "By a duration" },
            { value: "to", label: "To a time" },
          ]}
        />
        {how === "by" ? (
          <Group align="flex-start" gap="sm">
            <NumberInput
              label="Advance by"
              min={1}
              allowDecimal={false}
              allowNegative={false}
              required
              value={count}
              error={wrong}
              onChange={setCount}
              w={140}
            />
            <Select
              label="Unit"
              data={UNITS}
              value={unit}
              allowDeselect={false}
              onChange={(chosen) => setUnit(chosen ?? "86400")}
              w={140}
            />
          </Group>
        ) : (
          <TextInput
            label="Advance to, in Lagos time"
            type="datetime-local"
            required
            value={until}
            error={wrong}
            onChange={(event) => setUntil(event.currentTarget.value)}
            maw={280}
          />
        )}
        <Button type="submit" w="fit-content" loading={isAdvancing}>
          Advance clock
        </Button>
        <FormProblem error={error} fields={["advance_to", "advance_by"]} />
        {data && !isAdvancing && !error && (
          <Alert color="accent" role="status">
            In test mode it is <When at={data.now} exact />. Everything due by then is done.
          </Alert>
        )}
      </Stack>
    </form>
  );
}

/** To a time and not by a duration: a call that ends early, because much was due, is safe to repeat until all is done. */
function useAdvance() {
  const act = useAct("test-clock", { changes: CHANGES });
  const [isAdvancing, setAdvancing] = useState(false);
  const advanceTo = async (to: Date) => {
    if (Number.isNaN(to.getTime())) return;
    setAdvancing(true);
    try {
      // What real time has reached meanwhile happens by itself.
      while ((await act.mutateAsync({ advance_to: to.toISOString() })).has_more && to.getTime() > Date.now());
    } catch {
      // The mutation has the error, which the form shows.
    } finally {
      setAdvancing(false);
    }
  };
  return { error: act.error, data: act.data, isAdvancing, advanceTo };
}
