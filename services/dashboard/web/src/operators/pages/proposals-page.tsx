import { Button, Card, Group, Stack, Text } from "@mantine/core";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { actionWords } from "../../pages/audit/audit-words.ts";
import { ActDialog } from "../act-dialog.tsx";
import { type Read, useApproval, useRead } from "../api.ts";

type Proposal = Read<"proposals">["proposals"][number];

/** What one operator ordered and another has to approve: with the exact input that is executed. */
export default function ProposalsPage({ me }: { me: string }) {
  const { data, error, refetch } = useRead("proposals");
  return (
    <Page title="Proposals" lead="What one operator ordered and another has to approve, newest first, 100 at most.">
      {error && <Failure error={error} isOld={data !== undefined} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.proposals.length === 0 && (
        <Text c="dimmed" role="status">
          There is no proposal.
        </Text>
      )}
      {data?.proposals.map((proposal) => (
        <Card key={proposal.proposal_id} withBorder>
          <Stack gap="xs">
            <Group justify="space-between">
              <Text fw={600}>{actionWords(proposal.action)}</Text>
              <Status status={proposal.state === "waiting" ? "pending" : proposal.state} />
            </Group>
            <Text size="sm">
              By {proposal.proposed_by}, <When at={proposal.proposed_at} />
              {proposal.decided_by && `; ${proposal.state} by ${proposal.decided_by}`}
            </Text>
            <Text className="mono wrap-anywhere" size="sm">
              {proposal.body}
            </Text>
            {proposal.state === "waiting" && <Decision {...{ proposal, me }} />}
          </Stack>
        </Card>
      ))}
    </Page>
  );
}

function Decision({ proposal, me }: { proposal: Proposal; me: string }) {
  const approval = useApproval();
  return (
    <>
      <FormProblem error={approval.error} />
      <Group gap="xs">
        {proposal.proposed_by !== me && (
          <Button loading={approval.isPending} onClick={() => approval.mutate(proposal)}>
            Approve
          </Button>
        )}
        <ActDialog
          subject="gateway.proposal.cancel"
          label="Cancel it"
          effect="Nothing of it is done, and it cannot be approved any more."
          inputOf={() => ({ proposal_id: proposal.proposal_id })}
        />
      </Group>
    </>
  );
}
