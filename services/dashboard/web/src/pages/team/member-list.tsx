import { Alert, Badge, Button, Group, Select, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { messageOf } from "../../api/problem.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { SCROLLED_BY_KEYS } from "../../components/scrolled-by-keys.ts";
import { When } from "../../components/when.tsx";
import { RemoveMember } from "./remove-member.tsx";
import { ROLES, roleLabel } from "./roles.ts";
import type { TeamMember } from "./team.ts";

export function MemberList({ members }: { members: TeamMember[] }) {
  const mayChange = useMay("team");
  const [leaving, setLeaving] = useState<TeamMember>();
  const [isOpen, { open, close }] = useDisclosure();
  const remove = (member: TeamMember) => {
    setLeaving(member);
    open();
  };
  const headers = ["Name", "Role", "Two-factor", "Joined", mayChange ? "Remove" : "Leave"];
  return (
    <>
      <Table.ScrollContainer minWidth={640} className="rows" scrollAreaProps={SCROLLED_BY_KEYS}>
        <Table aria-label="Members" verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              {headers.map((header) => (
                <Table.Th key={header} scope="col">
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members.map((member) => (
              <MemberRow key={member.user_id} member={member} onRemove={() => remove(member)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <RemoveMember member={leaving} opened={isOpen} onClose={close} />
    </>
  );
}

function MemberRow({ member, onRemove }: { member: TeamMember; onRemove: () => void }) {
  const { me } = useScope();
  const mayChange = useMay("team");
  const isMe = member.user_id === me.user.id;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6}>
          <bdi>{member.name}</bdi>
          {isMe && <Badge color="gray">You</Badge>}
        </Group>
        <Text size="sm" c="dimmed" truncate>
          {member.email}
        </Text>
      </Table.Td>
      <Table.Td>{mayChange ? <RoleChoice member={member} /> : roleLabel(member.role)}</Table.Td>
      <Table.Td>{member.two_factor_enabled ? "On" : "Off"}</Table.Td>
      <Table.Td>
        <When at={member.joined_at} />
      </Table.Td>
      <Table.Td>
        {(isMe || mayChange) && (
          <Button
            variant="default"
            size="xs"
            onClick={onRemove}
            aria-label={`${isMe ? "Leave the team as" : "Remove"} ${member.name}`}
          >
            {isMe ? "Leave" : "Remove"}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Takes effect immediately, in every open session of the member. */
function RoleChoice({ member }: { member: TeamMember }) {
  const client = useQueryClient();
  const change = useAct("members/:user_id/role", { changes: ["members"] });
  // The user's own role decides which actions the pages offer.
  const onSuccess = () => void client.invalidateQueries({ queryKey: ["me"] });
  return (
    <>
      <Select
        aria-label={`Role of ${member.name}`}
        data={ROLES.map(({ value, label }) => ({ value, label }))}
        value={member.role}
        allowDeselect={false}
        disabled={change.isPending}
        w={140}
        onChange={(role) =>
          role && role !== member.role && change.mutate({ user_id: member.user_id, role }, { onSuccess })
        }
      />
      {change.error && (
        <Alert color="red" role="alert" mt={4} p="xs" style={{ whiteSpace: "normal" }}>
          {messageOf(change.error)}
        </Alert>
      )}
    </>
  );
}
