import { Button, Group, Stack, Text } from "@mantine/core";
import { useAct } from "../../api/hooks.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { money } from "../../components/money.tsx";
import type { Item } from "./inbox-words.ts";

type Asked = { item: Item; onClose: () => void; onDone: () => void };

/** Orders the same transfer once more. The server makes one order of it, whoever presses how often. */
export function SendAgain({ item: { reference, amount, name }, onClose, onDone }: Asked) {
  const again = useAct("transfers/:reference/again", {
    changes: ["inbox", "transfers", "balance", "payouts"],
    onDone,
  });
  const sum = money(amount ?? 0);
  return (
    <Stack gap="xs">
      <Text size="sm">
        This creates a new transfer of {sum} to <bdi>{name}</bdi>, to the same account, from your settled balance.
        Pressing it again doesn't send it twice.
      </Text>
      <FormProblem error={again.error} />
      <Group gap="xs">
        <Button size="xs" loading={again.isPending} onClick={() => again.mutate({ reference })}>
          Send {sum} again
        </Button>
        <Button size="xs" variant="default" disabled={again.isPending} onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}
