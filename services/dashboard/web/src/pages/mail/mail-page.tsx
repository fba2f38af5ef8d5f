import { List, Skeleton, Switch, Text } from "@mantine/core";
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

/** Owners and developers get them: those who may change the webhook. */
function Chosen() {
  const mails = useRead("mails");
  const getsThem = useMay("webhooks");
  const save = useAct("mails", { changes: ["mails"] });
  if (!getsThem) return null;
  return (
    <SectionCard title="Your choice">
      {mails.error && <Failure error={mails.error} onRetry={() => void mails.refetch()} />}
      {mails.isPending && <Skeleton height={40} />}
      {mails.data && (
        <Switch
          label="The live webhook starts to fail, or works again"
          description="Home shows it too. Meanwhile events are held, and none are lost."
          checked={save.isPending ? save.variables.webhook : mails.data.webhook}
          disabled={save.isPending}
          onChange={(event) => save.mutate({ webhook: event.currentTarget.checked })}
        />
      )}
      <FormProblem error={save.error} />
    </SectionCard>
  );
}
