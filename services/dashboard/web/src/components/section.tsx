import { Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A section of a panel with its own heading. */
export function Section({ title, id: ownId, children }: { title: string; id?: string; children: ReactNode }) {
  const id = useId();
  return (
    <Stack component="section" id={ownId} aria-labelledby={id} gap="xs">
      <Title order={3} size="h5" id={id}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}
