import { Alert, Button, Group, Skeleton, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { money } from "../../components/money.tsx";
import { NairaInput, nairaOf } from "../../components/naira-input.tsx";
import { Page } from "../../components/page.tsx";
import { SectionCard } from "../../components/section-card.tsx";
import { When } from "../../components/when.tsx";

type Current = ReadResponse<"payout-limits">;
type Limits = Current["limits"];

/** How much can be sent, and above what amount a second person has to approve. */
export function PayoutLimitsPage() {
  const current = useRead("payout-limits");
  return (
    <Page
      title="Transfer limits"
      lead="How much your team and your API keys can send. A lower limit applies at once. A higher one applies after 24 hours, so that a thief can't raise it and empty your balance."
    >
      {current.error && <Failure error={current.error} onRetry={() => void current.refetch()} />}
      {current.isPending && <Skeleton height={260} />}
      {current.data && <Shown current={current.data} />}
    </Page>
  );
}

function Shown({ current }: { current: Current }) {
  const { mode } = useScope();
  const mayChange = useMay("business");
  const { limits, upcoming, ordered_today } = current;
  return (
    <Stack gap="md" maw={720}>
      {upcoming && (
        <Alert color="yellow" title="A change takes effect soon" role="status">
          From <When at={upcoming.effective_at} exact />: {inWords(upcoming)}. If you don't expect this, save the
          current limits again to cancel it, and check the audit log.
        </Alert>
      )}
      <SectionCard title="In effect">
        <Facts
          facts={[
            ["Per transfer", amountOf(limits.transfer_max)],
            ["Per day, Lagos time", amountOf(limits.day_max)],
            ["Needs approval", limits.approval_above === null ? "Never" : `Above ${money(limits.approval_above)}`],
            [`Sent today in ${mode} mode`, money(ordered_today[mode])],
          ]}
        />
      </SectionCard>
      {mayChange && <LimitsForm key={JSON.stringify(current.merchant)} current={current} />}
    </Stack>
  );
}

function LimitsForm({ current: { merchant, operator } }: { current: Current }) {
  const [typed, setTyped] = useState<Record<keyof Limits, number | string>>({
    transfer_max: merchant.transfer_max ?? "",
    day_max: merchant.day_max ?? "",
    approval_above: merchant.approval_above ?? "",
  });
  const save = useAct("payout-limits", { changes: ["payout-limits"] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const limit = (name: keyof Limits) => nairaOf(typed[name]) ?? null;
    save.mutate({
      transfer_max: limit("transfer_max"),
      day_max: limit("day_max"),
      approval_above: limit("approval_above"),
    });
  };
  const field = (name: keyof Limits, label: string, description: string) => (
    <NairaInput
      label={label}
      description={description}
      value={typed[name]}
      onChange={(value) => setTyped((others) => ({ ...others, [name]: value }))}
    />
  );
  return (
    <SectionCard title="Your limits">
      <form onSubmit={submit}>
        <Stack gap="md">
          {field(
            "transfer_max",
            "Largest transfer",
            `${bound(operator.transfer_max)} Leave it empty for no limit of your own.`,
          )}
          {field("day_max", "Most in a day", `${bound(operator.day_max)} Failed transfers don't count.`)}
          {field(
            "approval_above",
            "Approval above",
            "A larger transfer waits until another owner or finance member approves it. If an API key created it, any owner or finance member can.",
          )}
          <FormProblem error={save.error} />
          <Group>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}

const amountOf = (naira: number | null) => (naira === null ? "No limit" : money(naira));
const bound = (naira: number | null) => (naira === null ? "" : `We allow at most ${money(naira)}.`);

function inWords({ transfer_max, day_max, approval_above }: Limits): string {
  const approval = approval_above === null ? "no approval needed" : `approval above ${money(approval_above)}`;
  return `${amountOf(transfer_max)} per transfer, ${amountOf(day_max)} per day, ${approval}`.toLowerCase();
}
