import { Alert } from "@mantine/core";
import { useParams } from "react-router";
import { useRead } from "../../api/hooks.ts";
import { Copy } from "../../components/copy.tsx";
import { EventLinks } from "../../components/event-links.tsx";
import { Facts } from "../../components/facts.tsx";
import { LedgerTransaction } from "../../components/ledger-transaction.tsx";
import { metadataOf } from "../../components/metadata.tsx";
import { Money, money } from "../../components/money.tsx";
import { RecordHead } from "../../components/record-head.tsx";
import { Name, RecordLink, Reference } from "../../components/record-link.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { RequestsAbout } from "../../components/requests-about.tsx";
import { Section } from "../../components/section.tsx";
import { Status, statusWord } from "../../components/status.tsx";
import { Timeline } from "../../components/timeline.tsx";
import { useHold } from "../../components/use-hold.ts";
import { When } from "../../components/when.tsx";
import { ApproveTransfer } from "./approve-transfer.tsx";
import { SaveBeneficiary } from "./saved-beneficiaries.tsx";
import { RESERVE, type TransferTimeline, transferSteps } from "./transfer-steps.ts";

type Transfer = TransferTimeline["transfer"];

/** One transfer: its state and its history. */
export function TransferPanel() {
  const { reference = "" } = useParams();
  return (
    <RecordPanel
      title={`Transfer ${reference}`}
      list="transfers"
      path="transfers/:reference/timeline"
      fields={{ reference }}
    >
      {(timeline) => <Content key={timeline.transfer.reference} timeline={timeline} />}
    </RecordPanel>
  );
}

function Content({ timeline }: { timeline: TransferTimeline }) {
  const { transfer, approval, held_for } = timeline;
  const waits = approval?.state === "required";
  const reserve = useRead("transactions/:key", { key: `${transfer.reference}:reserve` });
  const hold = useHold(timeline.events);
  return (
    <>
      <RecordHead
        amount={transfer.amount}
        status={<Status status={transfer.status} />}
        who={<Name>{transfer.account_name}</Name>}
        at={<When at={transfer.created_at} />}
      />
      {waits ? (
        <ApproveTransfer timeline={timeline} />
      ) : (
        <Alert color={COLORS[transfer.status]} title={statusWord(transfer.status)}>
          {held_for ? onHold(transfer) : meaningOf(transfer)}
        </Alert>
      )}
      <TransferFacts timeline={timeline} />
      <SaveBeneficiary transfer={transfer} />
      <Section title="What happened">
        <Timeline steps={transferSteps(timeline, reserve.data ?? null, hold)} />
      </Section>
      {!reserve.isPending && (
        <Section title="Ledger transaction of the reservation" id={RESERVE}>
          <LedgerTransaction transaction={reserve.data ?? null} />
        </Section>
      )}
    </>
  );
}

const COLORS: Record<Transfer["status"], string> = {
  pending: "blue",
  success: "green",
  failed: "red",
  reversed: "orange",
};

const onHold = ({ amount }: Transfer) =>
  `${money(amount)} is reserved from your settled balance and is on hold: it has not been sent to the bank. Don't send it again.`;

/** Explains the consequence of the state for the money. */
function meaningOf({ status, amount, failure_reason }: Transfer): string {
  const sum = money(amount);
  switch (status) {
    case "pending":
      return `${sum} is reserved from your settled balance. The bank has not confirmed the transfer yet, which can take a few minutes. Don't send it again: it will either succeed or be returned to your balance.`;
    case "success":
      return `The bank paid ${sum}. It has left your balance.`;
    case "failed":
      return `The transfer failed. ${sum} was returned to your settled balance. ${failure_reason ?? ""}`;
    case "reversed":
      return `The bank paid the transfer, then reversed it. ${sum} was returned to your settled balance. ${failure_reason ?? ""}`;
  }
}

function TransferFacts({ timeline }: { timeline: TransferTimeline }) {
  const { transfer, events, ordered_by } = timeline;
  return (
    <Facts
      facts={[
        ["Fee", <Money key="fee" naira={transfer.fee} />],
        ["To", <Name key="name">{transfer.account_name}</Name>],
        ["Account number", <Copy key="number" value={transfer.account_number} what="account number" />],
        ["Bank", transfer.bank_name],
        ["Narration", transfer.narration ? <Name>{transfer.narration}</Name> : null],
        ["Created by", ordered_by && <OrderedBy actor={ordered_by} />],
        ["Your reference", <Reference key="own">{transfer.merchant_reference}</Reference>],
        ["Reference", <Copy key="reference" value={transfer.reference} what="reference" />],
        ["Other transfers", <ToThisAccount key="others" {...transfer} />],
        ["API requests", <RequestsAbout key="requests" reference={transfer.reference} />],
        ["Reason", transfer.failure_code && <Reference>{transfer.failure_code}</Reference>],
        ["Metadata", metadataOf(transfer.metadata)],
        ["Event", <EventLinks key="events" events={events} />],
      ]}
    />
  );
}

function ToThisAccount({ account_number }: Transfer) {
  return (
    <RecordLink to={["transfers"]} search={{ account_number }}>
      To this account number
    </RecordLink>
  );
}

/** The key, with the name that it was given, or the person. */
function OrderedBy({ actor }: { actor: NonNullable<TransferTimeline["ordered_by"]> }) {
  switch (actor.kind) {
    case "key":
      return (
        <>
          {actor.name && <Name>{actor.name}</Name>} <span className="mono">{actor.key}</span>
        </>
      );
    case "member":
      return actor.email;
    case "operator":
      return "Our operator";
    default:
      return "–";
  }
}
