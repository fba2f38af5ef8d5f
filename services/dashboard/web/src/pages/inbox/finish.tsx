import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { fieldErrors } from "../../api/problem.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import type { Item } from "./inbox-words.ts";

type Asked = { item: Item; onClose: () => void; onDone: () => void };

/** Says that an item is done, and why, for whoever asks later. It moves no money. */
export function Finish({ item: { kind, reference }, onClose, onDone }: Asked) {
  const [note, setNote] = useState("");
  const done = useAct("inbox/:kind/:reference/done", { changes: ["inbox"], onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    done.mutate({ kind, reference, note });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" maw={480}>
        <TextInput
          label="Note (optional)"
          description="For your team, kept with this item. No money moves."
          value={note}
          maxLength={500}
          onChange={(event) => setNote(event.currentTarget.value)}
          error={fieldErrors(done.error).note}
          autoFocus
        />
        <FormProblem error={done.error} fields={["note"]} />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={done.isPending}>
            Mark as done
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
