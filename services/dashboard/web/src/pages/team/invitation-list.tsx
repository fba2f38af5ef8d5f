import { Alert, Button, Table, Title } from "@mantine/core";
import { useAct } from "../../api/hooks.ts";
import { messageOf } from "../../api/problem.ts";
import { useMay } from "../../api/scope.ts";
import { SCROLLED_BY_KEYS } from "../../components/scrolled-by-keys.ts";
import { useHeading } from "../../components/use-heading.ts";
import { When } from "../../components/when.tsx";
import { roleLabel } from "./roles.ts";
import type { Invitation } from "./team.ts";

/** Invitations that have not been accepted yet. */
export function InvitationList({ invitations }: { invitations: Invitation[] }) {
  const mayChange = useMay("team");
  const [heading, focusHeading] = useHeading();
  const headers = ["Email", "Role", "Expires", ...(mayChange ? ["Revoke"] : [])];
  return (
    <section aria-labelledby="invitations">
      <Title order={2} size="h4" id="invitations" mb="xs" ref={heading} tabIndex={-1}>
        Invited
      </Title>
      <Table.ScrollContainer minWidth={520} className="rows" scrollAreaProps={SCROLLED_BY_KEYS}>
        <Table aria-labelledby="invitations" verticalSpacing={8}>
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
            {invitations.map((invitation) => (
              <Row key={invitation.id} {...{ invitation, mayChange }} onRevoked={focusHeading} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

type RowProps = { invitation: Invitation; mayChange: boolean; onRevoked: () => void };

function Row({ invitation, mayChange, onRevoked }: RowProps) {
  const { id, email, role, expires_at } = invitation;
  const revoke = useAct("invitations/:id/revoke", { changes: ["members"], onDone: onRevoked });
  return (
    <Table.Tr>
      <Table.Td>{email}</Table.Td>
      <Table.Td>{roleLabel(role)}</Table.Td>
      <Table.Td>
        <When at={expires_at} />
      </Table.Td>
      {mayChange && (
        <Table.Td>
          <Button
            variant="default"
            size="xs"
            loading={revoke.isPending}
            onClick={() => revoke.mutate({ id })}
            aria-label={`Revoke the invitation for ${email}`}
          >
            Revoke
          </Button>
          {revoke.error && (
            <Alert color="red" role="alert" mt={4} p="xs" style={{ whiteSpace: "normal" }}>
              {messageOf(revoke.error)}
            </Alert>
          )}
        </Table.Td>
      )}
    </Table.Tr>
  );
}
