import { Text } from "@mantine/core";
import { useParams } from "react-router";
import { useMay, useScope } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { Facts } from "../../components/facts.tsx";
import { metadataOf } from "../../components/metadata.tsx";
import { Money } from "../../components/money.tsx";
import { PayersAddress } from "../../components/payers-address.tsx";
import { RecordHead } from "../../components/record-head.tsx";
import { Name, RecordLink, Reference } from "../../components/record-link.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { RequestsAbout } from "../../components/requests-about.tsx";
import { Section } from "../../components/section.tsx";
import { SimulatePayment } from "../../components/simulate-payment.tsx";
import { Status } from "../../components/status.tsx";
import { Timeline } from "../../components/timeline.tsx";
import { When } from "../../components/when.tsx";
import { type Session, sessionSteps } from "./session-steps.ts";
import { meaningOf } from "./session-words.ts";

/** One session: the requested amount, the account to pay into, and the payments received. */
export function SessionPanel() {
  const { reference = "" } = useParams();
  const { mode } = useScope();
  const mayAct = useMay("collect");
  return (
    <RecordPanel title={`Session ${reference}`} list="sessions" path="sessions/:reference" fields={{ reference }}>
      {(session) => (
        <>
          <SessionHead {...session} />
          <SessionFacts {...session} />
          {mode === "test" && mayAct && (
            <Section title="Simulate a payment">
              <SimulatePayment to={{ payment_reference: session.payment.reference }} />
            </Section>
          )}
          <Section title="Collections">
            <Collections collections={session.payment.collections} />
          </Section>
          <Section title="What happened">
            <Timeline steps={sessionSteps(session, Date.now())} />
          </Section>
        </>
      )}
    </RecordPanel>
  );
}

function SessionHead(session: Session) {
  const { payment, payer } = session;
  const who = payment.customer_reference ? customerOf(payment) : payer && <Name>{payer.name}</Name>;
  return (
    <RecordHead
      amount={payment.amount}
      status={<Status status={payment.status} />}
      who={who}
      at={<When at={payment.created_at} />}
      actions={<PayersAddress url={payment.checkout_url} what="checkout page" opens="Open checkout" />}
    >
      {meaningOf(session, Date.now())}
    </RecordHead>
  );
}

function SessionFacts({ payment, payer }: Session) {
  return (
    <Facts
      facts={[
        ["Requested amount", <Money key="requested" naira={payment.amount_requested} />],
        ["Received", <Money key="received" naira={payment.amount_received} />],
        ["Taken back by the bank", payment.amount_reversed && <Money naira={payment.amount_reversed} />],
        ["Description", payment.description ? <Name>{payment.description}</Name> : null],
        ["Customer", customerOf(payment)],
        ["Payer", payer && <Name>{payer.name}</Name>],
        ["Payer's email", payer && <Copy value={payer.email} what="email" />],
        [
          "Account number",
          payment.account_number ? (
            <Copy key="number" value={payment.account_number} what="account number" />
          ) : (
            "Assigned with the payer's details"
          ),
        ],
        ["Account name", payment.account_name && <Name key="name">{payment.account_name}</Name>],
        ["Bank", payment.bank_name],
        ["Reference", <Copy key="reference" value={payment.reference} what="reference" />],
        ["API requests", <RequestsAbout key="requests" reference={payment.reference} />],
        ["Your reference", payment.merchant_reference && <Reference>{payment.merchant_reference}</Reference>],
        [
          "Link",
          payment.payment_link && (
            <RecordLink to={["links", payment.payment_link]}>
              <Reference>{payment.payment_link}</Reference>
            </RecordLink>
          ),
        ],
        ["Redirect URL", payment.redirect_url],
        ["Metadata", metadataOf(payment.metadata)],
      ]}
    />
  );
}

function customerOf({ customer_reference, customer_name }: Session["payment"]) {
  if (!customer_reference) return customer_name && <Name>{customer_name}</Name>;
  return (
    <RecordLink to={["customers", customer_reference]}>
      <Name>{customer_name ?? customer_reference}</Name>
    </RecordLink>
  );
}

function Collections({ collections }: Pick<Session["payment"], "collections">) {
  if (collections.length === 0) return <Text size="sm">None yet.</Text>;
  return collections.map(({ reference, amount, net, amount_reversed }) => (
    <Text key={reference} size="sm">
      <RecordLink to={["collections", reference]}>
        <Money naira={amount} />
      </RecordLink>
      , net <Money naira={net} />
      {amount_reversed && (
        <>
          . The bank took back <Money naira={amount_reversed} />
        </>
      )}
    </Text>
  ));
}
