import { Anchor, Stack, Title } from "@mantine/core";
import { Link } from "react-router";
import type { Column } from "../components/list-rows.tsx";
import { When } from "../components/when.tsx";
import { type Read, useRead } from "./api.ts";
import { DayGroups } from "./day-groups.tsx";
import { Kobo } from "./kobo.tsx";
import { List } from "./list.tsx";
import { OnDemand } from "./on-demand.tsx";

type Sheet = Read<"days/:day">;
type Charge = Read<"days/:day/charges">["data"][number];
type Offer = Read<"days/:day/offers">["data"][number];

/** What a sheet has only in sums: the lines of groups, the bank's single charges, and under which id a line was offered. */
export function DayDetails({ day, accounts, items }: Sheet) {
  return (
    <>
      <DayGroups {...{ day, items }} />
      {accounts
        .filter(({ charges }) => charges !== "0")
        .map(({ number }) => (
          <Charges key={number} {...{ day, account: number }} />
        ))}
      <Offers day={day} />
    </>
  );
}

const CHARGES: Column<Charge>[] = [
  { header: "Charge", cell: ({ narration }) => <bdi title={narration}>{narration}</bdi>, narrow: "name" },
  { header: "Line", cell: ({ line }) => line, narrow: "time", width: 180 },
  {
    header: "State",
    cell: ({ is_matched }) => (is_matched ? "Matched: not in the sum" : "In the sum"),
    narrow: "status",
    width: 200,
  },
  { header: "Amount", cell: ({ amount }) => <Kobo kobo={amount} />, align: "right", narrow: "amount", width: 150 },
];

function Charges({ day, account }: { day: string; account: string }) {
  const title = `Charges to ${account}`;
  return (
    <OnDemand
      title={title}
      heading={title}
      button={`Show each charge to ${account}`}
      usePage={(after) => useRead("days/:day/charges", { day, account, ...(after && { after }) })}
      columns={CHARGES}
      keyOf={({ line }) => line}
    />
  );
}

const OFFERS: Column<Offer>[] = [
  {
    header: "Line",
    cell: ({ line, narration }) => (
      <Anchor component={Link} to={`/lines/${line}`} inherit title={narration}>
        <bdi>{narration || line}</bdi>
      </Anchor>
    ),
    narrow: "name",
  },
  {
    header: "Kept for",
    cell: ({ bank_transfer_id, is_return, is_reversal }) => {
      if (is_reversal) return "Taken back by the bank";
      return is_return ? `Return of ${bank_transfer_id}` : bank_transfer_id;
    },
    narrow: "status",
  },
  { header: "Paid into", cell: ({ account_number }) => account_number, width: 120 },
  { header: "State", cell: ({ is_matched }) => (is_matched ? "Matched" : "In no match"), width: 120 },
  { header: "Offered", cell: ({ offered_at }) => <When at={offered_at} />, narrow: "time", width: 150 },
  { header: "Amount", cell: ({ amount }) => <Kobo kobo={amount} />, align: "right", narrow: "amount", width: 150 },
];

/** Nothing is said of a day without any: they are few. */
function Offers({ day }: { day: string }) {
  const read = useRead("days/:day/offers", { day });
  if (!read.error && !read.data?.data.length) return null;
  return (
    <Stack component="section" gap="xs" aria-label="Offered lines">
      <Title order={2} size="h4">
        Offered lines
      </Title>
      <List
        title="Offered lines"
        read={read}
        rowsOf={({ data }) => data}
        columns={OFFERS}
        keyOf={({ line }) => line}
        none={undefined}
      />
    </Stack>
  );
}
