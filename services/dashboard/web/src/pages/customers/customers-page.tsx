import { Button } from "@mantine/core";
import type { RowOf } from "../../api/calls.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { useDialog } from "../../components/dialog-address.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { ListedName, Reference } from "../../components/record-link.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { IssueAccountDialog } from "./issue-account-dialog.tsx";
import { RetireAccounts } from "./retire-accounts.tsx";

type Customer = RowOf<"customers">;

const COLUMNS: Column<Customer>[] = [
  { header: "Name", cell: ({ customer_name }) => <ListedName>{customer_name}</ListedName>, narrow: "name" },
  { header: "Status", cell: ({ status }) => <Status status={status} />, width: 110, narrow: "status" },
  {
    header: "Account number",
    cell: ({ account_number }) => <Copy value={account_number} what={`account number ${account_number}`} />,
    width: 170,
    narrow: "amount",
  },
  { header: "Reference", cell: ({ customer_reference }) => <Reference>{customer_reference}</Reference> },
  { header: "Created", cell: ({ created_at }) => <When at={created_at} />, width: 130, narrow: "time" },
  { header: "Account name", cell: ({ account_name }) => <ListedName>{account_name}</ListedName>, isExtra: true },
  { header: "Bank", cell: ({ bank_name }) => bank_name, isExtra: true },
  { header: "Retired", cell: ({ retired_at }) => <When at={retired_at} />, width: 130, isExtra: true },
];

/** Customers and the one permanent account of each. */
export function CustomersPage() {
  const { mode, me } = useScope();
  const mayOpen = useMay("collect");
  const [isOpening, { open, close }] = useDialog("issue");
  const button = mayOpen && <Button onClick={open}>Issue account</Button>;
  return (
    <>
      <ListPage
        title="Customers"
        lead="Each customer has one permanent account number. Every payment to it is matched to that customer."
        path="customers"
        columns={COLUMNS}
        keyOf={({ customer_reference }) => customer_reference}
        linkOf={({ customer_reference }) => customer_reference}
        filters={[
          { kind: "search", label: "Search", placeholder: "Name, number or reference" },
          {
            kind: "choice",
            name: "status",
            label: "Status",
            options: [
              { value: "active", label: "Active" },
              { value: "retired", label: "Retired" },
            ],
          },
          { kind: "span", label: "Created" },
        ]}
        select={{ acts: mayOpen && ((accounts) => <RetireAccounts accounts={accounts} />) }}
        actions={button}
        empty={
          <EmptyState
            title="No customers yet"
            action={button}
            command={`curl ${me.urls.api}/customer_accounts \\\n  -H 'Authorization: Bearer sk_${mode}_…' \\\n  -d customer_reference=cust_42 -d customer_name='Ada Obi'`}
          >
            Give each customer a dedicated account number. They can pay into it any number of times, and every payment
            is matched to them.
          </EmptyState>
        }
      />
      <IssueAccountDialog opened={isOpening} onClose={close} />
    </>
  );
}
