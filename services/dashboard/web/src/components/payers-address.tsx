import { Button, Group } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { Copy } from "./copy.tsx";

/** A page for payers: its URL to copy, and a link to it. */
export function PayersAddress({ url, what, opens }: { url: string; what: string; opens: string }) {
  return (
    <Group gap="sm" justify="space-between" p="sm" bd="1px solid var(--mantine-color-default-border)" bdrs="md">
      <Copy value={url} what={what} />
      <Button
        component="a"
        href={url}
        target="_blank"
        rel="noreferrer"
        variant="default"
        rightSection={<IconExternalLink size={16} aria-hidden />}
      >
        {opens}
      </Button>
    </Group>
  );
}
