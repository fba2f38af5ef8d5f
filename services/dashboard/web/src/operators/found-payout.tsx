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

export type Payout = NonNullable<Read<"payouts/find">["payout"]>;
type Props = {
  reference: string;
  /** What can be done once it is known whose it is. */
  children?: (payout: Payout, merchant: Merchant) => ReactNode;
};

/** A live payout, whose it is and how it stands. */
export function FoundPayout({ reference, children }: Props) {
  const { data, error, refetch } = useExactRead("payouts/find", { reference });
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  const { payout } = data;
  if (!payout)
    return (
      <Alert color="yellow" title="There is no such live payout">
        Ask the bank which payout the line is about: it has our ID as the reference.
      </Alert>
    );
  return (
    <WithMerchant id={payout.merchant_id}>
      {(merchant) => (
        <>
          <Facts
            facts={[
              ["Payout", payout.reference],
              ["Amount", <Kobo key="amount" kobo={payout.amount} />],
              ["To", `${payout.account_number} at ${payout.bank_code}`],
              [
                "Merchant",
                <MerchantLink key="merchant" id={merchant.id}>
                  <bdi>{merchant.name}</bdi>
                </MerchantLink>,
              ],
              ["State", STATES[payout.status]],
              ["Sent by", payout.partner ?? "A partner that is not known"],
              ["Ordered", <When key="ordered" at={payout.ordered_at} exact />],
            ]}
          />
          {children?.(payout, merchant)}
        </>
      )}
    </WithMerchant>
  );
}

const STATES: Record<Payout["status"], string> = {
  pending: "Pending",
  success: "Succeeded",
  failed: "Failed",
  reversed: "Reversed: its merchant has the money",
};
