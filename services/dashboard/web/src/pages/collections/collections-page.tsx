import { Button, Group } from "@mantine/core";
import { Link } from "react-router";
import type { RowOf } from "../../api/calls.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { ListTotals } from "../../components/list-totals.tsx";
import { Money } from "../../components/money.tsx";
import { ListedName, Reference } from "../../components/record-link.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { collectionStatus } from "./collection-status.ts";
import { ResendWebhooks } from "./resend-webhooks.tsx";

type Collection = RowOf<"collections">;

const COLUMNS: Column<Collection>[] = [
  { header: "Amount", cell: ({ amount }) => <Money naira={amount} />, width: 150, align: "right", narrow: "amount" },
  { header: "Payer", cell: (collection) => <Payer {...collection} />, narrow: "name" },
  {
    header: "Customer",
    cell: ({ customer_name, customer_reference }) => <ListedName>{customer_name ?? customer_reference}</ListedName>,
    narrow: "status",
  },
  { header: "Your reference", cell: ({ merchant_reference }) => referenceOf(merchant_reference) },
  { header: "Net", cell: ({ net }) => <Money naira={net} />, width: 150, align: "right" },
  { header: "Paid", cell: ({ paid_at }) => <When at={paid_at} />, width: 130, narrow: "time" },
  { header: "Fee", cell: ({ fee }) => <Money naira={fee} />, width: 110, align: "right", isExtra: true },
  { header: "Bank", cell: ({ payer }) => <ListedName>{payer.bank_name}</ListedName>, isExtra: true },
  { header: "Account number", cell: ({ account_number }) => account_number, width: 130, isExtra: true },
  { header: "Reference", cell: ({ reference }) => <Reference>{reference}</Reference>, isExtra: true },
  { header: "Session", cell: (collection) => sessionOf(collection), isExtra: true },
];

/** With the state only where it is not the usual one. */
function Payer(collection: Collection) {
  const name = <ListedName>{collection.payer.name}</ListedName>;
  if (!collection.amount_reversed) return name;
  return (
    <Group gap="xs" wrap="nowrap">
      {name}
      <Status status={collectionStatus(collection)} />
    </Group>
  );
}

const referenceOf = (reference: string | null) => (reference ? <Reference>{reference}</Reference> : "–");

/** The first collection of a session has the session's own reference, which is not shown twice. */
function sessionOf({ reference, payment_reference }: Collection) {
  return payment_reference === reference ? "Same reference" : referenceOf(payment_reference);
}

/** The list of collections. */
export function CollectionsPage() {
  const { home, mode, me } = useScope();
  const mayResend = useMay("resend");
  return (
    <ListPage
      title="Collections"
      lead="Payments you received, newest first. Net is the amount after our fee."
      path="collections"
      columns={COLUMNS}
      keyOf={({ reference }) => reference}
      linkOf={({ reference }) => reference}
      filters={[
        { kind: "search", label: "Search", placeholder: "Amount, payer or reference" },
        { kind: "amount", label: "Amount" },
        { kind: "span", label: "Paid" },
        {
          kind: "choice",
          name: "settled",
          label: "Settled",
          options: [
            { value: "yes", label: "Settled" },
            { value: "no", label: "Not settled yet" },
          ],
        },
        {
          kind: "choice",
          name: "webhook",
          label: "Webhook",
          options: [
            { value: "failing", label: "Retrying" },
            { value: "exhausted", label: "Failed" },
          ],
        },
        {
          kind: "choice",
          name: "taken_back",
          label: "Taken back",
          options: [{ value: "yes", label: "Taken back by the bank" }],
        },
        { kind: "given", name: "customer_reference", label: "Customer" },
        { kind: "given", name: "payer_id", label: "Payer", isOpaque: true },
      ]}
      // What other services have to find is not summed.
      totals={(filters) =>
        !filters.settled &&
        !filters.webhook && (
          <ListTotals path="collections/totals" filters={filters} noun={["collection", "collections"]}>
            {({ amount, net }) => (
              <>
                <strong>
                  <Money naira={amount} />
                </strong>
                , net <Money naira={net} />
              </>
            )}
          </ListTotals>
        )
      }
      select={{ acts: mayResend && ((collections) => <ResendWebhooks collections={collections} />) }}
      empty={
        <EmptyState
          title="No collections yet"
          action={
            <Button component={Link} to={mode === "test" ? `${home}/get-started` : `${home}/customers`}>
              {mode === "test" ? "Simulate a payment" : "Issue an account to a customer"}
            </Button>
          }
          command={
            mode === "test"
              ? `curl ${me.urls.api}/customer_accounts/cust_42/simulate_payment \\\n  -H 'Authorization: Bearer sk_test_…' \\\n  -d outcome=paid -d amount=2500`
              : `curl ${me.urls.api}/customer_accounts \\\n  -H 'Authorization: Bearer sk_live_…' \\\n  -d customer_reference=cust_42 -d customer_name='Ada Obi'`
          }
        >
          Every transfer to a customer's account or for a payment session appears here within a second of the bank
          reporting it, with its full timeline.
        </EmptyState>
      }
    />
  );
}
