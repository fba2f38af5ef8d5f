import type { Column } from "../components/list-rows.tsx";
import { Status } from "../components/status.tsx";
import { When } from "../components/when.tsx";
import { actionWords, detailWords } from "../pages/audit/audit-words.ts";
import { type Read, useRead } from "./api.ts";
import { List } from "./list.tsx";

type Entry = Read<"audit">["data"][number];

const NO_NAMES: ReadonlyMap<string, string> = new Map();
const detailOf = ({ detail, merchant_id }: Entry, isOneMerchant: boolean) =>
  detailWords({ ...(!isOneMerchant && { merchant: merchant_id }), ...detail }, NO_NAMES);

const columnsOf = (isOneMerchant: boolean): Column<Entry>[] => [
  {
    header: "What",
    cell: ({ action }) => <span title={actionWords(action)}>{actionWords(action)}</span>,
    narrow: "name",
  },
  { header: "Who", cell: ({ actor }) => <bdi title={actor.kind}>{actor.label}</bdi>, narrow: "status", width: 120 },
  {
    header: "Detail",
    cell: (entry) => <span title={detailOf(entry, isOneMerchant)}>{detailOf(entry, isOneMerchant)}</span>,
  },
  { header: "When", cell: ({ at }) => <When at={at} />, narrow: "time", width: 110 },
  { header: "Outcome", cell: ({ outcome }) => <Status status={outcome} />, narrow: "amount", width: 90 },
];

/** Acts, newest first: about one merchant, or about all and none. Without `after` only the newest. */
export function AuditRows({ merchant, after }: { merchant?: string | undefined; after?: string }) {
  const fields = {
    ...(merchant && { merchant_id: merchant }),
    ...(after ? { after } : after === undefined && { limit: "20" }),
  };
  const read = useRead("audit", fields);
  return (
    <List
      title="Audit log"
      read={read}
      rowsOf={({ data }) => data}
      {...(after !== undefined && { nextOf: ({ next }: Read<"audit">) => next })}
      columns={columnsOf(merchant !== undefined)}
      keyOf={({ merchant_id, id }) => `${merchant_id ?? ""} ${id}`}
      none="No entries yet."
    />
  );
}
