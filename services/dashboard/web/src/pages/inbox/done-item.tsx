import { Anchor, Button, Group, Text } from "@mantine/core";
import { Link } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { Name } from "../../components/record-link.tsx";
import { When } from "../../components/when.tsx";
import { type Item, pathOf } from "./inbox-words.ts";

/** What was done: who said so, when and why; and back to the open ones. `onDone`: it was reopened, and is about to leave. */
export function DoneItem({ item, onDone }: { item: Item; onDone: () => void }) {
  const { home } = useScope();
  const mayAct = useMay("inbox");
  const reopen = useAct("inbox/:kind/:reference/reopen", { changes: ["inbox"], onDone });
  const { kind, reference, done } = item;
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div style={{ minWidth: 0, flex: "1 1 260px" }}>
        <Anchor component={Link} to={`${home}/${pathOf(item)}`} className="mono" style={{ overflowWrap: "anywhere" }}>
          {reference}
        </Anchor>
        {done?.note && <Text size="sm">{done.note}</Text>}
        {done && (
          <Text size="sm" c="dimmed">
            <Name>{done.by}</Name>, <When at={done.at} />
          </Text>
        )}
      </div>
      {mayAct && (
        <Button
          size="xs"
          variant="default"
          loading={reopen.isPending}
          onClick={() => reopen.mutate({ kind, reference })}
          aria-label={`Reopen ${reference}`}
        >
          Reopen
        </Button>
      )}
      <FormProblem error={reopen.error} />
    </Group>
  );
}
