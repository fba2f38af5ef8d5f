import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { DatePicker } from "@mantine/dates";
import { type FormEvent, useState } from "react";
import type { FieldFilter, FilterValues } from "./filter-values.ts";
import { daysBetween, presets } from "./lagos-days.ts";
import { startOfLagosDay } from "./lagos-time.ts";
import { NairaInput, nairaOf } from "./naira-input.tsx";

type FieldProps<Kind extends FieldFilter["kind"]> = {
  filter: Extract<FieldFilter, { kind: Kind }>;
  values: FilterValues;
  onDone: () => void;
  /** The id of the form of amounts, if a button outside it applies them. */
  form?: string;
};

/** Where a filter is set. */
export function FilterField({ filter, ...props }: FieldProps<FieldFilter["kind"]>) {
  if (filter.kind === "choice") return <ChoiceField filter={filter} {...props} />;
  if (filter.kind === "span") return <SpanField filter={filter} {...props} />;
  return <AmountField filter={filter} {...props} />;
}

function ChoiceField({ filter: { name, label, options }, values, onDone }: FieldProps<"choice">) {
  const choose = (chosen: string) => {
    values.set({ [name]: chosen === ALL.value ? undefined : chosen });
    onDone();
  };
  return (
    <Radio.Group value={values.params.get(name) ?? ALL.value} onChange={choose} aria-label={label}>
      <Stack gap="xs">
        {[ALL, ...options].map((option) => (
          <Radio key={option.value} value={option.value} label={option.label} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

const ALL = { value: "all", label: "All" };

/** A preset, or whole days in Lagos. */
function SpanField({ filter: { label }, values, onDone }: FieldProps<"span">) {
  const { params, set } = values;
  const [picked, setPicked] = useState<[string | null, string | null]>();
  const choose = (span: { from: string | undefined; before: string | undefined }) => {
    setPicked(undefined);
    set(span);
    onDone();
  };
  const pick = ([first, last]: [string | null, string | null]) => {
    if (first && last) choose({ from: startOfLagosDay(first), before: startOfLagosDay(last, 1) });
    else setPicked([first, last]);
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {presets(Date.now()).map((preset) => (
          <Button
            key={preset.label}
            size="xs"
            variant="default"
            onClick={() => choose({ from: preset.from, before: undefined })}
          >
            {preset.label}
          </Button>
        ))}
      </Group>
      <DatePicker
        type="range"
        allowSingleDateInRange
        aria-label={label}
        ariaLabels={{ previousMonth: "Previous month", nextMonth: "Next month" }}
        weekendDays={[]}
        hideOutsideDates
        value={picked ?? daysBetween(params.get("from"), params.get("before"))}
        onChange={pick}
      />
      <Text size="xs" c="dimmed">
        Days in Lagos, both included
      </Text>
    </Stack>
  );
}

function AmountField({ values, onDone, form }: FieldProps<"amount">) {
  const { params, set } = values;
  const [from, setFrom] = useState<number | string>(params.get("amount_from") ?? "");
  const [to, setTo] = useState<number | string>(params.get("amount_to") ?? "");
  const isReversed = (nairaOf(from) ?? 0) > (nairaOf(to) ?? Number.POSITIVE_INFINITY);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReversed) return;
    set({ amount_from: (nairaOf(from) || undefined)?.toString(), amount_to: (nairaOf(to) || undefined)?.toString() });
    onDone();
  };
  return (
    <form onSubmit={submit} id={form}>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <NairaInput label="From" value={from} onChange={setFrom} w={140} min={0} />
          <NairaInput
            label="To"
            value={to}
            onChange={setTo}
            w={140}
            min={0}
            error={isReversed && "Less than the first amount"}
          />
        </Group>
        {form === undefined && (
          <Button type="submit" size="xs">
            Apply
          </Button>
        )}
      </Stack>
    </form>
  );
}
