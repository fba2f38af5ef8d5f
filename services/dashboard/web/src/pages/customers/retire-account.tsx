import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { Reference } from "../../components/record-link.tsx";
import { Section } from "../../components/section.tsx";

/** Retires an account permanently, once its reference has been typed. */
export function RetireAccount({ reference }: { reference: string }) {
  const [isAsking, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const retire = useAct("customers/:customer_reference/retire", {
    changes: ["customers"],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isRight = typed.trim() === reference;
    setWrong(!isRight);
    if (isRight) retire.mutate({ customer_reference: reference });
  };
  return (
    <Section title="Retire account">
      <Text size="sm">
        This can't be undone. No new sessions can be created for this account. Payments that still arrive are credited
        to you and flagged on the collection.
      </Text>
      {!isAsking && (
        <Button variant="default" w="fit-content" onClick={open}>
          Retire…
        </Button>
      )}
      {isAsking && (
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput
              label={
                <>
                  Type <Reference>{reference}</Reference> to retire this account
                </>
              }
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              error={isWrong && "This doesn't match the customer reference."}
              autoComplete="off"
              autoFocus
            />
            <FormProblem error={retire.error} />
            <Group gap="xs">
              <Button type="submit" color="red.9" loading={retire.isPending}>
                Retire account
              </Button>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Section>
  );
}
