import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { useScope } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { When } from "../../components/when.tsx";

const OVERLAPS = [
  { value: "0", label: "Immediately" },
  { value: "1", label: "After 1 hour" },
  { value: "24", label: "After 1 day" },
  { value: "72", label: "After 3 days" },
];

/** Rolls a key; the old one keeps working for the chosen time. The new secret is shown until the dialog is closed. */
export function RollKey({ kind }: { kind: "secret" | "public" }) {
  const { mode } = useScope();
  const [isOpen, { open, close }] = useDisclosure();
  const roll = useAct("keys/roll", { changes: ["keys"] });
  const end = () => {
    close();
    roll.reset();
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        Roll {kind} key
      </Button>
      <Modal opened={isOpen} onClose={end} title={`Roll the ${mode} ${kind} key`} closeOnEscape={!roll.data}>
        {roll.data ? (
          <Stack>
            <Alert
              color="yellow"
              title={`Your new ${kind} key${kind === "secret" && mode === "live" ? ", shown only once" : ""}`}
            >
              <Copy value={roll.data.key} what="new key" />
            </Alert>
            <Text size="sm">
              The old one works until <When at={roll.data.old_keys_expire_at} exact />.
            </Text>
            <Button onClick={end}>I've saved it</Button>
          </Stack>
        ) : (
          <RollForm
            kind={kind}
            problem={roll.error}
            isRolling={roll.isPending}
            onRoll={(overlap) => roll.mutate({ kind, overlap_hours: overlap })}
            onCancel={end}
          />
        )}
      </Modal>
    </>
  );
}

/** Without an overlap, requests with the old key fail immediately, so the business name has to be typed first. */
function RollForm(props: {
  kind: "secret" | "public";
  problem: unknown;
  isRolling: boolean;
  onRoll: (overlapHours: number) => void;
  onCancel: () => void;
}) {
  const { kind, problem, isRolling, onRoll, onCancel } = props;
  const { mode, merchantName } = useScope();
  const [overlap, setOverlap] = useState("24");
  const [typed, setTyped] = useState("");
  const isImmediate = overlap === "0";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRoll(Number(overlap));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          A new key is created right away. Update your server before the old key stops working, or its requests will
          fail.
        </Text>
        <Select
          label="The old key stops working"
          data={OVERLAPS}
          value={overlap}
          allowDeselect={false}
          onChange={(chosen) => setOverlap(chosen ?? "24")}
        />
        {isImmediate && (
          <>
            <Alert color="red" title={`The old ${mode} ${kind} key stops working immediately`}>
              {STOPS[kind]} Do this if the key may be compromised.
            </Alert>
            <TextInput
              label={`Type “${merchantName}” to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          </>
        )}
        <FormProblem error={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(isImmediate && { color: "red.9" })}
            loading={isRolling}
            disabled={isImmediate && typed.trim() !== merchantName.trim()}
          >
            Roll key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const STOPS = {
  secret: "Your servers' requests with the old key will fail until you update them. Payments are still received.",
  public: "Pages that use the old key can't open a checkout until you update them. Payments are still received.",
} as const;
