import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Money } from "./money.tsx";

/** What a record is, at one look: the amount, its status, who, and when; then what can be done with it. */
export function RecordHead(props: {
  amount?: number;
  /** Instead of an amount, where there is none. */
  title?: ReactNode;
  status?: ReactNode;
  who?: ReactNode;
  at?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const { amount, title, status, who, at, actions, children } = props;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text component="strong" fz={28} lh={1.2} fw={600} className="wrap-anywhere">
          {amount === undefined ? title : <Money naira={amount} />}
        </Text>
        {status}
      </Group>
      {(who || at) && (
        <Text component="div" size="sm" className="wrap-anywhere">
          {who}
          {who && at && " · "}
          {at}
        </Text>
      )}
      {children && (
        <Group gap="xs" fz="sm">
          {children}
        </Group>
      )}
      {actions && <Group gap="xs">{actions}</Group>}
    </Stack>
  );
}
