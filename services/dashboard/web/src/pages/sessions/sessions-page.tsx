import { Button } from "@mantine/core";
import type { RowOf } from "../../api/calls.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { useDialog } from "../../components/dialog-address.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { ListTotals } from "../../components/list-totals.tsx";
import { Money } from "../../components/money.tsx";
import { ListedName, Reference } from "../../components/record-link.tsx";
import { Status, statusOptions } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { CreateSession } from "./create-session.tsx";

type Session = RowOf<"sessions">;

const STATUSES: Session["status"][] = [
  "pending",
  "processing",
  "paid",
  "underpaid",
  "overpaid",
  "expired",
  "paid_late",
];

const COLUMNS: Column<Session>[] = [
  { header: "Amount", cell: ({ amount }) => <Money naira={amount} />, width: 150, align: "right", narrow: "amount" },
  { header: "Status", cell: ({ status }) => <Status status={status} />, width: 130, narrow: "status" },
  {
    header: "For",
    cell: ({ customer_name, customer_reference, description }) => (
      <ListedName>{customer_name ?? customer_reference ?? description}</ListedName>
    ),
    narrow: "name",
  },
  {
    header: "Your reference",
    cell: ({ merchant_reference }) => (merchant_reference ? <Reference>{merchant_reference}</Reference> : "–"),
  },
  { header: "Received", cell: ({ amount_received }) => <Money naira={amount_received} />, width: 150, align: "right" },
  { header: "Created", cell: ({ created_at }) => <When at={created_at} />, width: 130, narrow: "time" },
  { header: "Expires", cell: ({ expires_at }) => <When at={expires_at} />, width: 130, isExtra: true },
  { header: "Reference", cell: ({ reference }) => <Reference>{reference}</Reference>, isExtra: true },
];

/** The list of payment sessions. */
export function SessionsPage() {
  const { mode, me } = useScope();
  const mayOpen = useMay("collect");
  const [isOpening, { open, close }] = useDialog("create");
  const button = mayOpen && <Button onClick={open}>Create session</Button>;
  return (
    <>
      <ListPage
        title="Sessions"
        lead="Each session requests one exact amount from one payer on its own checkout page."
        path="sessions"
        columns={COLUMNS}
        keyOf={({ reference }) => reference}
        linkOf={({ reference }) => reference}
        filters={[
          { kind: "search", label: "Search", placeholder: "Amount, payer or reference" },
          {
            kind: "choice",
            name: "status",
            label: "Status",
            options: statusOptions(STATUSES),
          },
          { kind: "amount", label: "Amount" },
          { kind: "span", label: "Created" },
          { kind: "given", name: "customer_reference", label: "Customer" },
          { kind: "given", name: "payment_link", label: "Link" },
        ]}
        totals={(filters) => (
          <ListTotals path="sessions/totals" filters={filters} noun={["session", "sessions"]}>
            {({ amount, amount_received }) => (
              <>
                <strong>
                  <Money naira={amount} />
                </strong>
                , received <Money naira={amount_received} />
              </>
            )}
          </ListTotals>
        )}
        select={{}}
        actions={button}
        empty={
          <EmptyState
            title="No sessions yet"
            action={button}
            command={`curl ${me.urls.api}/payments \\\n  -H 'Authorization: Bearer sk_${mode}_…' \\\n  -d amount=2500 -d reference=order-1001`}
          >
            Create a session for an amount and send the payer its checkout page. The payment is matched to your order
            when it arrives.
          </EmptyState>
        }
      />
      <CreateSession opened={isOpening} onClose={close} />
    </>
  );
}
