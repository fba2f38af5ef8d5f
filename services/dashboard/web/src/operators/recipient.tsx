import { Alert } from "@mantine/core";
import type { ReactNode } from "react";
import { Facts } from "../components/facts.tsx";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { type Read, useExactRead } from "./api.ts";
import { Kobo } from "./kobo.tsx";
import { MerchantLink } from "./merchant-link.tsx";

type Money = {
  bank: string;
  /** The account that was paid into. */
  account: string;
  /** What the payer sent, and what of it reached our account; in kobo. */
  amount: string;
  arrived: string;
};
/** What can be done once the recipient is known, whose name it is given. */
type Then = { children?: (recipient: string) => ReactNode };

/** Who is credited with money that was paid into an account. */
export function Recipient(money: Money & Then) {
  const { bank, account, amount, children } = money;
  const { data, error, refetch } = useExactRead("account-owner", { bank, account_number: account });
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  if (data.owner) return <Owner {...money} owner={data.owner} />;
  return (
    <>
      <Alert color="yellow" title={`No merchant has account ${account} at ${bank}`}>
        <Kobo kobo={amount} /> would be in suspense until an operator allocates it. Check the number first.
      </Alert>
      {children?.("suspense")}
    </>
  );
}

type OwnerProps = Money & Then & { owner: NonNullable<Read<"account-owner">["owner"]> };

function Owner({ owner, amount, arrived, children }: OwnerProps) {
  const { merchant_id, account_name, customer_reference, customer_name, is_retired } = owner;
  const { data, error, refetch } = useExactRead("merchants/:merchant_id", { merchant_id });
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  const kept = BigInt(amount) - BigInt(arrived);
  return (
    <>
      <Facts
        facts={[
          [
            "Credited",
            <span key="credited">
              <Kobo kobo={amount} />, less our fee
            </span>,
          ],
          ["Kept by the bank", kept === 0n ? null : <Kobo key="kept" kobo={kept} />],
          [
            "Merchant",
            <MerchantLink key="merchant" id={merchant_id}>
              <bdi>{data.name}</bdi>
            </MerchantLink>,
          ],
          [
            "Customer",
            customer_reference === null ? (
              "None: it is the merchant's own account"
            ) : (
              <span key="customer">
                <bdi>{customer_name}</bdi> ({customer_reference})
              </span>
            ),
          ],
          ["Account name", <bdi key="account">{account_name}</bdi>],
          ["State", is_retired ? "Retired: it is credited all the same, and flagged" : null],
        ]}
      />
      {children?.(data.name)}
    </>
  );
}
