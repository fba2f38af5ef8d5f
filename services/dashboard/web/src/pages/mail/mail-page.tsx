import { List, NativeSelect, Skeleton, Switch, Text } from "@mantine/core";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { Page } from "../../components/page.tsx";
import { SectionCard } from "../../components/section-card.tsx";

/** Which mails about this business the user gets. Nobody else's are shown or changed. */
export function MailPage() {
  const { me, merchantName } = useScope();
  return (
    <Page title="Emails" lead={`Which emails about ${merchantName} we send to ${me.user.email}.`}>
      {!me.rules.sends_mail && <Text size="sm">This installation doesn't send email: no mail server is set up.</Text>}
      <Chosen />
      <SectionCard
        title="Always sent"
        lead="They protect money and accounts, so they can't be turned off. Each goes to the roles that have to act on it."
      >
        <List size="sm" spacing={4}>
          <List.Item>New sign-ins, and changes to your password, passkeys and two-factor authentication</List.Item>
          <List.Item>Changes to live keys, webhook URLs and signing secrets</List.Item>
          <List.Item>First transfers to a new account, and higher transfer limits</List.Item>
          <List.Item>Changes to roles, and members who join or leave</List.Item>
          <List.Item>Decisions on the business verification</List.Item>
        </List>
      </SectionCard>
    </Page>
  );
}

/** Only what this member's role gets: mails about the webhook for who may change it, and reports for who may download them. */
function Chosen() {
  const mails = useRead("mails");
  const getsWebhook = useMay("webhooks");
  const getsReports = useMay("exports");
  const save = useAct("mails", { changes: ["mails"] });
  if (!getsWebhook && !getsReports) return null;
  const chosen = mails.data && { ...mails.data, ...(save.isPending && save.variables) };
  return (
    <SectionCard title="Your choice">
      {mails.error && <Failure error={mails.error} onRetry={() => void mails.refetch()} />}
      {mails.isPending && <Skeleton height={40} />}
      {chosen && getsWebhook && (
        <Switch
          label="The live webhook starts to fail, or works again"
          description="Home shows it too. Meanwhile events are held, and none are lost."
          checked={chosen.webhook}
          disabled={save.isPending}
          onChange={(event) => save.mutate({ webhook: event.currentTarget.checked })}
        />
      )}
      {chosen && getsReports && (
        <NativeSelect
          label="Statements and settlements are ready to download"
          description="In live mode, at 07:00 Lagos time. The email has a link and no file: you download it here, after signing in."
          data={REPORTS}
          value={chosen.reports ?? NEVER}
          disabled={save.isPending}
          onChange={(event) => save.mutate({ reports: reportsOf(event.currentTarget.value) })}
          maw={480}
        />
      )}
      <FormProblem error={save.error} />
    </SectionCard>
  );
}

const NEVER = "never";
const REPORTS = [
  { value: NEVER, label: "Never" },
  { value: "weekly", label: "Every Monday: the settlements of the last week" },
  { value: "monthly", label: "On the first of a month: the statement of the last month" },
];

const reportsOf = (value: string) => (value === "weekly" || value === "monthly" ? value : null);
