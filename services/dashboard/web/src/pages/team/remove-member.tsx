import { Alert, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { messageOf } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import type { TeamMember } from "./team.ts";

type Props = { member: TeamMember; onClose: () => void };

/** Removes a member, or leaves the team. The name has to be typed first. */
export function RemoveMember(props: Omit<Props, "member"> & { member: TeamMember | undefined; opened: boolean }) {
  const { member, opened, onClose } = props;
  const { me, merchantName } = useScope();
  const title = member?.user_id === me.user.id ? `Leave ${merchantName}` : `Remove ${member?.name}`;
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      {member && <RemovalForm {...{ member, onClose }} />}
    </Modal>
  );
}

function RemovalForm({ member, onClose }: Props) {
  const { me, merchantName } = useScope();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const remove = useAct("members/:user_id/remove", { changes: ["members"] });
  const isMe = member.user_id === me.user.id;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate(
      { user_id: member.user_id },
      {
        onSuccess: async () => {
          onClose();
          if (!isMe) return;
          await client.invalidateQueries({ queryKey: ["me"] });
          navigate("/");
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {isMe
            ? "You immediately lose access to this business on all devices. An owner can invite you again."
            : `They immediately lose access to ${merchantName} on all devices. API keys they created keep working until you roll them. Home lists those keys.`}
        </Text>
        <TextInput
          label={`Type “${member.name}” to confirm`}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {remove.error && (
          <Alert color="red" role="alert">
            {messageOf(remove.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red.9" loading={remove.isPending} disabled={name.trim() !== member.name.trim()}>
            {isMe ? "Leave the team" : "Remove from the team"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
