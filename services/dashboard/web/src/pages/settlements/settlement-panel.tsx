import { Skeleton } from "@mantine/core";
import { useParams } from "react-router";
import { useRead } from "../../api/hooks.ts";
import { Copy } from "../../components/copy.tsx";
import { Facts } from "../../components/facts.tsx";
import { LedgerTransaction } from "../../components/ledger-transaction.tsx";
import { Money } from "../../components/money.tsx";
import { RecordHead } from "../../components/record-head.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { Section } from "../../components/section.tsx";
import { When } from "../../components/when.tsx";
import { SettlementLines } from "./settlement-lines.tsx";

/** One settlement with everything that it moved. */
export function SettlementPanel() {
  const { reference = "" } = useParams();
  return (
    <RecordPanel
      title={`Settlement ${reference}`}
      list="settlements"
      path="settlements/:reference"
      fields={{ reference }}
    >
      {({ totals, ...settlement }) => (
        <>
          <RecordHead amount={settlement.amount} at={<When at={settlement.created_at} />} />
          <Facts
            facts={[
              ["Payments received", totals && <Money key="received" naira={totals.amount} />],
              ["Fees", totals && <Money key="fees" naira={totals.fee === 0 ? 0 : -totals.fee} />],
              ["Moved back from Settled", totals?.covered ? <Money key="covered" naira={totals.covered} /> : null],
              ["Settled", <When key="settled" at={settlement.created_at} exact />],
              ["Cut-off", <When key="cut-off" at={settlement.cut_off} exact />],
              ["Reference", <Copy key="reference" value={settlement.reference} what="reference" />],
              [
                "Entries settled",
                `${(settlement.from_version + 1).toLocaleString("en")} to ${settlement.to_version.toLocaleString("en")} of your collected balance`,
              ],
            ]}
          />
          <Section title="Ledger transaction">
            <SettlementTransaction reference={settlement.reference} />
          </Section>
          <Section title="Lines">
            <SettlementLines key={settlement.reference} reference={settlement.reference} total={settlement.amount} />
          </Section>
        </>
      )}
    </RecordPanel>
  );
}

/** The entries that moved it from collected to settled. */
function SettlementTransaction({ reference }: { reference: string }) {
  const read = useRead("transactions/:key", { key: reference });
  if (read.isPending || read.isPlaceholderData) return <Skeleton height={96} />;
  return <LedgerTransaction transaction={read.data ?? null} />;
}
