import { Button } from "@mantine/core";
import { Link } from "react-router";
import type { RowOf } from "../../api/calls.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { useDialog } from "../../components/dialog-address.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { ListTotals } from "../../components/list-totals.tsx";
import { Money } from "../../components/money.tsx";
import { ListedName, Reference } from "../../components/record-link.tsx";
import { StandingNotices } from "../../components/standing-notices.tsx";
import { Status, statusOptions } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { SendMoney } from "./send-money.tsx";
import { TEST_ACCOUNTS } from "./test-accounts.tsx";

type Transfer = RowOf<"transfers">;

const STATUSES: Transfer["status"][] = ["pending", "success", "failed", "reversed"];

const COLUMNS: Column<Transfer>[] = [
  { header: "Amount", cell: ({ amount }) => <Money naira={amount} />, width: 150, align: "right", narrow: "amount" },
  { header: "To", cell: ({ account_name }) => <ListedName>{account_name}</ListedName>, narrow: "name" },
  { header: "Status", cell: ({ status }) => <Status status={status} />, width: 120, narrow: "status" },
  { header: "Bank", cell: ({ bank_name }) => bank_name },
  { header: "Your reference", cell: ({ merchant_reference }) => <Reference>{merchant_reference}</Reference> },
  { header: "Created", cell: ({ created_at }) => <When at={created_at} />, width: 130, narrow: "time" },
  { header: "Account number", cell: ({ account_number }) => account_number, width: 130, isExtra: true },
  { header: "Completed", cell: ({ completed_at }) => <When at={completed_at} />, width: 130, isExtra: true },
  { header: "Narration", cell: ({ narration }) => <ListedName>{narration}</ListedName>, isExtra: true },
  { header: "Reference", cell: ({ reference }) => <Reference>{reference}</Reference>, isExtra: true },
];

/** The list of transfers. */
export function TransfersPage() {
  const { home, mode, me } = useScope();
  const maySend = useMay("money");
  const [isSending, { open, close }] = useDialog("send");
  const button = maySend && (
    <>
      <Button component={Link} to={`${home}/transfers/bulk`} variant="default">
        Bulk transfers
      </Button>
      <Button onClick={open}>Send money</Button>
    </>
  );
  const lead = "Money you sent from your settled balance to bank accounts.";
  return (
    <>
      <StandingNotices />
      <ListPage
        title="Transfers"
        lead={maySend ? lead : `${lead} Only owners and finance members can send money.`}
        path="transfers"
        columns={COLUMNS}
        keyOf={({ reference }) => reference}
        linkOf={({ reference }) => reference}
        filters={[
          { kind: "search", label: "Search", placeholder: "Amount, name or reference" },
          {
            kind: "choice",
            name: "status",
            label: "Status",
            options: statusOptions(STATUSES),
          },
          { kind: "amount", label: "Amount" },
          { kind: "given", name: "approval", label: "Approval" },
          { kind: "given", name: "account_number", label: "Account" },
          { kind: "span", label: "Created" },
        ]}
        totals={(filters) => (
          <ListTotals path="transfers/totals" filters={filters} noun={["transfer", "transfers"]}>
            {({ amount }) => (
              <strong>
                <Money naira={amount} />
              </strong>
            )}
          </ListTotals>
        )}
        select={{}}
        actions={button}
        empty={
          <EmptyState
            title="No transfers yet"
            action={button}
            command={`curl ${me.urls.api}/transfers \\\n  -H 'Authorization: Bearer sk_${mode}_…' \\\n  -d amount=1500 -d reference=payout-1 \\\n  -d bank_code=${mode === "test" ? "000" : "058"} -d account_number=${mode === "test" ? TEST_ACCOUNTS[0]?.number : "…"}`}
          >
            Once payments are settled, you can send money to any bank account in Nigeria. You see the account name
            before you send.
          </EmptyState>
        }
      />
      <SendMoney opened={isSending} onClose={close} />
    </>
  );
}
