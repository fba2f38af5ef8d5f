import { Alert, Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queryClient, WHY_ENDED } from "../api/query-client.ts";
import { Command } from "../components/copy.tsx";
import { Failure } from "../components/failure.tsx";
import { FormProblem } from "../components/form-problem.tsx";
import { Loading } from "../components/loading.tsx";
import { AccountFrame } from "../pages/account/account-frame.tsx";
import { signInBy, useOwnKey } from "./api.ts";
import { dropKey, makeKey } from "./browser-key.ts";
import { PasswordAndCode } from "./password-and-code.tsx";
import { SetUpForm } from "./set-up-form.tsx";

/** The way in: a key that an operator has added, then a password and an authenticator, and from then on those two. */
export function SignInPage() {
  const { data: key, error, refetch, isFetching } = useOwnKey();
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (key === undefined) return <Loading />;
  if (!key) return <NewBrowser />;
  if (!key.known) return <UnknownKey publicKey={key.public_key} isAsking={isFetching} onAsk={() => void refetch()} />;
  return key.known.can_sign_in ? <SignInForm name={key.known.name} /> : <SetUpForm name={key.known.name} />;
}

function NewBrowser() {
  const make = useMutation({
    mutationFn: makeKey,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["key"] }),
  });
  return (
    <AccountFrame
      title="Operators"
      lead="What operators do is signed with a key. This browser doesn't have one yet. The key it creates never leaves it."
    >
      <FormProblem error={make.error} />
      <Button size="md" loading={make.isPending} onClick={() => make.mutate()}>
        Make this browser's key
      </Button>
    </AccountFrame>
  );
}

function UnknownKey(props: { publicKey: string; isAsking: boolean; onAsk: () => void }) {
  const { publicKey, isAsking, onAsk } = props;
  const [hasAsked, setAsked] = useState(false);
  const ask = () => {
    setAsked(true);
    onAsk();
  };
  return (
    <AccountFrame title="Have your key added" lead="An operator adds it from the command line, under your name:">
      <Command text={`npm run -s ops -- operator add NAME --public-key ${publicKey}`} />
      <List size="sm">
        <List.Item>The public key is no secret, but send it over a channel that others can't write to.</List.Item>
        <List.Item>If a second approval is required, another operator approves it.</List.Item>
      </List>
      {hasAsked && !isAsking && (
        <Alert color="yellow" role="status">
          Not added yet.
        </Alert>
      )}
      <Button size="md" loading={isAsking} onClick={ask}>
        My key was added
      </Button>
      <NewKey />
    </AccountFrame>
  );
}

/** For a key that was removed. The old one cannot be had back. */
function NewKey() {
  const [isOpen, { open, close }] = useDisclosure();
  const drop = useMutation({
    mutationFn: dropKey,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["key"] }),
  });
  return (
    <>
      <Button variant="subtle" color="gray" onClick={open}>
        Create a new key
      </Button>
      <Modal opened={isOpen} onClose={close} title="Create a new key">
        <Stack>
          <Text size="sm">
            This browser's key is deleted for good. Even if an operator adds it, you can't sign in with it.
          </Text>
          <FormProblem error={drop.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button color="red.9" loading={drop.isPending} onClick={() => drop.mutate()}>
              Delete this key
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function SignInForm({ name }: { name: string }) {
  const whyEnded = useQueryClient().getQueryData<string>(WHY_ENDED);
  return (
    <AccountFrame title={`Sign in as ${name}`} lead="Every sign-in is in the audit log.">
      {whyEnded && (
        <Alert color="yellow" role="status">
          {whyEnded}
        </Alert>
      )}
      <PasswordAndCode
        onSend={(given) => signInBy("gateway.operator_sign_in.check", given)}
        submit="Sign in"
        password={{ label: "Password", autoComplete: "current-password" }}
      />
      <Text size="sm" c="dimmed">
        Lost your password or authenticator? Another operator runs{" "}
        <span className="mono">npm run -s ops -- operator reset-sign-in {name}</span>
      </Text>
    </AccountFrame>
  );
}
