import { Button } from "@mantine/core";
import { Link } from "react-router";
import type { RowOf } from "../../api/calls.ts";
import { useScope } from "../../api/scope.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { ListedName } from "../../components/record-link.tsx";
import { When } from "../../components/when.tsx";

export type Payer = RowOf<"payers">;

const COLUMNS: Column<Payer>[] = [
  { header: "Name", cell: ({ name }) => <ListedName>{name}</ListedName>, narrow: "name" },
  { header: "Bank", cell: ({ bank_name }) => <ListedName>{bank_name}</ListedName>, narrow: "status" },
  {
    header: "Account number",
    cell: ({ account_number }) => <span className="mono">{account_number ?? "–"}</span>,
    width: 150,
    narrow: "amount",
  },
  { header: "First paid", cell: ({ first_paid_at }) => <When at={first_paid_at} />, width: 140 },
  { header: "Last paid", cell: ({ last_paid_at }) => <When at={last_paid_at} />, width: 140, narrow: "time" },
];

/** The bank accounts that payments came from. */
export function PayersPage() {
  const { home, mode } = useScope();
  return (
    <ListPage
      title="Payers"
      lead="The bank accounts that have paid you, named as their banks report them."
      path="payers"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      linkOf={({ id }) => id}
      filters={[{ kind: "search", label: "Search", placeholder: "Name or account number" }]}
      select={{}}
      empty={
        <EmptyState
          title="No payers yet"
          action={
            <Button component={Link} to={mode === "test" ? `${home}/get-started` : `${home}/customers`}>
              {mode === "test" ? "Simulate a payment" : "View customers"}
            </Button>
          }
        >
          Everyone who pays you is listed here automatically, with all their payments.
        </EmptyState>
      }
    />
  );
}
