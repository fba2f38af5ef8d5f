import { Button, Group, Select, Text, TextInput } from "@mantine/core";
import { DatePickerInput } from "@mantine/dates";
import { IconSearch, IconX } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useSearchParams } from "react-router";

/** A filter of a list. Every value is in the URL, so a filtered list can be shared. */
export type Filter =
  | { kind: "search"; label: string; placeholder: string }
  | { kind: "choice"; name: string; label: string; options: { value: string; label: string }[] }
  | { kind: "span"; label: string }
  /** Set by a link from another page, such as a customer's; it can only be shown and removed here. An opaque value is not shown. */
  | { kind: "given"; name: string; label: string; isOpaque?: boolean };

export function Filters({ filters }: { filters: Filter[] }) {
  return (
    <Group gap="xs" align="flex-end">
      {filters.map((filter) => {
        if (filter.kind === "search") return <SearchFilter key="search" {...filter} />;
        if (filter.kind === "span") return <SpanFilter key="span" {...filter} />;
        if (filter.kind === "given") return <GivenFilter key={filter.name} {...filter} />;
        return <ChoiceFilter key={filter.name} {...filter} />;
      })}
    </Group>
  );
}

/** Sets URL parameters and returns to the first page. */
function useFilterValues() {
  const [params, setParams] = useSearchParams();
  const set = (values: Record<string, string | undefined>) =>
    setParams((old) => {
      const next = new URLSearchParams(old);
      next.delete("after");
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    });
  return { params, set };
}

function SearchFilter({ label, placeholder }: Extract<Filter, { kind: "search" }>) {
  const { params, set } = useFilterValues();
  const given = params.get("search") ?? "";
  const [typed, setTyped] = useState(given);
  const [shown, setShown] = useState(given);
  // Navigation to another list replaces the text in the box; the box itself stays mounted and keeps the focus.
  if (shown !== given) {
    setShown(given);
    setTyped(given);
  }
  const searchIfChanged = () => typed.trim() !== given.trim() && set({ search: typed.trim() });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    searchIfChanged();
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        size="sm"
        w={290}
        label={label}
        placeholder={placeholder}
        value={typed}
        leftSection={<IconSearch size={14} aria-hidden />}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={searchIfChanged}
      />
    </form>
  );
}

function ChoiceFilter({ name, label, options }: Extract<Filter, { kind: "choice" }>) {
  const { params, set } = useFilterValues();
  const value = params.get(name) ?? options[0]?.value ?? null;
  return (
    <Select
      size="sm"
      w={170}
      label={label}
      data={options}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => set({ [name]: chosen === options[0]?.value ? undefined : (chosen ?? undefined) })}
    />
  );
}

function GivenFilter({ name, label, isOpaque }: Extract<Filter, { kind: "given" }>) {
  const { params, set } = useFilterValues();
  const value = params.get(name);
  if (!value) return null;
  return (
    <Button
      variant="default"
      maw="100%"
      rightSection={<IconX size={14} aria-hidden />}
      onClick={() => set({ [name]: undefined })}
      aria-label={`${isOpaque ? label : `${label} ${value}`}: show all`}
    >
      <Text span inherit truncate>
        {label} {!isOpaque && <bdi>{value}</bdi>}
      </Text>
    </Button>
  );
}

/** Whole days in the browser's time zone, both included. In the URL they are the instants that the API accepts. */
function SpanFilter({ label }: Extract<Filter, { kind: "span" }>) {
  const { params, set } = useFilterValues();
  const from = params.get("from");
  const before = params.get("before");
  const given: [string | null, string | null] = [from && dayOf(from, 0), before && dayOf(before, -1)];
  const [picked, setPicked] = useState<[string | null, string | null]>();
  return (
    <DatePickerInput
      type="range"
      size="sm"
      w={240}
      label={label}
      placeholder="Any time"
      clearable
      clearButtonProps={{ "aria-label": "Clear dates" }}
      ariaLabels={{ previousMonth: "Previous month", nextMonth: "Next month" }}
      popoverProps={{ withRoles: false }}
      weekendDays={[]}
      valueFormat="D MMM YYYY"
      value={picked ?? given}
      onChange={([first, last]) => {
        setPicked([first, last]);
        if (first && !last) return;
        setPicked(undefined);
        set({ from: first ? startOf(first, 0) : undefined, before: last ? startOf(last, 1) : undefined });
      }}
    />
  );
}

function startOf(day: string, plus: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + plus);
  return date.toISOString();
}

function dayOf(instant: string, plus: number): string {
  const date = new Date(instant);
  date.setDate(date.getDate() + plus);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
