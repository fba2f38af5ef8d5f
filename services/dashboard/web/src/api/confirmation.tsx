import { Alert, Button, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { actPerson } from "./calls.ts";
import type { Me } from "./me.ts";
import { signInWithPasskey } from "./passkeys.ts";
import { messageOf } from "./problem.ts";
import { queryClient } from "./query-client.ts";

/** Asks a signed-in person to confirm who they are. */
export default function ConfirmationDialog(props: { isOpen: boolean; onConfirmed: () => void; onClose: () => void }) {
  const { isOpen, onConfirmed, onClose } = props;
  // Opened after it is mounted, or it would not give the focus back to where it was.
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(isOpen), [isOpen]);
  return (
    <Modal opened={opened} onClose={onClose} title="Confirm that it's you" zIndex={400}>
      <Confirmation onConfirmed={onConfirmed} />
    </Modal>
  );
}

/** A second factor if there is one, a code or a passkey; otherwise the password. */
function Confirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const user = queryClient.getQueryData<Me>(["me"])?.user;
  const [hasTwoFactor, hasPasskey] = [user?.two_factor_enabled ?? false, user?.has_passkey ?? false];
  return (
    <Stack>
      <Text size="sm">You're about to make a sensitive change. We won't ask again for the next 10 minutes.</Text>
      {hasPasskey && <PasskeyConfirmation onConfirmed={onConfirmed} />}
      {(hasTwoFactor || !hasPasskey) && <TypedConfirmation hasTwoFactor={hasTwoFactor} onConfirmed={onConfirmed} />}
    </Stack>
  );
}

/** Signs in again, in a new session of this browser. */
export function PasskeyConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const confirm = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["me"] });
      onConfirmed();
    },
  });
  return (
    <>
      {confirm.error && (
        <Alert color="red" role="alert">
          {messageOf(confirm.error)}
        </Alert>
      )}
      <Button onClick={() => confirm.mutate()} loading={confirm.isPending}>
        Use your passkey
      </Button>
    </>
  );
}

export function TypedConfirmation({ hasTwoFactor, onConfirmed }: { hasTwoFactor: boolean; onConfirmed: () => void }) {
  const [answer, setAnswer] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      await actPerson("reauthenticate", hasTwoFactor ? { code: answer } : { password: answer });
      onConfirmed();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  const field = { value: answer, required: true, "data-autofocus": true };
  return (
    <form onSubmit={submit}>
      <Stack>
        {problem && <Alert color="red">{problem}</Alert>}
        {hasTwoFactor ? (
          <TextInput
            {...field}
            label="Authenticator code"
            inputMode="numeric"
            autoComplete="one-time-code"
            onChange={(event) => setAnswer(event.currentTarget.value)}
          />
        ) : (
          <PasswordInput
            {...field}
            label="Password"
            autoComplete="current-password"
            onChange={(event) => setAnswer(event.currentTarget.value)}
          />
        )}
        <Button type="submit" loading={isBusy}>
          Confirm
        </Button>
      </Stack>
    </form>
  );
}
