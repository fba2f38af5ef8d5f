import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { actPerson, readPerson } from "../../api/calls.ts";
import { addPasskey } from "../../api/passkeys.ts";
import { messageOf } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import { Failure } from "../../components/failure.tsx";
import { SectionCard } from "../../components/section-card.tsx";
import { useHeading } from "../../components/use-heading.ts";
import { When } from "../../components/when.tsx";
import { Enrol } from "./enrol.tsx";
import { RemovePasskey } from "./remove-passkey.tsx";
import { type Passkey, usePasskeyAct } from "./use-passkey-act.ts";

/** Passkeys: they sign in without a password, and count as a second factor. */
export function Passkeys() {
  const [heading, focusHeading] = useHeading();
  const passkeys = useQuery({
    queryKey: ["passkeys"],
    queryFn: () => readPerson("auth/passkey/list-user-passkeys", {}),
  });
  return (
    <SectionCard
      heading={heading}
      title="Passkeys"
      lead="Sign in with your fingerprint, face or PIN, on this device or from your phone. A passkey counts as two factors and can't be phished."
    >
      {passkeys.error && <Failure error={passkeys.error} onRetry={() => void passkeys.refetch()} />}
      {passkeys.isPending && <Skeleton height={40} />}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }}>
        {(passkeys.data ?? []).map((passkey) => (
          <Kept key={passkey.id} passkey={passkey} onRemoved={focusHeading} />
        ))}
      </Stack>
      <Add />
    </SectionCard>
  );
}

function Add() {
  const { me } = useScope();
  const [step, setStep] = useState<"rest" | "proving" | "naming">("rest");
  const [name, setName] = useState("");
  const rest = () => {
    setStep("rest");
    setName("");
  };
  const add = usePasskeyAct(addPasskey, rest);
  if (step === "naming") return <NameForm {...{ name, setName }} label="Add passkey" act={add} onCancel={rest} />;
  if (step === "proving")
    return <Enrol label="Add a passkey" onCancel={rest} onPermitted={async () => setStep("naming")} />;
  if (!me.user.has_password) return <Text size="sm">Set a password first.</Text>;
  return (
    <Button w="fit-content" variant="default" onClick={() => setStep("proving")}>
      Add a passkey
    </Button>
  );
}

function Kept({ passkey, onRemoved }: { passkey: Passkey; onRemoved: () => void }) {
  const [name, setName] = useState<string>();
  const rename = usePasskeyAct(
    (given: string) => actPerson("auth/passkey/update-passkey", { id: passkey.id, name: given }),
    () => setName(undefined),
  );
  const known = passkey.name ?? "Passkey";
  if (name !== undefined)
    return (
      <li>
        <NameForm {...{ name, setName }} label="Save name" act={rename} onCancel={() => setName(undefined)} />
      </li>
    );
  return (
    <Group component="li" justify="space-between" gap="sm">
      <div>
        <Text fw={500} className="wrap-anywhere">
          {known}
        </Text>
        {passkey.createdAt && (
          <Text size="sm" c="dimmed">
            Added <When at={passkey.createdAt} />
          </Text>
        )}
      </div>
      <Group gap="xs">
        <Button variant="default" aria-label={`Rename ${known}`} onClick={() => setName(known)}>
          Rename
        </Button>
        <RemovePasskey id={passkey.id} name={known} onRemoved={onRemoved} />
      </Group>
    </Group>
  );
}

function NameForm(props: {
  name: string;
  setName: (name: string) => void;
  label: string;
  act: { mutate: (name: string) => void; isPending: boolean; error: unknown };
  onCancel: () => void;
}) {
  const { name, setName, label, act, onCancel } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate(name);
  };
  return (
    <form aria-label={label} onSubmit={submit}>
      <Stack gap="sm" maw={360}>
        <TextInput
          label="Passkey name"
          description="For example, the device that stores it."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={60}
          required
          withAsterisk={false}
          autoFocus
        />
        {act.error !== null && (
          <Alert color="red" role="alert">
            {messageOf(act.error)}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={act.isPending}>
            {label}
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
