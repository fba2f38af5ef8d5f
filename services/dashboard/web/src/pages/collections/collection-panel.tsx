import { Alert, Button } from "@mantine/core";
import { useState } from "react";
import { useParams } from "react-router";
import type { ReadResponse } from "../../api/calls.ts";
import { useMay } from "../../api/scope.ts";
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
import { Status } from "../../components/status.tsx";
import { Timeline, type TimelineStep } from "../../components/timeline.tsx";
import { useHold } from "../../components/use-hold.ts";
import { type Hold, webhookSteps } from "../../components/webhook-steps.ts";
import { When } from "../../components/when.tsx";
import { stateOf } from "../deliveries/delivery-state.ts";
import { Attach } from "./attach.tsx";
import { collectionStatus } from "./collection-status.ts";
import { ResendWebhook } from "./resend-webhooks.tsx";
import { SettlementOf } from "./settlement-of.tsx";

/** The data of all services about one collection; null where one did not respond. */
type CollectionTimeline = ReadResponse<"collections/:reference/timeline">;
type Collection = CollectionTimeline["collection"];
type Reversal = NonNullable<CollectionTimeline["reversals"]>[number];

/** One collection: its details, related records and history. */
export function CollectionPanel() {
  const { reference = "" } = useParams();
  return (
    <RecordPanel
      title={`Collection ${reference}`}
      list="collections"
      path="collections/:reference/timeline"
      fields={{ reference }}
    >
      {(timeline) => (
        <>
          <CollectionHead {...timeline} />
          {timeline.received?.account_retired && (
            <Alert color="yellow" title="Paid into a retired account">
              The account was retired before this payment arrived. It was still credited to you. Ask the payer to use
              another account number.
            </Alert>
          )}
          {timeline.collection.amount_reversed && <TakenBack {...timeline.collection} />}
          <CollectionFacts {...timeline} />
          <Section title="What happened">
            <Story {...timeline} />
          </Section>
          <Section title="Ledger transaction" id={LEDGER}>
            <LedgerTransaction transaction={timeline.ledger} />
          </Section>
        </>
      )}
    </RecordPanel>
  );
}

function TakenBack({ amount, amount_reversed = 0 }: Collection) {
  const what =
    amount_reversed < amount ? `took back ${money(amount_reversed)} of this payment` : "took back this payment";
  return (
    <Alert color="orange" title={`The bank ${what}`}>
      It has left your balance, and our fee for it was returned. If your balance does not cover it, the rest is taken
      from the next payments. Below you see when.
    </Alert>
  );
}

/** The section of the ledger transaction. */
const LEDGER = "ledger-transaction";

function CollectionHead({ collection, events }: CollectionTimeline) {
  const mayResend = useMay("resend");
  const maySayWhose = useMay("money");
  const [isAttaching, setAttaching] = useState(false);
  const { amount, amount_reversed, payer, paid_at, reference, payment_reference, customer_reference } = collection;
  const delivery = events?.at(-1)?.delivery;
  const canAttach = maySayWhose && payment_reference === null && customer_reference === null && !amount_reversed;
  return (
    <>
      <RecordHead
        amount={amount}
        status={<Status status={collectionStatus(collection)} />}
        who={
          <RecordLink to={["payers", payer.id]}>
            <Name>{payer.name}</Name>
          </RecordLink>
        }
        at={<When at={paid_at} />}
        actions={
          <>
            {canAttach && !isAttaching && (
              <Button size="xs" onClick={() => setAttaching(true)}>
                Attach…
              </Button>
            )}
            {mayResend && events && events.length > 0 && <ResendWebhook reference={reference} />}
          </>
        }
      >
        {delivery && (
          <>
            Webhook <Status status={stateOf(delivery)} />
          </>
        )}
      </RecordHead>
      {canAttach && isAttaching && <Attach reference={reference} amount={amount} onClose={() => setAttaching(false)} />}
    </>
  );
}

function CollectionFacts({ collection, ledger, events, received }: CollectionTimeline) {
  const { customer_reference, customer_name, payer, payment_reference } = collection;
  return (
    <Facts
      facts={[
        ["Fee", <Money key="fee" naira={collection.fee} />],
        [
          "Net",
          <strong key="net">
            <Money naira={collection.net} />
          </strong>,
        ],
        ["Paid", <When key="paid" at={collection.paid_at} exact />],
        ["Reference", <Copy key="reference" value={collection.reference} what="reference" />],
        ["API requests", <RequestsAbout key="requests" reference={collection.reference} />],
        ["Your reference", collection.merchant_reference && <Reference>{collection.merchant_reference}</Reference>],
        ["Customer", customerOf(customer_reference, customer_name)],
        [
          "Payer",
          <RecordLink key="payer" to={["payers", payer.id]}>
            <Name>{payer.name}</Name>
          </RecordLink>,
        ],
        ["From", [payer.bank_name, payer.account_number].filter(Boolean).join(", ") || null],
        ["Account number", <Copy key="account" value={collection.account_number} what="account number" />],
        ["Bank session ID", received?.session_id && <Copy value={received.session_id} what="session ID" />],
        ["Narration", received?.narration ? <Name>{received.narration}</Name> : null],
        [
          "Session",
          payment_reference ? (
            <RecordLink to={["sessions", payment_reference]}>
              <Reference>{payment_reference}</Reference>
            </RecordLink>
          ) : (
            "None"
          ),
        ],
        ["Metadata", metadataOf(collection.metadata)],
        ["Settlement", <SettlementOf key="settlement" transaction={ledger} />],
        ["Event", <EventLinks key="events" events={events} />],
      ]}
    />
  );
}

function customerOf(reference: string | null, name: string | null) {
  if (!reference) return name ? <Name>{name}</Name> : null;
  return (
    <RecordLink to={["customers", reference]}>
      <Name>{name ?? reference}</Name>
    </RecordLink>
  );
}

/** Received, posted, matched, recorded, delivered. */
function Story(timeline: CollectionTimeline) {
  return <Timeline steps={stepsOf(timeline, useHold(timeline.events))} />;
}

function stepsOf(timeline: CollectionTimeline, hold: Hold): TimelineStep[] {
  const { collection, posted_at, attached_by, received, ledger, events, reversals = [] } = timeline;
  const { attached_at } = collection;
  return [
    {
      what: "Received from the bank",
      at: received?.received_at ?? collection.received_at,
      detail: received
        ? received.allocated_at && (
            <>
              Assigned to you manually on <When at={received.allocated_at} exact />
            </>
          )
        : "Details from the bank are temporarily unavailable.",
    },
    {
      what: "Posted to the ledger",
      at: ledger?.posted_at ?? posted_at,
      to: LEDGER,
      detail: ledger ? undefined : "The entries are temporarily unavailable.",
    },
    attached_at
      ? { what: "Recorded as unmatched", at: collection.created_at }
      : matchStep(collection, "Matched", collection.created_at),
    ...inOrder([
      ...webhookSteps(events, hold),
      ...reversals.map(reversalStep),
      ...(attached_at ? [matchStep(collection, `Attached by ${attached_by ?? "your team"}`, attached_at)] : []),
    ]),
  ];
}

/** What it did to the balance, and its event. */
const reversalStep = ({ amount, fee, net, posted_at, sequence }: Reversal): TimelineStep => ({
  what: `${money(amount)} taken back by the bank`,
  at: posted_at,
  detail: `${money(net)} left your balance, and ${money(fee)} of our fee was returned.`,
  isBad: true,
  ...(sequence !== null && { to: ["developers", "events", String(sequence)] }),
});

/** Which session or customer it is for, and since when. */
function matchStep({ payment_reference, customer_reference }: Collection, what: string, at: string): TimelineStep {
  if (payment_reference)
    return { what: `${what} to a session`, at, detail: payment_reference, to: ["sessions", payment_reference] };
  if (customer_reference)
    return { what: `${what} to a customer`, at, detail: customer_reference, to: ["customers", customer_reference] };
  return { what: "Recorded", at };
}

/** What has not happened yet comes last. */
const inOrder = (steps: TimelineStep[]): TimelineStep[] => steps.toSorted((one, other) => timeOf(one) - timeOf(other));
const timeOf = ({ at }: TimelineStep): number => (at ? Date.parse(at) : Number.MAX_SAFE_INTEGER);
