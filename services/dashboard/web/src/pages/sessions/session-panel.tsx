import { Text } from "@mantine/core";
import { useParams } from "react-router";
import { useMay, useScope } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { Facts } from "../../components/facts.tsx";
import { Money } from "../../components/money.tsx";
import { PayersAddress } from "../../components/payers-address.tsx";
import { Name, RecordLink, Reference } from "../../components/record-link.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { Section } from "../../components/section.tsx";
import { SimulatePayment } from "../../components/simulate-payment.tsx";
import { Status } from "../../components/status.tsx";
import { Timeline } from "../../components/timeline.tsx";
import { type Session, sessionSteps } from "./session-steps.ts";

/** One session: what was asked, where to send it, what came. */
export function SessionPanel() {
  const { reference = "" } = useParams();
  const { mode } = useScope();
  const mayAct = useMay("developer");
  return (
    <RecordPanel title={`Session ${reference}`} list="sessions" path="sessions/:reference" fields={{ reference }}>
      {(session) => (
        <>
          <Text size="sm">{MEANING[session.payment.status]}</Text>
          <PayersAddress url={session.payment.checkout_url} what="checkout page" opens="Open the checkout" />
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

const MEANING: Record<Session["payment"]["status"], string> = {
  pending: "Waiting for the payer to send the money.",
  processing: "The payer says the money is sent. It has not arrived yet.",
  paid: "All of it arrived.",
  underpaid: "Less than was asked arrived. What arrived is credited to you; the payer can still send the rest.",
  overpaid: "More than was asked arrived. All of it is credited to you; it is yours to send back what is too much.",
  expired: "Nothing arrived in time. Money that still arrives is credited to you.",
  paid_late: "All of it arrived, after the time was up. It is credited to you.",
};

function SessionFacts({ payment, payer }: Session) {
  return (
    <Facts
      facts={[
        ["Status", <Status key="status" status={payment.status} />],
        [
          "Asked, to the kobo",
          <strong key="amount">
            <Money naira={payment.amount} />
          </strong>,
        ],
        ["You asked for", <Money key="requested" naira={payment.amount_requested} />],
        ["Received", <Money key="received" naira={payment.amount_received} />],
        ["Description", payment.description ? <Name>{payment.description}</Name> : null],
        ["Customer", customerOf(payment)],
        ["Payer", payer && <Name>{payer.name}</Name>],
        ["Payer's email", payer && <Copy value={payer.email} what="email" />],
        ["To pay into", <Copy key="number" value={payment.account_number} what="account number" />],
        ["Account name", <Name key="name">{payment.account_name}</Name>],
        ["Bank", payment.bank_name],
        ["Reference", <Copy key="reference" value={payment.reference} what="reference" />],
        ["Your reference", payment.merchant_reference && <Reference>{payment.merchant_reference}</Reference>],
        [
          "Link",
          payment.payment_link && (
            <RecordLink to={["links", payment.payment_link]}>
              <Reference>{payment.payment_link}</Reference>
            </RecordLink>
          ),
        ],
        ["Returns to", payment.redirect_url],
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
  return collections.map(({ reference, amount, net }) => (
    <Text key={reference} size="sm">
      <RecordLink to={["collections", reference]}>
        <Money naira={amount} />
      </RecordLink>
      , net <Money naira={net} />
    </Text>
  ));
}
