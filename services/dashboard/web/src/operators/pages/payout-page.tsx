import { Alert, Anchor, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { Failure } from "../../components/failure.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { ActDialog } from "../act-dialog.tsx";
import { type Read, useExactRead } from "../api.ts";
import { Kobo } from "../kobo.tsx";
import { PayoutFacts } from "../payout-facts.tsx";

type Unanswered = Read<"payouts/unanswered">["payouts"][number];

/** A payout of which the bank has not said how it ended, and the two things that an operator can do once its staff have. */
export default function PayoutPage() {
  const { reference = "" } = useParams();
  const { data, error, refetch } = useExactRead("payouts/unanswered", { reference });
  const [listed] = data?.payouts ?? [];
  return (
    <Page title="Payout without an answer" lead={<span className="mono wrap-anywhere">{reference}</span>}>
      {error && <Failure error={error} isOld={data !== undefined} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && !listed && (
        <Text role="status">
          The bank has said how this payout ended, or it was sent a short time ago. Nothing is to be decided about it.
        </Text>
      )}
      {data && <AsListed key={reference} listed={listed} />}
      <Anchor component={Link} to="/payouts" size="sm">
        All payouts
      </Anchor>
    </Page>
  );
}

/** What is decided is about the order that was shown first, and no later one. */
function AsListed({ listed }: { listed: Unanswered | undefined }) {
  const [payout, setPayout] = useState(listed);
  if (!payout) {
    if (listed) setPayout(listed);
    return null;
  }
  const isOffered = listed?.sent_at === payout.sent_at;
  return (
    <>
      {listed && !isOffered && (
        <Alert color="yellow" title="It was ordered again">
          <When at={listed.sent_at} exact />. Reload this page to decide about that order.
        </Alert>
      )}
      <PayoutFacts {...payout} />
      <Text size="sm" c="dimmed" maw="48rem">
        Ask the bank's staff about this ID, and look at the statement of the account that is debited. Don't pay it by
        hand. An answer of the bank counts and not yours, as long as it comes first.
      </Text>
      <Group gap="xs">
        <End {...{ payout, isOffered }} />
        <Repeat {...{ payout, isOffered: isOffered && payout.approval !== "lost" }} />
      </Group>
    </>
  );
}

type ActProps = { payout: Unanswered; isOffered: boolean };

const orderOf = ({ merchant_id, reference, sent_at }: Unanswered) => ({ merchant_id, reference, sent_at });

function End({ payout, isOffered }: ActProps) {
  const [end, setEnd] = useState("");
  const [bankReference, setBankReference] = useState("");
  return (
    <ActDialog
      subject="payments.payouts.end"
      label="Say how it ended"
      isOffered={isOffered}
      isDangerous
      effect={
        <>
          <Kobo kobo={payout.amount} /> to {payout.account_number} at {payout.bank_code}. If the bank paid it, the
          payout has succeeded. If it did not and will not, the merchant gets the money back and can order again.
        </>
      }
      reason="How you know"
      inputOf={(reason) => ({
        ...orderOf(payout),
        // What was not chosen is refused, and is no failure.
        bank_reference: end === "failed" ? null : bankReference.trim(),
        reason,
      })}
      resultOf={({ status }) => `Recorded. The payout ends as ${status}.`}
    >
      <NativeSelect
        label="What the bank says"
        value={end}
        onChange={({ currentTarget }) => setEnd(currentTarget.value)}
        data={[
          { value: "", label: "Choose", disabled: true },
          { value: "paid", label: "It paid it" },
          { value: "failed", label: "It did not execute it, and will not" },
        ]}
        required
        withAsterisk={false}
      />
      {end === "paid" && (
        <TextInput
          label="The bank's reference of it"
          value={bankReference}
          onChange={({ currentTarget }) => setBankReference(currentTarget.value)}
          maxLength={100}
          required
          withAsterisk={false}
        />
      )}
    </ActDialog>
  );
}

function Repeat({ payout, isOffered }: ActProps) {
  return (
    <ActDialog
      subject="payments.payouts.repeat"
      label="Order it again"
      isOffered={isOffered}
      isDangerous
      effect={
        <>
          <Kobo kobo={payout.amount} /> to {payout.account_number} at {payout.bank_code} is ordered again under the same
          ID. Only for a bank that may never have received it: it is refused unless the bank refuses an ID a second
          time.
        </>
      }
      reason="Reason"
      inputOf={(reason) => ({ ...orderOf(payout), reason })}
      resultOf={({ status }) => `Ordered again. The payout is ${status}.`}
    />
  );
}
