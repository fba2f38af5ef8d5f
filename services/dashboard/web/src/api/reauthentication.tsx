import { Alert, Button, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { createContext, type FormEvent, type ReactNode, useContext, useRef, useState } from "react";
import { actPerson } from "./calls.ts";
import type { Me } from "./me.ts";
import { signInWithPasskey } from "./passkeys.ts";
import { ApiProblem, messageOf } from "./problem.ts";
import { queryClient } from "./query-client.ts";

/** Runs a sensitive action; if the server requires reauthentication, asks for it and then retries. */
type Confirmed = <Result>(work: () => Promise<Result>) => Promise<Result>;

const Context = createContext<Confirmed | null>(null);

export function useReauthentication(): Confirmed {
  const confirmed = useContext(Context);
  if (!confirmed) throw new Error("this page is not inside a ReauthenticationProvider");
  return confirmed;
}

export function ReauthenticationProvider({ children }: { children: ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  const waiting = useRef<PromiseWithResolvers<void> | null>(null);

  async function confirmed<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isAskedFor(error)) throw error;
      waiting.current ??= Promise.withResolvers<void>();
      setAsking(true);
      await waiting.current.promise;
      return work();
    }
  }

  function end(outcome: "confirmed" | "cancelled"): void {
    const pending = waiting.current;
    waiting.current = null;
    setAsking(false);
    if (outcome === "confirmed") pending?.resolve();
    else
      pending?.reject(
        new ApiProblem({
          status: 403,
          code: "reauthentication_required",
          detail: "Nothing was changed because you didn't confirm.",
        }),
      );
  }

  return (
    <Context.Provider value={confirmed}>
      {children}
      <Modal opened={isAsking} onClose={() => end("cancelled")} title="Confirm that it's you" zIndex={400}>
        <Confirmation onConfirmed={() => end("confirmed")} />
      </Modal>
    </Context.Provider>
  );
}

/** A second factor can be given here, but not set up. */
function isAskedFor(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  const user = queryClient.getQueryData<Me>(["me"])?.user;
  const hasFactor = user?.two_factor_enabled || user?.has_passkey;
  return error.code === "reauthentication_required" || (error.code === "second_factor_required" && hasFactor === true);
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
