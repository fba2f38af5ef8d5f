import type { rollKey } from "@collect/contracts";
import { Alert, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { type ReplyOf, useAct } from "../../api/hooks.ts";
import { wordsOf } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import { Copy } from "../../parts/copy.tsx";
import { exactTime } from "../../parts/when.tsx";

const OVERLAPS = [
  { value: "0", label: "At once" },
  { value: "1", label: "After an hour" },
  { value: "24", label: "After a day" },
  { value: "72", label: "After three days" },
];

/** Replaces a key; the old one goes on working for as long as chosen. The new secret is shown until this is closed. */
export function RollKey({ kind }: { kind: "secret" | "public" }) {
  const { mode } = useScope();
  const [isOpen, { open, close }] = useDisclosure();
  const [overlap, setOverlap] = useState("24");
  const roll = useAct<ReplyOf<typeof rollKey>>("keys/roll", { changes: ["keys"] });
  const end = () => {
    close();
    roll.reset();
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        Roll {kind} key
      </Button>
      <Modal opened={isOpen} onClose={end} title={`Roll the ${mode} ${kind} key`} closeOnClickOutside={!roll.data}>
        {roll.data ? (
          <Stack>
            <Alert color="yellow" title={`Your new ${kind} key${kind === "secret" ? ", shown this once" : ""}`}>
              <Copy value={roll.data.key} what="new key" />
            </Alert>
            <Text size="sm">The old one works until {exactTime(roll.data.old_keys_expire_at)}.</Text>
            <Button onClick={end}>I have kept it</Button>
          </Stack>
        ) : (
          <Stack>
            <Text size="sm">
              A new key is made now. Give your server the new one before the old one stops, or its calls will be
              refused.
            </Text>
            <Select
              label="The old key stops working"
              data={OVERLAPS}
              value={overlap}
              allowDeselect={false}
              onChange={(chosen) => setOverlap(chosen ?? "24")}
            />
            {roll.error && <Alert color="red">{wordsOf(roll.error)}</Alert>}
            <Group justify="flex-end">
              <Button variant="default" onClick={end}>
                Cancel
              </Button>
              <Button loading={roll.isPending} onClick={() => roll.mutate({ kind, overlap_hours: Number(overlap) })}>
                Roll the key
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}
