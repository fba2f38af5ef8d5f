import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useAct } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { money } from "../../components/money.tsx";
import type { TransferTimeline } from "./transfer-steps.ts";

const CHANGES = ["transfers", "payouts", "balance", "inbox"] as const;

/** A transfer above the business's threshold: what it waits for, and the second person's decision. */
export function ApproveTransfer({ timeline: { transfer, ordered_by } }: { timeline: TransferTimeline }) {
  const { me } = useScope();
  const mayDecide = useMay("approvals");
  const isOwn = ordered_by?.kind === "member" && ordered_by.user_id === me.user.id;
  const isOfOwnKey = ordered_by?.kind === "key" && ordered_by.made_by === me.user.id;
  const approve = useAct("transfers/:reference/approve", { changes: [...CHANGES] });
  const decline = useAct("transfers/:reference/decline", { changes: [...CHANGES] });
  const fields = { reference: transfer.reference };
  const isBusy = approve.isPending || decline.isPending;
  return (
    <Alert color="yellow" title="Waiting for approval" role="region" aria-label="Waiting for approval">
      <Stack gap="sm">
        <Text size="sm">
          {money(transfer.amount)} to {transfer.account_name} is reserved and has not been sent.{" "}
          {whoDecides(mayDecide, { isOwn, isOfOwnKey })}
        </Text>
        {mayDecide && transfer.account_name.includes("***") && (
          <Text size="sm">
            The holder's name is hidden, because many accounts were looked up or paid for the first time this hour.
            Before you approve, look it up with the account number and bank under Send money.
          </Text>
        )}
        {mayDecide && (
          <Group gap="xs">
            {!isOwn && !isOfOwnKey && (
              <Button loading={approve.isPending} disabled={isBusy} onClick={() => approve.mutate(fields)}>
                Approve and send {money(transfer.amount)}
              </Button>
            )}
            <Button
              variant="default"
              loading={decline.isPending}
              disabled={isBusy}
              onClick={() => decline.mutate(fields)}
            >
              Decline
            </Button>
          </Group>
        )}
        <FormProblem error={approve.error ?? decline.error} />
      </Stack>
    </Alert>
  );
}

function whoDecides(mayDecide: boolean, { isOwn, isOfOwnKey }: { isOwn: boolean; isOfOwnKey: boolean }): string {
  if (!mayDecide)
    return "An owner or a finance member has to approve it within three days; otherwise the money is returned.";
  if (isOwn) return "You created it, so another owner or a finance member has to approve it within three days.";
  if (isOfOwnKey)
    return "An API key of yours created it, so another owner or a finance member has to approve it within three days.";
  return "Check the account against the invoice or the message that asks for it. If it isn't approved within three days, the money is returned.";
}
