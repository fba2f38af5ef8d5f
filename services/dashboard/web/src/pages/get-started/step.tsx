import type { Mode } from "@collect/contracts";
import { Accordion, Badge, Button, Group, Stack, Text, ThemeIcon } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useScope } from "../../api/scope.ts";
import { Command } from "../../components/copy.tsx";

/** One step: why, the action, and the equivalent command. */
export type Step = {
  id: string;
  title: string;
  isDone: boolean;
  /** A label instead of “Done”. */
  badge?: string;
  why: ReactNode;
  action: ReactNode;
  command?: { lead: string; text: string };
};

export function StepItem({ step, number }: { step: Step; number: number }) {
  const { id, title, isDone, why, action, command } = step;
  const badge = step.badge ?? (isDone ? "Done" : undefined);
  return (
    <Accordion.Item value={id}>
      <Accordion.Control
        icon={
          <ThemeIcon radius="xl" size={28} variant={isDone ? "filled" : "default"} aria-hidden>
            {isDone ? <IconCheck size={16} /> : number}
          </ThemeIcon>
        }
      >
        <Group gap="sm" wrap="wrap">
          <Text fw={600}>{title}</Text>
          {badge && <Badge color={isDone ? "green" : "blue"}>{badge}</Badge>}
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm" align="stretch">
          <Text size="sm" maw={680}>
            {why}
          </Text>
          {action}
          {command && (
            <div>
              <Text size="sm" c="dimmed" mb={4}>
                {command.lead}
              </Text>
              <Command text={command.text} />
            </div>
          )}
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** A command with a placeholder for the secret key. */
function curl(mode: Mode, url: string, ...lines: string[]): string {
  return [`curl ${url}`, `-H 'Authorization: Bearer sk_${mode}_…'`, ...lines].join(" \\\n  ");
}

/** The API calls shown in the steps of both modes. */
export const callTo = (mode: Mode, api: string) => ({
  readBalance: curl(mode, `${api}/balance`),
  issueAccount: curl(
    mode,
    `${api}/customer_accounts`,
    "-d customer_reference=cust_42",
    "--data-urlencode 'customer_name=Ada Obi'",
  ),
  simulate: (amount: number) =>
    curl(
      mode,
      `${api}/customer_accounts/cust_42/simulate_payment`,
      "-H 'Content-Type: application/json'",
      `-d '{"outcome":"paid","amount":${amount}}'`,
    ),
});

export const PROBE_OWN_SERVER = {
  lead: "First check that your server is publicly reachable and returns 2xx:",
  text: "curl -i -X POST https://example.com/webhooks \\\n  -H 'Content-Type: application/json' \\\n  -d '{}'",
};

/** The action of a step on another page. */
export function GoTo({ path, children }: { path: string; children: string }) {
  const { home } = useScope();
  return (
    <Button component={Link} to={`${home}/${path}`} w="fit-content">
      {children}
    </Button>
  );
}
