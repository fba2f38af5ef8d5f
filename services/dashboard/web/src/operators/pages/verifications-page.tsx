import type { Column } from "../../components/list-rows.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { type Read, useRead } from "../api.ts";
import { List } from "../list.tsx";

type Row = Read<"verifications">["verifications"][number];

const COLUMNS: Column<Row>[] = [
  { header: "Business", cell: ({ merchant_name }) => <bdi>{merchant_name}</bdi>, narrow: "name" },
  { header: "Registered name", cell: ({ details }) => <bdi>{details.registered_name ?? "–"}</bdi>, narrow: "status" },
  { header: "Number", cell: ({ details }) => details.rc_number ?? "–" },
  { header: "Settlement account", cell: ({ settlement_account_name }) => <bdi>{settlement_account_name ?? "–"}</bdi> },
  { header: "Submitted", cell: ({ submitted_at }) => <When at={submitted_at} />, narrow: "time", width: 140 },
];

/** What merchants have submitted and operators have not decided. */
export default function VerificationsPage() {
  return (
    <Page title="Verification" lead="Submitted businesses, longest waiting first, 100 at most.">
      <List
        title="Verification"
        read={useRead("verifications", { state: "submitted" })}
        rowsOf={({ verifications }) => verifications}
        columns={COLUMNS}
        keyOf={({ merchant_id }) => merchant_id}
        linkOf={({ merchant_id }) => merchant_id}
        none="Nothing waits for a decision."
      />
    </Page>
  );
}
