import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { actPerson, readPerson } from "../../api/calls.ts";
import { addPasskey } from "../../api/passkeys.ts";
import { messageOf } from "../../api/problem.ts";
import { useReauthentication } from "../../api/reauthentication.tsx";
import { useScope } from "../../api/scope.ts";
import { Failure } from "../../components/failure.tsx";
import { SectionCard } from "../../components/section-card.tsx";
import { When } from "../../components/when.tsx";
import { Enrol } from "./enrol.tsx";

type Passkey = Awaited<ReturnType<typeof readPerson<"auth/passkey/list-user-passkeys">>>[number];

/** Passkeys: they sign in without a password, and count as a second factor. */
export function Passkeys() {
  const passkeys = useQuery({
    queryKey: ["passkeys"],
    queryFn: () => readPerson("auth/passkey/list-user-passkeys", {}),
  });
  return (
    <SectionCard
      title="Passkeys"
      lead="Sign in with your fingerprint, face or PIN, on this device or from your phone. A passkey counts as two factors and can't be phished."
    >
      {passkeys.error && <Failure error={passkeys.error} onRetry={() => void passkeys.refetch()} />}
      {passkeys.isPending && <Skeleton height={40} />}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }}>
        {(passkeys.data ?? []).map((passkey) => (
          <Kept key={passkey.id} passkey={passkey} />
        ))}
      </Stack>
      <Add />
    </SectionCard>
  );
}

/** Who the user is, and which passkeys there are, changes with each of these acts. */
function usePasskeyAct<Given>(act: (given: Given) => Promise<unknown>, onDone: () => void) {
  const client = useQueryClient();
  const confirmed = useReauthentication();
  return useMutation({
    mutationFn: (given: Given) => confirmed(() => act(given)),
    onSuccess: async () => {
      await Promise.all(["me", "passkeys", "devices"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
      onDone();
    },
  });
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

function Kept({ passkey }: { passkey: Passkey }) {
  const [name, setName] = useState<string>();
  const rename = usePasskeyAct(
    (given: string) => actPerson("auth/passkey/update-passkey", { id: passkey.id, name: given }),
    () => setName(undefined),
  );
  const remove = usePasskeyAct(
    (id: string) => actPerson("auth/passkey/delete-passkey", { id }),
    () => {},
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
        {remove.error && (
          <Alert color="red" role="alert" mt="xs">
            {messageOf(remove.error)}
          </Alert>
        )}
      </div>
      <Group gap="xs">
        <Button variant="default" aria-label={`Rename ${known}`} onClick={() => setName(known)}>
          Rename
        </Button>
        <Button
          variant="default"
          aria-label={`Remove ${known}`}
          loading={remove.isPending}
          onClick={() => remove.mutate(passkey.id)}
        >
          Remove
        </Button>
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
