import { Skeleton, Title } from "@mantine/core";
import { useRead } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { Page } from "../../components/page.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { InviteMember } from "./invite-member.tsx";
import { MemberList } from "./member-list.tsx";
import { ROLES } from "./roles.ts";

/** The team of this business, in both modes. */
export function TeamPage() {
  const mayChange = useMay("team");
  const team = useRead("members");
  return (
    <Page
      title="Team"
      lead="Your team is the same in test and live mode. Each member has one role."
      actions={mayChange && <InviteMember />}
    >
      {team.error && <Failure error={team.error} onRetry={() => void team.refetch()} />}
      {team.isPending && <Skeleton height={200} />}
      {team.data && <MemberList members={team.data.members} />}
      {team.data && team.data.invitations.length > 0 && <InvitationList invitations={team.data.invitations} />}
      <section aria-labelledby="roles" style={{ maxWidth: 640 }}>
        <Title order={2} size="h4" id="roles" mb="xs">
          Role permissions
        </Title>
        <Facts facts={ROLES.map(({ label, may }) => [label, may])} />
      </section>
    </Page>
  );
}
