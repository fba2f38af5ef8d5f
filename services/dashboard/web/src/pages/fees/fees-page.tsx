import { Anchor, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useRead } from "../../api/hooks.ts";
import { useScope } from "../../api/scope.ts";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { money } from "../../components/money.tsx";
import { Page } from "../../components/page.tsx";
import { SectionCard } from "../../components/section-card.tsx";

const EXAMPLE = 10_000;

/** What a business pays, how much it can do, and when it gets its money. The operator sets it; here it is shown. */
export function FeesPage() {
  return (
    <Page title="Fees and limits" lead="What applies to your business today. Contact us to change any of it.">
      <Fee />
      <Limits />
      <Settlement />
    </Page>
  );
}

function Fee() {
  const fee = useRead("fee");
  return (
    <Known title="Fee" reads={[fee]}>
      {fee.data && (
        <Facts
          facts={[
            ["Of each collection", `${percent(fee.data.basis_points)}, rounded to the kobo`],
            [`On ${money(EXAMPLE)}`, money((EXAMPLE * fee.data.basis_points) / 10_000)],
          ]}
        />
      )}
    </Known>
  );
}

function Limits() {
  const { home } = useScope();
  const payment = useRead("amount-limit");
  const merchant = useRead("keys");
  return (
    <Known title="Limits" reads={[payment, merchant]}>
      {payment.data && merchant.data && (
        <Facts
          facts={[
            ["One payment", `At most ${money(payment.data.amount)}`],
            ["New customer accounts", `${merchant.data.rate_limits.accounts.toLocaleString("en")} per hour`],
            ["API reads", `${merchant.data.rate_limits.reads.toLocaleString("en")} per hour`],
            [
              "Transfers",
              <Anchor key="payouts" component={Link} size="sm" to={`${home}/settings/payouts`}>
                See transfer limits
              </Anchor>,
            ],
          ]}
        />
      )}
    </Known>
  );
}

/** The account is the one given for verification; nothing is sent to it by itself. */
function Settlement() {
  const { home } = useScope();
  const schedule = useRead("schedule");
  const verification = useRead("verification");
  const { details, settlement_account_name, settlement_bank_name } = verification.data ?? {};
  const number = details?.settlement_account_number;
  return (
    <Known title="Settlement" reads={[schedule, verification]}>
      {schedule.data && verification.data && (
        <Facts
          facts={[
            ["Collected becomes settled", `${after(schedule.data.delay_days)} at ${schedule.data.at} Lagos time`],
            [
              "Settlement account",
              number ? (
                <>
                  {settlement_bank_name ?? details.settlement_bank_code}, account ending in {number.slice(-4)}
                  {settlement_account_name && `, ${settlement_account_name}`}
                </>
              ) : (
                <Anchor component={Link} size="sm" to={`${home}/settings/verification`}>
                  Add it to your verification
                </Anchor>
              ),
            ],
            [
              "How to withdraw",
              <Anchor key="transfers" component={Link} size="sm" to={`${home}/transfers`}>
                Send your settled balance as a transfer
              </Anchor>,
            ],
          ]}
        />
      )}
    </Known>
  );
}

type Reading = { error: Error | null; isPending: boolean; refetch: () => Promise<unknown> };

/** A section whose facts come from several services: what one of them can't say is said, and the rest stays. */
function Known({ title, reads, children }: { title: string; reads: Reading[]; children: ReactNode }) {
  const failed = reads.find(({ error }) => error);
  return (
    <SectionCard title={title}>
      {failed?.error && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && reads.some(({ isPending }) => isPending) && <Skeleton height={72} />}
      {children}
    </SectionCard>
  );
}

const percent = (basisPoints: number) => `${(basisPoints / 100).toLocaleString("en", { maximumFractionDigits: 2 })}%`;
const after = (days: number) => (days === 0 ? "The same day" : days === 1 ? "The next day" : `After ${days} days`);
