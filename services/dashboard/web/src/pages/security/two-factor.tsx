import { Badge, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useScope } from "../../api/scope.ts";
import { SectionCard } from "../../components/section-card.tsx";
import { BackupCodes } from "./backup-codes.tsx";
import { DisableTwoFactor } from "./disable-two-factor.tsx";
import { EnableTwoFactor } from "./enable-two-factor.tsx";

type Step = { at: "rest" } | { at: "enabling" } | { at: "disabling" } | { at: "codes"; codes: string[] };

/** A second factor: an authenticator app's code, required after the password and before sensitive actions. */
export function TwoFactor() {
  const { me } = useScope();
  const [step, setStep] = useState<Step>({ at: "rest" });
  const rest = () => setStep({ at: "rest" });
  const isOn = me.user.two_factor_enabled;
  return (
    <SectionCard
      title="Two-factor authentication"
      lead="Adds a code from an app on your phone, so a stolen password isn't enough to sign in."
    >
      {step.at === "codes" && <BackupCodes codes={step.codes} email={me.user.email} onKept={rest} />}
      {step.at === "enabling" && (
        <EnableTwoFactor onCancel={rest} onEnabled={(codes) => setStep({ at: "codes", codes })} />
      )}
      {step.at === "disabling" && <DisableTwoFactor onEnd={rest} />}
      {step.at === "rest" && (
        <Group>
          <Badge color={isOn ? "green" : "gray"}>{isOn ? "On" : "Off"}</Badge>
          {isOn && (
            <Button variant="default" onClick={() => setStep({ at: "disabling" })}>
              Turn off two-factor
            </Button>
          )}
          {!isOn && me.user.has_password && (
            <Button onClick={() => setStep({ at: "enabling" })}>Turn on two-factor</Button>
          )}
          {!isOn && !me.user.has_password && <Text size="sm">Set a password first.</Text>}
        </Group>
      )}
    </SectionCard>
  );
}
