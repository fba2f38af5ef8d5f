import { Button } from "@mantine/core";
import { Link } from "react-router";
import type { RowOf } from "../../api/calls.ts";
import { useRead } from "../../api/hooks.ts";
import { useScope } from "../../api/scope.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { dueTime } from "../../components/lagos-time.ts";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { ListTotals } from "../../components/list-totals.tsx";
import { Money } from "../../components/money.tsx";
import { Reference } from "../../components/record-link.tsx";
import { When } from "../../components/when.tsx";
import { ExportForAccounting } from "./export-for-accounting.tsx";

type Settlement = RowOf<"settlements">;

const COLUMNS: Column<Settlement>[] = [
  { header: "Amount", cell: ({ amount }) => <Money naira={amount} />, width: 160, align: "right", narrow: "amount" },
  { header: "Cut-off", cell: ({ cut_off }) => <When at={cut_off} exact />, width: 200, narrow: "name" },
  { header: "Reference", cell: ({ reference }) => <Reference>{reference}</Reference>, narrow: "status" },
  { header: "Date", cell: ({ created_at }) => <When at={created_at} />, width: 140, narrow: "time" },
];

/** The list of settlements. */
export function SettlementsPage() {
  const { home, mode, me } = useScope();
  const schedule = useRead("schedule");
  return (
    <ListPage
      title="Settlements"
      lead={
        <>
          Each settlement moves your collected balance to your settled balance.
          {schedule.data && ` The next settlement is due ${dueTime(schedule.data.next_at)}.`}
        </>
      }
      path="settlements"
      columns={COLUMNS}
      keyOf={({ reference }) => reference}
      linkOf={({ reference }) => reference}
      filters={[
        { kind: "search", label: "Search", placeholder: "Reference" },
        { kind: "amount", label: "Amount" },
        { kind: "span", label: "Date" },
      ]}
      totals={(filters) => (
        <ListTotals path="settlements/totals" filters={filters} noun={["settlement", "settlements"]}>
          {({ amount }) => (
            <strong>
              <Money naira={amount} />
            </strong>
          )}
        </ListTotals>
      )}
      select={{}}
      actions={<ExportForAccounting />}
      empty={
        <EmptyState
          title="No settlements yet"
          action={
            <Button component={Link} to={`${home}/collections`}>
              View collections
            </Button>
          }
          command={`curl ${me.urls.api}/balance \\\n  -H 'Authorization: Bearer sk_${mode}_…'`}
        >
          Payments collected on one day are settled automatically the next morning, with one line per collection.
        </EmptyState>
      }
    />
  );
}
