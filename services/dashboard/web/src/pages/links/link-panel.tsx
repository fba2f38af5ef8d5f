import { Button, Text } from "@mantine/core";
import { useParams } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { Facts } from "../../components/facts.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { LatestSessions } from "../../components/latest.tsx";
import { Money } from "../../components/money.tsx";
import { PayersAddress } from "../../components/payers-address.tsx";
import { Name } from "../../components/record-link.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { Section } from "../../components/section.tsx";
import { Status } from "../../components/status.tsx";
import { exactTime } from "../../components/when.tsx";
import { type PaymentLink, usesOf } from "./link-uses.ts";

/** One link with its address, its terms and the sessions that were opened through it. */
export function LinkPanel() {
  const { reference = "" } = useParams();
  const mayChange = useMay("developer");
  return (
    <RecordPanel title={`Link ${reference}`} list="links" path="links/:slug" fields={{ slug: reference }}>
      {(link) => (
        <>
          <Text size="sm">{MEANING[link.status]}</Text>
          <PayersAddress url={link.url} what="link" opens="Open the link" />
          <Facts
            facts={[
              ["Title", <Name key="title">{link.title}</Name>],
              ["Description", link.description ? <Name>{link.description}</Name> : null],
              ["Amount", link.amount === null ? "The payer decides" : <Money naira={link.amount} />],
              ["Status", <Status key="status" status={link.status} />],
              ["Uses", `${usesOf(link)} (open or paid)`],
              ["Collected", <Money key="collected" naira={link.collected} />],
              ["Expires", link.expires_at ? exactTime(link.expires_at) : "Never"],
              ["Made", exactTime(link.created_at)],
            ]}
          />
          <LatestSessions where={{ payment_link: link.slug }} title="Sessions of this link" />
          {mayChange && <OnOrOff link={link} />}
        </>
      )}
    </RecordPanel>
  );
}

const MEANING: Record<PaymentLink["status"], string> = {
  active: "Anyone who opens it can pay.",
  disabled: "It is turned off: anyone who opens it is told that nothing can be paid here.",
  expired: "Its time is up: anyone who opens it is told that nothing can be paid here.",
  used_up: "It has been paid as often as it may be.",
  held: "Payments under way hold all its uses. One that expires gives its use back within half an hour.",
};

function OnOrOff({ link }: { link: PaymentLink }) {
  const change = useAct("links/:slug/disabled", {
    changes: ["links"],
  });
  const isOff = link.status === "disabled";
  return (
    <Section title={isOff ? "Turn it on" : "Turn it off"}>
      <Text size="sm">
        {isOff
          ? "Anyone who opens the link can pay again, within its expiry and use limit."
          : "No new payer can begin to pay through it. Sessions that are open stay open, and their money is still credited to you. You can turn it on again."}
      </Text>
      <FormProblem error={change.error} />
      <Button
        variant="default"
        w="fit-content"
        loading={change.isPending}
        onClick={() => change.mutate({ slug: link.slug, disabled: !isOff })}
      >
        {isOff ? "Turn the link on" : "Turn the link off"}
      </Button>
    </Section>
  );
}
