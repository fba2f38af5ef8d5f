import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { queryOf } from "../api/client.ts";
import { useScope } from "../api/scope.ts";

const FORMATS = { csv: "CSV", xlsx: "Excel (XLSX)" };

type Props = { path: string; filters: Record<string, string>; of?: number; label?: string };

/** Exactly what the list is filtered by, all pages of it; or so many selected rows. */
export function ExportMenu({ path, filters, of, label = "Export" }: Props) {
  const { api } = useScope();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size={of === undefined ? "sm" : "xs"}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {of === undefined ? label : `${label} ${of}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(FORMATS).map(([ending, name]) => (
          <Menu.Item key={ending} component="a" href={`${api}/${path}.${ending}${queryOf(filters)}`} download>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
