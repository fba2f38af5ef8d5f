import { Button, Drawer, Group, Popover, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconChevronDown, IconSearch, IconX } from "@tabler/icons-react";
import { type FormEvent, useId, useState } from "react";
import { FilterField } from "./filter-fields.tsx";
import { type Filter, type FilterValues, isField, namesOf, useFilterValues, wordsOf } from "./filter-values.ts";

export type { Filter } from "./filter-values.ts";

/** The filters of a list: a search, and a chip for each; on a phone they are in one sheet. */
export function Filters({ filters }: { filters: Filter[] }) {
  const values = useFilterValues();
  const [isOpen, { open, close }] = useDisclosure();
  const amounts = useId();
  const fields = filters.filter(isField);
  const hasAmounts = fields.some(({ kind }) => kind === "amount");
  const set = filters.filter((filter) => filter.kind !== "search" && wordsOf(filter, values.params) !== undefined);
  return (
    <Group gap="xs" align="flex-end">
      {filters.map((filter) => filter.kind === "search" && <SearchFilter key="search" {...{ ...filter, values }} />)}
      <Group gap="xs" visibleFrom="sm">
        {filters.map((filter) => (
          <Chip key={filter.label} {...{ filter, values }} />
        ))}
      </Group>
      <Group gap="xs" hiddenFrom="sm">
        {fields.length > 0 && (
          <Button variant="default" leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />} onClick={open}>
            Filters{set.length > 0 ? ` (${set.length})` : ""}
          </Button>
        )}
        {set.map((filter) => (
          <Clear key={filter.label} {...{ filter, values }} hasWords />
        ))}
      </Group>
      <Drawer opened={isOpen} onClose={close} position="bottom" size="auto" title={<strong>Filters</strong>}>
        <Stack gap="lg" pb="md">
          {fields.map((filter) => (
            <Stack key={filter.label} gap="xs" role="group" aria-label={filter.label}>
              <Text fw={600} size="sm" aria-hidden>
                {filter.label}
              </Text>
              {filter.kind === "amount" ? (
                <FilterField {...{ filter, values }} form={amounts} onDone={close} />
              ) : (
                <FilterField {...{ filter, values }} onDone={() => {}} />
              )}
            </Stack>
          ))}
          <Button {...(hasAmounts ? { type: "submit", form: amounts } : { onClick: close })}>Show results</Button>
        </Stack>
      </Drawer>
    </Group>
  );
}

type ChipProps = { filter: Filter; values: FilterValues };

/** A filter's name, or what it is set to; pressed, its field. */
function Chip({ filter, values }: ChipProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const words = wordsOf(filter, values.params);
  if (filter.kind === "search") return null;
  if (!isField(filter)) return words !== undefined && <Clear {...{ filter, values }} hasWords />;
  return (
    <Button.Group>
      <Popover opened={isOpen} onChange={(opened) => !opened && close()} position="bottom-start" trapFocus>
        <Popover.Target>
          <Button
            variant={words === undefined ? "default" : "light"}
            size="sm"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            onClick={toggle}
          >
            {filter.label}
            {words !== undefined && `: ${words}`}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={filter.label}>
          <FilterField {...{ filter, values }} onDone={close} />
        </Popover.Dropdown>
      </Popover>
      {words !== undefined && <Clear {...{ filter, values }} />}
    </Button.Group>
  );
}

/** Removes a filter. One that came with a link from another page can only be shown and removed. */
function Clear({ filter, values, hasWords }: ChipProps & { hasWords?: boolean }) {
  const { label } = filter;
  const words = filter.kind === "given" && filter.isOpaque ? undefined : wordsOf(filter, values.params);
  return (
    <Button
      variant="light"
      maw="100%"
      px={hasWords ? undefined : 8}
      rightSection={hasWords && <IconX size={14} aria-hidden />}
      onClick={() => values.set(Object.fromEntries(namesOf(filter).map((name) => [name, undefined])))}
      aria-label={`${words === undefined ? label : `${label} ${words}`}: show all`}
    >
      {hasWords ? (
        <Text span inherit truncate>
          {label}
          {words !== undefined && ": "}
          <bdi>{words}</bdi>
        </Text>
      ) : (
        <IconX size={14} aria-hidden />
      )}
    </Button>
  );
}

function SearchFilter(props: Extract<Filter, { kind: "search" }> & { values: FilterValues }) {
  const { label, placeholder, values } = props;
  const given = values.params.get("search") ?? "";
  const [typed, setTyped] = useState(given);
  const [shown, setShown] = useState(given);
  // Navigation to another list replaces the text in the box; the box itself stays mounted and keeps the focus.
  if (shown !== given) {
    setShown(given);
    setTyped(given);
  }
  const searchIfChanged = () => typed.trim() !== given.trim() && values.set({ search: typed.trim() });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    searchIfChanged();
  };
  return (
    <form onSubmit={submit} className="search">
      <TextInput
        size="sm"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        leftSection={<IconSearch size={14} aria-hidden />}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={searchIfChanged}
      />
    </form>
  );
}
