import { Anchor, Timeline as MantineTimeline, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { bothTimes, preciseTime } from "./lagos-time.ts";
import { RecordLink } from "./record-link.tsx";
import { When } from "./when.tsx";

/** One step in a record's history. `at` is null if it is unknown or has not happened yet. */
export type TimelineStep = {
  what: ReactNode;
  at: string | null;
  /** When a step that has not happened yet will. */
  due?: string;
  detail?: ReactNode;
  isBad?: boolean;
  /** The record that the step made, a list narrowed to it, or the id of a section of this one. */
  to?: string[] | string;
  search?: Record<string, string>;
};

/** The history of a record, in order, to the millisecond in Lagos: each step with its time, and the time elapsed since the first. */
export function Timeline({ steps }: { steps: TimelineStep[] }) {
  const first = steps.find(({ at }) => at)?.at;
  return (
    <MantineTimeline active={steps.filter(({ at }) => at).length - 1} bulletSize={16} lineWidth={2}>
      {steps.map((step, place) => (
        <MantineTimeline.Item key={place} title={<Title step={step} />} color={step.isBad ? "red" : undefined}>
          {step.at && (
            <Text size="xs" c="dimmed">
              <time dateTime={step.at} title={bothTimes(step.at)}>
                {preciseTime(step.at)}
              </time>
              {first && step.at !== first && ` · ${after(first, step.at)}`}
            </Text>
          )}
          {step.due && (
            <Text size="xs" c="dimmed">
              <When at={step.due} exact />
            </Text>
          )}
          {step.detail && <Text size="sm">{step.detail}</Text>}
        </MantineTimeline.Item>
      ))}
    </MantineTimeline>
  );
}

function Title({ step: { what, to, search } }: { step: TimelineStep }) {
  if (to === undefined) return what;
  if (typeof to !== "string") return <RecordLink {...{ to, ...(search && { search }) }}>{what}</RecordLink>;
  const show = () => document.getElementById(to)?.scrollIntoView({ block: "nearest" });
  return (
    <Anchor component="button" type="button" inherit onClick={show}>
      {what}
    </Anchor>
  );
}

/** `+18 ms`, `+2.4 s`, `+3 min`, `+2 h`. */
export function after(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from);
  const sign = ms < 0 ? "−" : "+";
  const size = Math.abs(ms);
  if (size < 1_000) return `${sign}${size} ms`;
  if (size < 60_000) return `${sign}${(size / 1_000).toFixed(1)} s`;
  if (size < 7_200_000) return `${sign}${Math.round(size / 60_000)} min`;
  if (size < 172_800_000) return `${sign}${Math.round(size / 3_600_000)} h`;
  return `${sign}${Math.round(size / 86_400_000)} days`;
}
