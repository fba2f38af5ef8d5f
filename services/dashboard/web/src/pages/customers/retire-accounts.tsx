import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { FormProblem } from "../../components/form-problem.tsx";

/** Retires the selected accounts permanently, one after the other, once their number has been typed. Retiring one twice changes nothing. */
export function RetireAccounts({ references }: { references: string[] }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const [retired, setRetired] = useState(0);
  const retire = useAct("customers/:customer_reference/retire", { changes: ["customers"] });
  const [count, what] = [references.length, references.length === 1 ? "account" : "accounts"];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isRight = typed.trim() === String(count);
    setWrong(!isRight);
    if (!isRight) return;
    for (const customer_reference of references.slice(retired)) {
      await retire.mutateAsync({ customer_reference });
      setRetired((before) => before + 1);
    }
    close();
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={open} disabled={retired === count}>
        {retired === count ? "Retired" : `Retire ${count}…`}
      </Button>
      <Modal opened={isOpen} onClose={close} title={<strong>{`Retire ${count} ${what}`}</strong>}>
        <form onSubmit={(event) => void submit(event).catch(() => undefined)}>
          <Stack>
            <Text size="sm">
              This can't be undone. No new sessions can be created for these accounts. Payments that still arrive are
              credited to you and flagged on the collection.
            </Text>
            <TextInput
              label={`Type ${count} to retire ${count} ${what}`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              error={isWrong && "This doesn't match the number of selected accounts."}
              autoComplete="off"
              inputMode="numeric"
              data-autofocus
            />
            <FormProblem error={retire.error} />
            {retire.error && (
              <Text
                size="sm"
                role="status"
              >{`${retired} of ${count} were retired. You can try the others again.`}</Text>
            )}
            <Group gap="xs">
              <Button type="submit" color="red.9" loading={retire.isPending}>
                Retire {what}
              </Button>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
