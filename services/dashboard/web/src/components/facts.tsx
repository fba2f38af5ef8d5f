import { Table } from "@mantine/core";
import type { ReactNode } from "react";

/** The fields of one record, a line each. Null fields are omitted; empty ones are not. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  return (
    <Table withRowBorders={false} verticalSpacing={6} horizontalSpacing={0} layout="fixed" maw="48rem">
      <Table.Tbody>
        {known.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="38%" pr="sm" fw={400} c="dimmed" style={{ verticalAlign: "baseline" }}>
              {name}
            </Table.Th>
            <Table.Td className="wrap-anywhere" style={{ verticalAlign: "baseline" }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
