import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, type ReactNode, useState } from "react";
import { errorsByField } from "../api/problem.ts";
import { FormProblem } from "../components/form-problem.tsx";
import { type Act, type Input, useAct } from "./api.ts";

type Props<Subject extends Act> = {
  subject: Subject;
  label: string;
  isDangerous?: true;
  /** What will happen, in words. */
  effect: ReactNode;
  /** The label of the reason; without it none is asked for. */
  reason?: string;
  /** Further fields. */
  children?: ReactNode;
  inputOf: (reason: string) => Input<Subject>;
};

/** A button that opens what it would do: the operator reads the effect, says why, and confirms. */
export function ActDialog<Subject extends Act>(props: Props<Subject>) {
  const { subject, label, isDangerous, effect, reason: asked, children, inputOf } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const [reason, setReason] = useState("");
  const act = useAct(subject);
  const waits = act.data && "waits" in act.data ? act.data.waits : undefined;
  const finish = () => {
    close();
    setReason("");
    act.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate(inputOf(reason.trim()), { onSuccess: (outcome) => "done" in outcome && finish() });
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={finish} title={label}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{effect}</Text>
            {children}
            {asked && (
              <Textarea
                label={asked}
                value={reason}
                onChange={({ currentTarget }) => setReason(currentTarget.value)}
                error={errorsByField(act.error).reason}
                autosize
                minRows={2}
                maxLength={500}
                required
                withAsterisk={false}
                data-autofocus
              />
            )}
            <FormProblem error={act.error} fields={asked ? ["reason"] : []} />
            {waits ? (
              <Alert color="yellow" role="status" title="A second operator has to approve this">
                It is among the proposals. Nothing has happened yet.
              </Alert>
            ) : (
              <Group justify="flex-end">
                <Button variant="default" onClick={finish}>
                  Cancel
                </Button>
                <Button type="submit" {...(isDangerous && { color: "red.9" })} loading={act.isPending}>
                  {label}
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Modal>
    </>
  );
}
