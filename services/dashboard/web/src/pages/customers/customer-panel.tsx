import { Alert } from "@mantine/core";
import { useParams } from "react-router";
import type { ReadResponse } from "../../api/calls.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { Facts } from "../../components/facts.tsx";
import { LatestCollections, LatestSessions } from "../../components/latest.tsx";
import { metadataOf } from "../../components/metadata.tsx";
import { RecordHead } from "../../components/record-head.tsx";
import { Name } from "../../components/record-link.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { RequestsAbout } from "../../components/requests-about.tsx";
import { Section } from "../../components/section.tsx";
import { SimulatePayment } from "../../components/simulate-payment.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { RetireAccounts } from "./retire-accounts.tsx";

type Customer = ReadResponse<"customers/:customer_reference">;

/** One customer with the account, its collections and the actions. */
export function CustomerPanel() {
  const { reference = "" } = useParams();
  return (
    <RecordPanel
      title={`Customer ${reference}`}
      list="customers"
      path="customers/:customer_reference"
      fields={{ customer_reference: reference }}
    >
      {(customer) => <Content key={customer.customer_reference} customer={customer} />}
    </RecordPanel>
  );
}

function Content({ customer }: { customer: Customer }) {
  const { mode } = useScope();
  const mayAct = useMay("collect");
  const { customer_reference, status } = customer;
  const where = { customer_reference };
  return (
    <>
      <RecordHead
        title={<Name>{customer.customer_name}</Name>}
        status={<Status status={status} />}
        who={<Copy value={customer.account_number} what="account number" />}
        at={customer.bank_name}
        actions={mayAct && <RetireAccounts accounts={status === "active" ? [customer] : []} />}
      />
      {status === "retired" && (
        <Alert color="gray" title="This account is retired">
          Don't ask customers to pay into this account. Payments that still arrive are credited to you and flagged on
          the collection.
        </Alert>
      )}
      <Facts
        facts={[
          [
            "Account name",
            <Copy key="account" value={customer.account_name} what="account name">
              <Name>{customer.account_name}</Name>
            </Copy>,
          ],
          ["Reference", <Copy key="reference" value={customer_reference} what="customer reference" />],
          ["API requests", <RequestsAbout key="requests" reference={customer_reference} />],
          ["Created", <When key="created" at={customer.created_at} exact />],
          ["Metadata", metadataOf(customer.metadata)],
        ]}
      />
      {mode === "test" && mayAct && status === "active" && (
        <Section title="Simulate a payment">
          <SimulatePayment to={{ customer_reference }} hasAmountField />
        </Section>
      )}
      <LatestCollections where={where} />
      <LatestSessions where={where} />
    </>
  );
}
