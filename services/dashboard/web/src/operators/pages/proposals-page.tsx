import { Badge, Card, Group, Stack, Text } from "@mantine/core";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { ActDialog, OrderDialog } from "../act-dialog.tsx";
import { type Read, useApproval, useRead } from "../api.ts";
import { MerchantLink } from "../merchant-link.tsx";
import { ProposedAbout } from "../proposed-about.tsx";
import { inputLines, isApprovedHere, proposedWords } from "../proposed-words.ts";

type Proposal = Read<"proposals">["proposals"][number];

const STATES: Record<Proposal["state"], { word: string; color: string }> = {
  waiting: { word: "Waiting", color: "blue" },
  approved: { word: "Approved", color: "green" },
  cancelled: { word: "Canceled", color: "gray" },
  expired: { word: "Expired", color: "gray" },
};

/** What one operator ordered and another has to approve: with the exact input that is executed. */
export default function ProposalsPage({ me }: { me: string }) {
  const { data, error, refetch } = useRead("proposals");
  return (
    <Page
      title="Proposals"
      lead="Acts that one operator proposed and another must approve, newest first, 100 at most. The audit log says whether an approved act succeeded."
    >
      {error && <Failure error={error} isOld={data !== undefined} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.proposals.length === 0 && (
        <Text c="dimmed" role="status">
          No proposals.
        </Text>
      )}
      {data?.proposals.map((proposal) => (
        <ProposalCard key={proposal.proposal_id} {...{ proposal, me }} />
      ))}
    </Page>
  );
}

/** An approval can fail once it was given: why is shown beside whatever state the proposal then has. */
function ProposalCard({ proposal, me }: { proposal: Proposal; me: string }) {
  const { proposal_id, action, state, proposed_by, proposed_at, decided_by } = proposal;
  const approval = useApproval();
  const isForPages = isApprovedHere(proposal.subject);
  const what = proposedWords(action) ?? action;
  const { word, color } = STATES[state];
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600}>Proposed: {what}</Text>
          <Badge color={color}>{word}</Badge>
        </Group>
        <Text size="sm">
          By {proposed_by}, <When at={proposed_at} />
          {decided_by && `; ${word.toLowerCase()} by ${decided_by}`}
        </Text>
        <Input proposal={proposal} />
        {state !== "waiting" && <FormProblem error={approval.error} />}
        {state === "waiting" && proposed_by !== me && !isForPages && (
          <Text size="sm">
            This is approved with the command line: <span className="mono">ops -- approve {proposal_id}</span>
          </Text>
        )}
        <Group gap="xs">
          <OrderDialog
            label="Approve"
            isOffered={state === "waiting" && proposed_by !== me && isForPages}
            effect={
              <>
                You approve exactly what {proposed_by} proposed, and it is carried out now: <b>{what}</b>.
              </>
            }
            order={approval}
            inputOf={() => proposal}
          >
            <Input proposal={proposal} />
          </OrderDialog>
          <ActDialog
            subject="gateway.proposal.cancel"
            label="Cancel proposal"
            isOffered={state === "waiting"}
            effect="It isn't carried out and can no longer be approved."
            inputOf={() => ({ proposal_id })}
          />
        </Group>
      </Stack>
    </Card>
  );
}

/** As it is sent, and, while it waits, what it is about. */
function Input({ proposal: { subject, body, state } }: { proposal: Proposal }) {
  return (
    <>
      <Fields body={body} />
      {state === "waiting" && <ProposedAbout {...{ subject, body }} />}
    </>
  );
}

function Fields({ body }: { body: string }) {
  return (
    <Facts
      facts={inputLines(body).map(({ name, value, merchant }) => [
        name,
        merchant ? (
          <MerchantLink key={name} id={merchant}>
            {value}
          </MerchantLink>
        ) : (
          value
        ),
      ])}
    />
  );
}
