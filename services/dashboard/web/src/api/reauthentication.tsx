import { createContext, lazy, type ReactNode, Suspense, useContext, useRef, useState } from "react";
import type { Me } from "./me.ts";
import { ApiProblem } from "./problem.ts";
import { queryClient } from "./query-client.ts";

/** Runs a sensitive action; if the server requires reauthentication, asks for it and then retries. */
type Confirmed = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Loaded when it is asked for: few visits need it. */
const ConfirmationDialog = lazy(() => import("./confirmation.tsx"));

const Context = createContext<Confirmed | null>(null);

export function useReauthentication(): Confirmed {
  const confirmed = useContext(Context);
  if (!confirmed) throw new Error("this page is not inside a ReauthenticationProvider");
  return confirmed;
}

export function ReauthenticationProvider({ children }: { children: ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  const [wasAsked, setWasAsked] = useState(false);
  const waiting = useRef<PromiseWithResolvers<void> | null>(null);

  async function confirmed<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isAskedFor(error)) throw error;
      waiting.current ??= Promise.withResolvers<void>();
      setAsking(true);
      setWasAsked(true);
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
      {wasAsked && (
        <Suspense>
          <ConfirmationDialog isOpen={isAsking} onConfirmed={() => end("confirmed")} onClose={() => end("cancelled")} />
        </Suspense>
      )}
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
