import { Alert, Button, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { createContext, type FormEvent, type ReactNode, useContext, useRef, useState } from "react";
import { actPerson } from "./calls.ts";
import type { Me } from "./me.ts";
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
      if (!(error instanceof ApiProblem) || error.code !== "reauthentication_required") throw error;
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

/** With two-factor authentication the code is required, otherwise the password. */
function Confirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const hasTwoFactor = queryClient.getQueryData<Me>(["me"])?.user.two_factor_enabled ?? false;
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
        <Text size="sm">You're about to make a sensitive change. We won't ask again for the next 10 minutes.</Text>
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
