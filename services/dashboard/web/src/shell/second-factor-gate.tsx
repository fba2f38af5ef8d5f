import { lazy, type ReactNode, useState } from "react";
import { useMay, useScope } from "../api/scope.ts";

/** Loaded when it is needed: few visits set up a factor. */
const SecondFactorSteps = lazy(() => import("./second-factor-steps.tsx"));

/** Live mode needs a second factor: asks for it, or leads through setting it up, and then shows the page. */
export function SecondFactorGate({ children }: { children: ReactNode }) {
  const { me, mode } = useScope();
  // As on the server, which refuses every call of live mode.
  const canMoveMoney = useMay("money");
  const isNeeded = mode === "live" && me.rules.live_second_factor && canMoveMoney;
  // What is set up here may have to be noted down, so the page stays until the person goes on.
  const [isOpen, setOpen] = useState(!isNeeded || me.session.second_factor);
  if (isOpen && (!isNeeded || me.session.second_factor)) return children;
  const { two_factor_enabled: hasTwoFactor, has_passkey: hasPasskey } = me.user;
  const isGiving = !me.session.second_factor && (hasTwoFactor || hasPasskey);
  return <SecondFactorSteps isGiving={isGiving} onDone={() => setOpen(true)} />;
}
