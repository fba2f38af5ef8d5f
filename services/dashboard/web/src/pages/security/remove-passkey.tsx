import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { actPerson } from "../../api/calls.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { usePasskeyAct } from "./use-passkey-act.ts";

type Props = { id: string; name: string; onRemoved: () => void };

/** Removes a passkey. Its name has to be typed first. */
export function RemovePasskey({ id, name, onRemoved }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState("");
  const remove = usePasskeyAct(
    () => actPerson("auth/passkey/delete-passkey", { id }),
    () => {
      close();
      onRemoved();
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate(undefined);
  };
  return (
    <>
      <Button variant="default" aria-label={`Remove ${name}`} onClick={open}>
        Remove
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Remove ${name}`}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">You can no longer sign in with this passkey. This can't be undone.</Text>
            <TextInput
              label={`Type “${name}” to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
            <FormProblem error={remove.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" color="red.9" loading={remove.isPending} disabled={typed.trim() !== name.trim()}>
                Remove passkey
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
