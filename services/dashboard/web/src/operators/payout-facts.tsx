import { Facts } from "../components/facts.tsx";
import { When } from "../components/when.tsx";
import type { Read } from "./api.ts";
import { Kobo } from "./kobo.tsx";
import { MerchantLink } from "./merchant-link.tsx";

type Unanswered = Read<"payouts/unanswered">["payouts"][number];

/** A payout of which the bank has not said how it ended. */
export function PayoutFacts({
  merchant_id,
  partner,
  bank_code,
  account_number,
  amount,
  sent_at,
  unknown_since,
  approval,
}: Unanswered) {
  return (
    <Facts
      facts={[
        ["Amount", <Kobo key="amount" kobo={amount} />],
        ["To", `${account_number} at ${bank_code}`],
        ["Merchant", <MerchantLink key="merchant" id={merchant_id} />],
        ["Sent by", partner ?? "A partner that is not known"],
        [
          "Sent",
          <span key="sent">
            <When at={sent_at} />, <When at={sent_at} exact />
          </span>,
        ],
        [
          "Not known to the bank",
          unknown_since ? (
            <span key="unknown">
              Since <When at={unknown_since} exact />
            </span>
          ) : null,
        ],
        ["Approval", approval === "lost" ? "Lost in a restore: it was never approved here" : null],
      ]}
    />
  );
}
