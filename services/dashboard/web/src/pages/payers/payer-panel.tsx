import { Text } from "@mantine/core";
import { useParams } from "react-router";
import type { RowOf } from "../../api/calls.ts";
import { useRead } from "../../api/hooks.ts";
import { Copy } from "../../components/copy.tsx";
import { Facts } from "../../components/facts.tsx";
import { LatestCollections } from "../../components/latest.tsx";
import { RecordHead } from "../../components/record-head.tsx";
import { Name } from "../../components/record-link.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { When } from "../../components/when.tsx";

/** One payer. Each collection contains the payer's details, so the newest one is read. */
export function PayerPanel() {
  const { reference = "" } = useParams();
  return (
    <RecordPanel title="Payer" list="payers" path="collections" fields={{ payer_id: reference, limit: "1" }}>
      {({ data: [newest] }) =>
        newest ? (
          <>
            <RecordHead
              title={<Name>{newest.payer.name}</Name>}
              who={newest.payer.bank_name}
              at={newest.payer.account_number}
            />
            <PayerFacts payer={newest.payer} newestAt={newest.paid_at} />
            <LatestCollections where={{ payer_id: reference }} />
          </>
        ) : (
          <Text>There is no such payer in this mode.</Text>
        )
      }
    </RecordPanel>
  );
}

type Paying = RowOf<"collections">["payer"];

function PayerFacts({ payer, newestAt }: { payer: Paying; newestAt: string }) {
  const { id, name, account_number, bank_name } = payer;
  const listed = useRead("payers", { search: account_number ?? name.slice(0, 100) });
  const firstAt = listed.data?.data.find((listedPayer) => listedPayer.id === id)?.first_paid_at;
  return (
    <Facts
      facts={[
        [
          "Name",
          <Copy key="name" value={name} what="name">
            <Name>{name}</Name>
          </Copy>,
        ],
        ["Bank", bank_name && <Name>{bank_name}</Name>],
        [
          "Account number",
          account_number ? <Copy value={account_number} what="account number" /> : "Not provided by the bank",
        ],
        ["First paid", firstAt && <When key="first" at={firstAt} exact />],
        ["Last paid", <When key="last" at={newestAt} exact />],
      ]}
    />
  );
}
