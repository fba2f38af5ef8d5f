import { ActionIcon, CopyButton, Group } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** A value with a copy button. `what` names it for screen readers: "account number". */
export function Copy({ value, what, children }: { value: string; what: string; children?: ReactNode }) {
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      {children ?? <span className="mono wrap-anywhere">{value}</span>}
      <CopyButton value={value} timeout={1_500}>
        {({ copied, copy }) => (
          <>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              onClick={copy}
              aria-label={`Copy ${what}`}
              title={`Copy ${what}`}
            >
              {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            </ActionIcon>
            <span className="unseen" role="status">
              {copied && "Copied"}
            </span>
          </>
        )}
      </CopyButton>
    </Group>
  );
}

/** A command to try, with a copy button. */
export function Command({ text, what = "command" }: { text: string; what?: string }) {
  return (
    <Group
      gap="xs"
      wrap="nowrap"
      align="flex-start"
      p="xs"
      bd="1px solid var(--mantine-color-default-border)"
      style={{ borderRadius: 8 }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="mono" tabIndex={0} style={SCROLLS}>
        {text}
      </pre>
      <Copy value={text} what={what}>
        {""}
      </Copy>
    </Group>
  );
}

const SCROLLS = { margin: 0, flex: 1, minWidth: 0, overflowX: "auto", whiteSpace: "pre" } as const;
