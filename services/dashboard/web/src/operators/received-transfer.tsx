import { Alert } from "@mantine/core";
import type { ReactNode } from "react";
import { Facts } from "../components/facts.tsx";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { When } from "../components/when.tsx";
import { type Read, useExactRead } from "./api.ts";
import { Kobo } from "./kobo.tsx";
import { MerchantLink } from "./merchant-link.tsx";
import { type Merchant, WithMerchant } from "./with-merchant.tsx";

/** One id of a transfer: ours, or one of its bank. */
export type TransferId =
  | { intake_id: string }
  | { bank: string; bank_transfer_id: string }
  | { bank: string; session_id: string };
type Transfer = Read<"received-transfers">["transfers"][number];
type Mode = Transfer["mode"];
type Shown = {
  /** What would be taken back of it, in kobo, where that is known. */
  taken?: string | undefined;
  /** What can be done once it is known from whom it is taken. */
  children?: ((transfer: Transfer, from: string) => ReactNode) | undefined;
};

/** A transfer that was received, a live one unless `mode` says otherwise, and who was credited with it. */
export function ReceivedTransfer({ by, mode = "live", taken, children }: { by: TransferId; mode?: Mode } & Shown) {
  const { data, error, refetch } = useExactRead("received-transfers", by);
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  const [transfer, ...others] = data.transfers.filter((found) => found.mode === mode);
  if (!transfer)
    return (
      <Alert color="yellow" title={`There is no such ${mode} transfer`}>
        Ask the bank which transfer the line is about.
      </Alert>
    );
  if (others.length > 0)
    return (
      <Alert color="yellow" title="Several transfers have this session">
        Give the ID of the one that the line is about.
      </Alert>
    );
  if (transfer.merchant_id === null) return <Credited {...{ transfer, taken, children }} merchant={null} />;
  return (
    <WithMerchant id={transfer.merchant_id}>
      {(merchant) => <Credited {...{ transfer, taken, children }} merchant={merchant} />}
    </WithMerchant>
  );
}

function Credited({ transfer, merchant, taken, children }: { transfer: Transfer; merchant: Merchant | null } & Shown) {
  const { intake_id, bank, bank_transfer_id, account_number, amount, bank_fee, bank_vat, reversed } = transfer;
  const kept = BigInt(bank_fee) + BigInt(bank_vat);
  return (
    <>
      <Facts
        facts={[
          ["To be taken back", taken && <Kobo key="taken" kobo={taken} />],
          ["Transfer", intake_id],
          ["Bank's ID", `${bank_transfer_id} at ${bank}`],
          ["What the payer sent", <Kobo key="sent" kobo={amount} />],
          ["Kept by the bank", kept === 0n ? null : <Kobo key="kept" kobo={kept} />],
          ["Taken back before", reversed === "0" ? null : <Kobo key="reversed" kobo={reversed} />],
          ["Account that was paid into", account_number],
          [
            "Merchant",
            merchant ? (
              <MerchantLink key="merchant" id={merchant.id}>
                <bdi>{merchant.name}</bdi>
              </MerchantLink>
            ) : (
              "None: it is in suspense"
            ),
          ],
          ["Customer", transfer.customer_reference],
          ["Collection", transfer.reference],
          ["Paid", <When key="paid" at={transfer.paid_at} exact />],
          ["State", transfer.completed_at === null ? "Under way: it can't be taken back yet" : null],
        ]}
      />
      {children?.(transfer, merchant?.name ?? "suspense")}
    </>
  );
}
