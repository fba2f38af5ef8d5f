import { Alert, Anchor, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { Link } from "react-router";
import { errorsByField } from "../api/problem.ts";
import { FormProblem } from "../components/form-problem.tsx";
import { type Act, type Done, type Input, type Outcome, useAct } from "./api.ts";

type Shown<Result> = {
  label: string;
  /** Whether it can be begun now. A dialog that is open stays what it was: its own act may have ended what it was offered for. */
  isOffered?: boolean;
  isDangerous?: true;
  /** What will happen, in words. */
  effect: ReactNode;
  /** The label of the reason; without it none is asked for. */
  reason?: string;
  /** Further fields. */
  children?: ReactNode;
  onOpen?: () => void;
  /** What has happened, in words; without it the dialog closes. */
  resultOf?: (done: Result) => ReactNode;
};

type Props<Subject extends Act> = Shown<Done<Subject>> & {
  subject: Subject;
  inputOf: (reason: string) => Input<Subject>;
};

/** A button that opens what it would do: the operator reads the effect, says why, and confirms. */
export function ActDialog<Subject extends Act>({ subject, ...shown }: Props<Subject>) {
  return <OrderDialog {...shown} order={useAct(subject)} />;
}

type OrderProps<Given, Result> = Shown<Result> & {
  order: UseMutationResult<Outcome<Result>, Error, Given>;
  inputOf: (reason: string) => Given;
};

/** It stays open until the outcome is known. */
export function OrderDialog<Given, Result>(props: OrderProps<Given, Result>) {
  const { label, isOffered = true, isDangerous, effect, reason: asked, children, resultOf, order, inputOf } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const [reason, setReason] = useState("");
  /** At once, unlike what the button shows: a double click sends one order. */
  const isSent = useRef(false);
  const begin = () => {
    setReason("");
    order.reset();
    props.onOpen?.();
    open();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSent.current) return;
    isSent.current = true;
    order.mutate(inputOf(reason.trim()), {
      onSuccess: (outcome) => "done" in outcome && !resultOf && close(),
      onSettled: () => {
        isSent.current = false;
      },
    });
  };
  return (
    <>
      {isOffered && (
        <Button variant="default" onClick={begin}>
          {label}
        </Button>
      )}
      <Modal
        opened={isOpen}
        onClose={() => !order.isPending && close()}
        closeOnClickOutside={false}
        withCloseButton={!order.isPending}
        title={label}
      >
        {order.data && ("waits" in order.data || resultOf) ? (
          <End outcome={order.data} {...{ resultOf, close }} />
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <Text size="sm">{effect}</Text>
              {children}
              {asked && <Reason label={asked} error={order.error} {...{ reason, setReason }} />}
              <FormProblem error={order.error} fields={asked ? ["reason"] : []} />
              <Buttons {...{ label, isDangerous, close }} isPending={order.isPending} />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}

type ButtonsProps = {
  label: string;
  isDangerous: true | undefined;
  isPending: boolean;
  close: () => void;
};

function Buttons({ label, isDangerous, isPending, close }: ButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" disabled={isPending} onClick={close}>
        Cancel
      </Button>
      <Button type="submit" {...(isDangerous && { color: "red.9" })} loading={isPending}>
        {label}
      </Button>
    </Group>
  );
}

type ReasonProps = { label: string; error: unknown; reason: string; setReason: (reason: string) => void };

function Reason({ label, error, reason, setReason }: ReasonProps) {
  return (
    <Textarea
      label={label}
      value={reason}
      onChange={({ currentTarget }) => setReason(currentTarget.value)}
      error={errorsByField(error).reason}
      autosize
      minRows={2}
      maxLength={500}
      required
      withAsterisk={false}
      data-autofocus
    />
  );
}

type EndProps<Result> = {
  outcome: Outcome<Result>;
  resultOf: ((done: Result) => ReactNode) | undefined;
  close: () => void;
};

/** What has happened, or that nothing has yet. */
function End<Result>({ outcome, resultOf, close }: EndProps<Result>) {
  return (
    <Stack>
      {"waits" in outcome ? (
        <Alert color="yellow" role="status" title="A second operator has to approve this">
          It is among the{" "}
          <Anchor component={Link} to="/proposals" inherit>
            proposals
          </Anchor>
          . Nothing has happened yet.
        </Alert>
      ) : (
        <Text size="sm" role="status">
          {resultOf?.(outcome.done)}
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={close} autoFocus>
          Close
        </Button>
      </Group>
    </Stack>
  );
}
