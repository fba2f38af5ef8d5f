import { Button } from "@mantine/core";
import { useParams } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { Facts } from "../../components/facts.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { LatestSessions } from "../../components/latest.tsx";
import { Money } from "../../components/money.tsx";
import { PayersAddress } from "../../components/payers-address.tsx";
import { RecordHead } from "../../components/record-head.tsx";
import { Name } from "../../components/record-link.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { type PaymentLink, usesOf } from "./link-uses.ts";
import { TurnOffLinks } from "./turn-off-links.tsx";

/** One link with its URL, its terms and the sessions created through it. */
export function LinkPanel() {
  const { reference = "" } = useParams();
  const mayChange = useMay("collect");
  return (
    <RecordPanel title={`Link ${reference}`} list="links" path="links/:slug" fields={{ slug: reference }}>
      {(link) => (
        <>
          <RecordHead
            title="Any amount"
            {...(link.amount !== null && { amount: link.amount })}
            status={<Status status={link.status} />}
            who={<Name>{link.title}</Name>}
            at={<When at={link.created_at} />}
            actions={
              <>
                <PayersAddress url={link.url} what="link" opens="Open link" />
                {mayChange && <OnOrOff link={link} />}
              </>
            }
          >
            {MEANING[link.status]}
          </RecordHead>
          <Facts
            facts={[
              ["Description", link.description ? <Name>{link.description}</Name> : null],
              ["Amount", link.amount === null ? "Set by the payer" : <Money naira={link.amount} />],
              ["Uses", `${usesOf(link)} (open or paid)`],
              ["Collected", <Money key="collected" naira={link.collected} />],
              ["Expires", link.expires_at ? <When key="expires" at={link.expires_at} exact /> : "Never"],
              ["Created", <When key="created" at={link.created_at} exact />],
            ]}
          />
          <LatestSessions where={{ payment_link: link.slug }} title="Sessions from this link" />
        </>
      )}
    </RecordPanel>
  );
}

const MEANING: Record<PaymentLink["status"], string> = {
  active: "Anyone with the link can pay.",
  disabled: "The link is turned off. Anyone who opens it sees that it no longer accepts payments.",
  expired: "The link has expired. Anyone who opens it sees that it no longer accepts payments.",
  used_up: "The link has reached its use limit.",
  held: "All remaining uses are reserved by open sessions. If one expires, its use becomes available again within half an hour.",
};

function OnOrOff({ link }: { link: PaymentLink }) {
  const change = useAct("links/:slug/disabled", { changes: ["links"] });
  const isOff = link.status === "disabled";
  return (
    <>
      <TurnOffLinks links={isOff ? [] : [link]} />
      {isOff && (
        <Button
          variant="default"
          size="xs"
          loading={change.isPending}
          onClick={() => change.mutate({ slug: link.slug, disabled: false })}
        >
          Turn on link
        </Button>
      )}
      <FormProblem error={change.error} />
    </>
  );
}
