import { Alert, Anchor, Title } from "@mantine/core";
import { Link, useParams } from "react-router";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { Loading } from "../../components/loading.tsx";
import { RecordFrame } from "../../components/record-frame.tsx";
import { RecordHead } from "../../components/record-head.tsx";
import { When } from "../../components/when.tsx";
import { ActDialog } from "../act-dialog.tsx";
import { type Read, useRead } from "../api.ts";
import { AuditRows } from "../audit-rows.tsx";
import { StandingBadge } from "../standing.tsx";

/** One business: its standing and keys, what can be done about it, and what was. */
export default function MerchantPage() {
  const { id = "" } = useParams();
  const { data, error, refetch } = useRead("merchants/:merchant_id", { merchant_id: id });
  return (
    <RecordFrame title="Merchant" list="/merchants">
      {error && <Failure error={error} isOld={data !== undefined} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && <Merchant merchant={data} />}
    </RecordFrame>
  );
}

type Shown = Read<"merchants/:merchant_id">;
const count = (many: number) => many.toLocaleString("en");

function Merchant({ merchant }: { merchant: Shown }) {
  const { merchant_id, name, suspension, verified_at, created_at, rate_limits, keys } = merchant;
  const standing = suspension ? "suspended" : verified_at ? "verified" : undefined;
  const current = keys.filter(({ expires_at }) => !expires_at);
  return (
    <>
      <RecordHead
        title={<bdi>{name}</bdi>}
        status={standing && <StandingBadge standing={standing} />}
        at={
          <>
            Created <When at={created_at} />
          </>
        }
        actions={<Standing merchant={merchant} />}
      />
      {suspension && (
        <Alert color="red" title="Suspended">
          <When at={suspension.since} exact />: {suspension.reason}
        </Alert>
      )}
      <Facts
        facts={[
          [
            "Merchant ID",
            <span key="id" className="mono">
              {merchant_id}
            </span>,
          ],
          ["Verified", verified_at ? <When key="verified" at={verified_at} exact /> : "No"],
          ["Calls an hour", `${count(rate_limits.accounts)} for accounts, ${count(rate_limits.reads)} reads`],
          ...current.map((key): [string, string] => [
            `${key.mode === "live" ? "Live" : "Test"} ${key.kind} key`,
            `${key.prefix}…${key.last_four}${key.name ? ` (${key.name})` : ""}`,
          ]),
        ]}
      />
      <Title order={2} size="h4">
        Audit log
      </Title>
      <AuditRows merchant={merchant_id} />
      <Anchor component={Link} to={`/audit?merchant_id=${encodeURIComponent(merchant_id)}`} size="sm">
        View the full audit log
      </Anchor>
    </>
  );
}

function Standing({ merchant: { merchant_id, name, suspension } }: { merchant: Shown }) {
  return (
    <>
      <ActDialog
        subject="gateway.merchant.resume"
        label="Resume"
        isOffered={suspension !== null}
        effect={
          <>
            <b>{name}</b> can make live accounts, sessions, links and payouts again. Payouts that were held are sent.
          </>
        }
        reason="Reason (audit log only)"
        inputOf={(reason) => ({ merchant_id, reason })}
        resultOf={({ payouts_released }) => `Resumed. Held payouts that are due now: ${count(payouts_released)}.`}
      />
      <ActDialog
        subject="gateway.merchant.suspend"
        label="Suspend"
        isOffered={suspension === null}
        isDangerous
        effect={
          <>
            From now on <b>{name}</b> gets no payouts, live keys, accounts, sessions or links. Money that arrives is
            still credited, and accepted payouts are held. This can take 20 seconds: it waits for the bank.
          </>
        }
        reason="Reason (shown to the merchant)"
        inputOf={(reason) => ({ merchant_id, reason })}
        resultOf={({ payouts_in_flight }) =>
          payouts_in_flight === 0
            ? "Suspended. No payout can be sent anymore."
            : `Suspended. Payouts that the bank has not answered yet: ${count(payouts_in_flight)}. They are followed to their end.`
        }
      />
    </>
  );
}
