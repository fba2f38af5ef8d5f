import { Text, Title } from "@mantine/core";
import type { ComponentProps } from "react";
import { Failure } from "../../components/failure.tsx";
import type { Column } from "../../components/list-rows.tsx";
import { Money } from "../../components/money.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { AllocateTransfer } from "../allocate-transfer.tsx";
import { type Read, useRead } from "../api.ts";
import { List } from "../list.tsx";

type Found = Read<"exceptions">;
type Quarantined = Found["quarantined"][number];
type Unallocated = Found["unallocated"][number];
type Unfinished = Found["unfinished"][number];
type Reversal = NonNullable<Found["reversals"]>[number];

const TEST = ({ mode }: { mode: string }) => (mode === "live" ? "Live" : "Test");
const RECEIVED = ({ received_at }: { received_at: string }) => <When at={received_at} />;

const UNALLOCATED: Column<Unallocated>[] = [
  { header: "Transfer", cell: ({ intake_id }) => <span className="mono">{intake_id}</span>, narrow: "status" },
  {
    header: "Amount",
    cell: ({ amount_kobo }) => <Money naira={Number(amount_kobo) / 100} />,
    narrow: "name",
    width: 150,
  },
  { header: "Into", cell: ({ account_number }) => account_number, width: 120 },
  { header: "Mode", cell: TEST, width: 70 },
  { header: "Received", cell: RECEIVED, narrow: "time", width: 130 },
  { header: "Action", cell: (transfer) => <AllocateTransfer {...transfer} />, narrow: "amount", width: 130 },
];

const QUARANTINED: Column<Quarantined>[] = [
  {
    header: "Bank's ID",
    cell: ({ bank_transfer_id }) => <span className="mono">{bank_transfer_id}</span>,
    narrow: "name",
  },
  { header: "Amount", cell: (reported) => <Reported reported={reported} />, narrow: "amount", width: 150 },
  { header: "Of", cell: ({ merchant_id, customer_reference }) => ownerOf(merchant_id, customer_reference), width: 160 },
  { header: "Reason", cell: ({ reason }) => <span title={reason}>{reason}</span>, narrow: "status" },
  { header: "Mode", cell: TEST, width: 70 },
  { header: "Received", cell: RECEIVED, narrow: "time", width: 130 },
];

/** What is not naira is quarantined for that. */
function Reported({ reported: { amount_kobo, currency } }: { reported: Quarantined }) {
  if (amount_kobo === undefined) return null;
  if (currency === "NGN") return <Money naira={Number(amount_kobo) / 100} />;
  return `${currency} ${(Number(amount_kobo) / 100).toFixed(2)}`;
}

const ownerOf = (merchant: string | null | undefined, customer: string | null | undefined) =>
  [merchant, customer].filter(Boolean).join(" / ");

const timesOf = (count: number) => (count === 1 ? "Once" : `${count} times`);

const UNFINISHED: Column<Unfinished>[] = [
  { header: "Transfer", cell: ({ intake_id }) => <span className="mono">{intake_id}</span>, narrow: "name" },
  { header: "Retried", cell: ({ drives }) => timesOf(drives), narrow: "status", width: 110 },
  { header: "Mode", cell: TEST, narrow: "amount", width: 70 },
  { header: "Received", cell: RECEIVED, narrow: "time", width: 130 },
];

const REVERSALS: Column<Reversal>[] = [
  {
    header: "Bank's ID",
    cell: ({ bank_transfer_id }) => <span className="mono">{bank_transfer_id}</span>,
    narrow: "name",
  },
  { header: "Amount", cell: ({ amount_kobo }) => <Money naira={Number(amount_kobo) / 100} />, width: 150 },
  {
    header: "State",
    cell: ({ waits_for_transfer }) => (waits_for_transfer ? "Waits for its transfer" : "On its way"),
    narrow: "status",
  },
  { header: "Mode", cell: TEST, narrow: "amount", width: 70 },
  { header: "Received", cell: RECEIVED, narrow: "time", width: 130 },
];

/** Incoming transfers that need an operator; 100 at most of each kind. */
export default function TransfersPage() {
  const read = useRead("exceptions");
  const { data, error, refetch } = read;
  return (
    <Page title="Incoming transfers" lead="What needs an operator, 100 of each kind at most.">
      {error && <Failure error={error} isOld={data !== undefined} onRetry={() => void refetch()} />}
      {(data || !error) && <Exceptions read={{ ...read, error: null }} />}
    </Page>
  );
}

/** All of one read: that it failed is said once, by the page. */
function Exceptions({ read }: { read: ComponentProps<typeof List<Found, unknown>>["read"] }) {
  return (
    <>
      <Part title="Unallocated" lead="Money in suspense, not credited to any merchant yet." />
      <List
        title="Unallocated"
        read={read}
        rowsOf={({ unallocated }) => unallocated}
        columns={UNALLOCATED}
        keyOf={({ intake_id }) => intake_id}
        none="No money is unallocated."
      />
      <Part title="Quarantined" lead="Bank reports we couldn't accept as sent." />
      <List
        title="Quarantined"
        read={read}
        rowsOf={({ quarantined }) => quarantined}
        columns={QUARANTINED}
        keyOf={({ mode, bank_transfer_id }) => `${mode} ${bank_transfer_id}`}
        none="Nothing is in quarantine."
      />
      <Part title="Unfinished" lead="Received over a minute ago and not completed by every service." />
      <List
        title="Unfinished"
        read={read}
        rowsOf={({ unfinished }) => unfinished}
        columns={UNFINISHED}
        keyOf={({ intake_id }) => intake_id}
        none="Every transfer is finished."
      />
      <Part title="Reversals" lead="What banks took back over a minute ago, and is not booked yet." />
      <List
        title="Reversals"
        read={read}
        rowsOf={({ reversals = [] }) => reversals}
        columns={REVERSALS}
        keyOf={({ intake_id }) => intake_id}
        none="Every reversal is booked."
      />
    </>
  );
}

function Part({ title, lead }: { title: string; lead: string }) {
  return (
    <div>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        {lead}
      </Text>
    </div>
  );
}
