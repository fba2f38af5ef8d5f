import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Command } from "./copy.tsx";

/** An empty list: what will appear here, the primary action, and the equivalent command. */
export function EmptyState(props: { title: string; children: ReactNode; action?: ReactNode; command?: string }) {
  const { title, children, action, command } = props;
  return (
    <Stack align="center" py={48} px="md" w="100%" maw={640} mx="auto" ta="center" gap="sm">
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text c="dimmed">{children}</Text>
      {action && (
        <Group gap="xs" justify="center">
          {action}
        </Group>
      )}
      {command && (
        <div style={{ maxWidth: "100%", textAlign: "left" }}>
          <Command text={command} />
        </div>
      )}
    </Stack>
  );
}
