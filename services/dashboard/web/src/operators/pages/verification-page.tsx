import { Alert, Anchor, Checkbox } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { Loading } from "../../components/loading.tsx";
import { RecordFrame } from "../../components/record-frame.tsx";
import { RecordHead } from "../../components/record-head.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { ActDialog } from "../act-dialog.tsx";
import { type Read, useRead } from "../api.ts";

/** One submission, with the names that it imitates. It is decided on exactly as it is shown. */
export default function VerificationPage() {
  const { id = "" } = useParams();
  const verification = useRead("verifications/:merchant_id", { merchant_id: id });
  const imitations = useRead("imitations", { merchant_ids: id });
  const error = verification.error ?? imitations.error;
  const isRead = verification.data && imitations.data;
  const retry = () => void Promise.all([verification.refetch(), imitations.refetch()]);
  return (
    <RecordFrame title="Verification" list="/verifications">
      {error && <Failure error={error} isOld={Boolean(isRead)} onRetry={retry} />}
      {!isRead && !error && <Loading />}
      {verification.data && imitations.data && (
        <Submission
          verification={verification.data}
          imitates={imitations.data.imitations.find(({ merchant_id }) => merchant_id === id)?.names ?? []}
        />
      )}
    </RecordFrame>
  );
}

type Shown = Read<"verifications/:merchant_id">;

function Submission({ verification, imitates }: { verification: Shown; imitates: string[] }) {
  const { merchant_id, merchant_name, state, details, submitted_at, reason } = verification;
  return (
    <>
      <RecordHead
        title={<bdi>{merchant_name}</bdi>}
        status={<Status status={state} />}
        at={submitted_at && <When at={submitted_at} exact />}
        actions={<Decision {...{ verification, imitates }} />}
      >
        <Anchor component={Link} to={`/merchants/${encodeURIComponent(merchant_id)}`}>
          View merchant
        </Anchor>
      </RecordHead>
      {imitates.length > 0 && (
        <Alert color="orange" title="The name resembles others">
          {imitates.join(", ")}
        </Alert>
      )}
      <Facts
        facts={[
          ["Registered name", details.registered_name],
          ["Registration number", details.rc_number],
          ["Address", details.address],
          ["Contact", details.contact_name],
          ["Email", details.contact_email],
          ["Phone", details.contact_phone],
          [
            "Settlement account",
            `${details.settlement_account_number ?? "–"}, ${verification.settlement_bank_name ?? "–"}`,
          ],
          ["Account holder, from the bank", verification.settlement_account_name ?? "–"],
          ["Returned because", reason],
        ]}
      />
    </>
  );
}

function Decision({ verification, imitates }: { verification: Shown; imitates: string[] }) {
  const { merchant_id, merchant_name, state, submitted_at } = verification;
  const [isMeant, setMeant] = useState(false);
  const decided = { merchant_id, submitted_at };
  const isOffered = state === "submitted";
  return (
    <>
      <ActDialog
        subject="gateway.verification.decide"
        label="Approve"
        isOffered={isOffered}
        effect={
          <>
            <b>{merchant_name}</b> is verified: it can make its live keys and receive real money.
          </>
        }
        inputOf={() => ({ ...decided, decision: "approved" as const, despite_name: isMeant })}
      >
        {imitates.length > 0 && (
          <Checkbox
            checked={isMeant}
            onChange={({ currentTarget }) => setMeant(currentTarget.checked)}
            label={`Approve although the name resembles ${imitates.join(", ")}`}
          />
        )}
      </ActDialog>
      <ActDialog
        subject="gateway.verification.decide"
        label="Return"
        isOffered={isOffered}
        effect={
          <>
            <b>{merchant_name}</b> can correct what it submitted, and submit it again.
          </>
        }
        reason="Reason (shown to the merchant)"
        inputOf={(reason) => ({ ...decided, decision: "returned" as const, reason })}
      />
    </>
  );
}
