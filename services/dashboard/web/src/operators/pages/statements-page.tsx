import { Group, Title } from "@mantine/core";
import { useSearchParams } from "react-router";
import type { Column } from "../../components/list-rows.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { ActDialog } from "../act-dialog.tsx";
import { type Read, useRead } from "../api.ts";
import { dayWords, periodWords } from "../day-words.ts";
import { EndAccount } from "../end-account.tsx";
import { Kobo } from "../kobo.tsx";
import { List } from "../list.tsx";
import { NameAccount } from "../name-account.tsx";
import { UploadStatement } from "../upload-statement.tsx";

type Row = Read<"statements">["data"][number];
type Account = Read<"bank-accounts">["accounts"][number];

const COLUMNS: Column<Row>[] = [
  { header: "Account", cell: ({ account }) => account, narrow: "name", width: 120 },
  { header: "No.", cell: ({ number }) => number ?? "–", width: 60 },
  { header: "Period", cell: ({ from, to }) => periodWords(from, to), narrow: "status", width: 190 },
  { header: "Opening", cell: ({ opening }) => <Kobo kobo={opening} />, align: "right", width: 130 },
  { header: "Closing", cell: ({ closing }) => <Kobo kobo={closing} />, align: "right", narrow: "amount", width: 130 },
  { header: "File", cell: ({ file }) => <bdi title={file}>{file}</bdi> },
  {
    header: "Imported",
    cell: ({ imported_by, imported_at }) => (
      <>
        {imported_by}, <When at={imported_at} />
      </>
    ),
    narrow: "time",
    width: 150,
  },
  { header: "Action", cell: (row) => <Withdraw {...row} />, width: 130 },
];

const ACCOUNTS: Column<Account>[] = [
  { header: "Account", cell: ({ number }) => number, narrow: "name", width: 130 },
  {
    header: "Bank",
    cell: ({ bank, pays_out, payouts_of, own_references, settles_within = 1 }) =>
      `${bank}${pays_out ? ", pays out" : ""}${payouts_of ? `, has the payouts of ${payouts_of}` : ""}${own_references ? ", with the bank's own references" : ""}${settles_within > 1 ? `, settled within ${settles_within} days` : ""}`,
    narrow: "status",
  },
  {
    header: "Statements",
    cell: ({ from, to, last_day }) =>
      from && to ? `${periodWords(from, to)}${last_day ? ", ended" : ""}` : "None yet",
    narrow: "time",
    width: 250,
  },
  {
    header: "Closing",
    cell: ({ closing }) => closing !== null && <Kobo kobo={closing} />,
    align: "right",
    narrow: "amount",
    width: 150,
  },
];

/** The statements of our accounts at banks: upload one, and see what was imported. */
export default function StatementsPage() {
  const [params] = useSearchParams();
  const after = params.get("after");
  const accounts = useRead("bank-accounts");
  return (
    <Page
      title="Statements"
      lead="The banks' statements of our accounts. A file is imported whole or not at all, and each statement continues the last one."
    >
      <UploadStatement accounts={accounts.data?.accounts.filter(({ last_day }) => last_day === null) ?? []} />
      <Title order={2} size="h4">
        Our accounts
      </Title>
      <List
        title="Our accounts"
        read={accounts}
        rowsOf={({ accounts: rows }) => rows}
        columns={ACCOUNTS}
        keyOf={({ number }) => number}
        none="No account is named yet."
      />
      {accounts.data && (
        <Group gap="xs">
          {accounts.data.accounts.map((account) => (
            <Acts key={account.number} {...account} />
          ))}
          <NameAccount key={`after ${accounts.data.accounts.length}`} />
        </Group>
      )}
      <Title order={2} size="h4">
        Imported
      </Title>
      <List
        title="Imported"
        read={useRead("statements", { ...(after && { after }) })}
        rowsOf={({ data }) => data}
        nextOf={({ next }) => next}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        none="No statement was imported yet."
      />
    </Page>
  );
}

function Acts(listed: Account) {
  const { from: _, to: __, closing: ___, last_day, page_missing: ____, ...account } = listed;
  return (
    <>
      {/* One that was changed elsewhere is begun anew. */}
      <NameAccount key={JSON.stringify({ ...account, last_day })} account={account} />
      <EndAccount {...listed} />
    </>
  );
}

function Withdraw({ account, number, from, to, file, can_be_withdrawn }: Row) {
  return (
    <ActDialog
      subject="statements.statement.withdraw"
      label="Withdraw"
      isOffered={can_be_withdrawn}
      isDangerous
      effect={
        <>
          The statement of {account} for {periodWords(from, to)} (<bdi>{file}</bdi>) is taken back with its lines, and
          what they were matched with is open again. From {dayWords(from)} on, the days wait for another statement.
        </>
      }
      reason="Reason"
      inputOf={(reason) => ({ account, from, ...(number !== null && { number }), reason })}
    />
  );
}
