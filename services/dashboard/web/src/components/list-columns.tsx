import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconColumns3 } from "@tabler/icons-react";
import { useScope } from "../api/scope.ts";
import type { Column } from "./list-rows.tsx";

type Choice = { headers: string[]; chosen: string[]; choose: (headers: string[]) => void };

/** The columns that this person chose on this device, or else the usual ones. The first one is the way to the record and stays. */
export function useChosenColumns<Row>(list: string, columns: Column<Row>[]) {
  const { me } = useScope();
  const [stored, store] = useLocalStorage<string[] | null>({
    key: `columns ${me.user.id} ${list}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const usual = columns.filter(({ isExtra }) => !isExtra).map(({ header }) => header);
  const chosen = Array.isArray(stored) ? stored : usual;
  const shown = columns.filter(({ header }, place) => place === 0 || chosen.includes(header));
  const choice: Choice = { headers: columns.slice(1).map(({ header }) => header), chosen, choose: store };
  return { columns: shown, choice };
}

export function ChooseColumns({ headers, chosen, choose }: Choice) {
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" visibleFrom="sm" leftSection={<IconColumns3 size={16} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Checkbox.Group value={chosen} onChange={choose} aria-label="Columns">
          <Stack gap="xs">
            {headers.map((header) => (
              <Checkbox key={header} value={header} label={header} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}
