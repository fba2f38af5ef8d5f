import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { type Key, keyWords } from "./exposure-words.ts";

/** Revokes a restricted key at once. Its name has to be typed first. `onRevoked`: it is about to leave. */
export function RevokeKey({ of: key, onRevoked }: { of: Key; onRevoked: () => void }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState("");
  const revoke = useAct("keys/:key_id/revoke", { changes: ["keys"], onDone: onRevoked });
  const name = key.name ?? "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    revoke.mutate({ key_id: key.id }, { onSuccess: close });
  };
  return (
    <>
      <Button variant="default" size="sm" onClick={open} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Revoke ${name}`}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              Requests with {keyWords(key)} will fail at once. This can't be undone. Your other keys keep working.
            </Text>
            <TextInput
              label={`Type “${name}” to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
            <FormProblem error={revoke.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" color="red.9" loading={revoke.isPending} disabled={typed.trim() !== name.trim()}>
                Revoke key
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
