import { Alert, Text, Title } from "@mantine/core";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import type { Column } from "../../components/list-rows.tsx";
import { Loading } from "../../components/loading.tsx";
import { Money } from "../../components/money.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { ActDialog } from "../act-dialog.tsx";
import { type Read, useRead } from "../api.ts";
import { List } from "../list.tsx";

const HELD_FOR = {
  merchant_suspended: "The merchant is suspended",
  payouts_stopped: "Payouts are stopped, or their partner is not configured",
};
const naira = (kobo: string | bigint) => Number(kobo) / 100;

type Step = Read<"payouts/unfinished">["transfers"][number];
const STEPS: Column<Step>[] = [
  { header: "Step", cell: ({ step }) => step.replaceAll("_", " "), narrow: "name" },
  { header: "Mode", cell: ({ mode }) => (mode === "live" ? "Live" : "Test"), narrow: "status", width: 70 },
  { header: "Payouts", cell: ({ count }) => count, width: 110 },
  { header: "Sum", cell: ({ sum }) => <Money naira={naira(sum)} />, narrow: "amount", width: 160 },
  { header: "Oldest", cell: ({ oldest_created_at }) => <When at={oldest_created_at} />, narrow: "time", width: 130 },
];

type Unanswered = Read<"payouts/unanswered">["payouts"][number];
const UNANSWERED: Column<Unanswered>[] = [
  { header: "Payout", cell: ({ reference }) => reference, narrow: "name" },
  { header: "Amount", cell: ({ amount }) => <Money naira={naira(amount)} />, narrow: "amount", width: 160 },
  {
    header: "To",
    cell: ({ account_number, bank_code }) => `${account_number} at ${bank_code}`,
    narrow: "status",
    width: 200,
  },
  { header: "Sent by", cell: ({ partner }) => partner ?? "Not known", width: 120 },
  { header: "Sent", cell: ({ sent_at }) => <When at={sent_at} />, narrow: "time", width: 130 },
  {
    header: "Not known since",
    cell: ({ unknown_since }) => (unknown_since ? <When at={unknown_since} /> : null),
    width: 130,
  },
];

/** Live payouts as a whole: the switch, those that are held, those that the bank does not answer, and those on their way. */
export default function PayoutsPage() {
  const { data, error, refetch } = useRead("payouts");
  return (
    <Page title="Payouts" actions={data && <Switch payouts={data} />}>
      {error && <Failure error={error} isOld={data !== undefined} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.stopped && (
        <Alert color="red" title="Live payouts are stopped">
          <When at={data.stopped.since} exact />: {data.stopped.reason}
        </Alert>
      )}
      {data && (
        <Facts
          facts={[
            ["Live payouts", data.stopped ? "Stopped" : "Running"],
            ["Being sent to the bank now", String(data.in_flight)],
            ...data.held.map(({ held_for, count, sum }): [string, React.ReactNode] => [
              `Held: ${HELD_FOR[held_for].toLowerCase()}`,
              <span key={held_for}>
                {count}, <Money naira={naira(sum)} />
              </span>,
            ]),
          ]}
        />
      )}
      <Title order={2} size="h4">
        Without an answer
      </Title>
      <Text size="sm" c="dimmed">
        The bank was called for these, and its time to answer is over. They are not among those that are being sent now.
      </Text>
      <List
        title="Without an answer"
        read={useRead("payouts/unanswered")}
        rowsOf={({ payouts }) => payouts}
        columns={UNANSWERED}
        keyOf={({ reference, sent_at }) => `${reference} ${sent_at}`}
        linkOf={({ reference }) => reference}
        none="The bank has answered every payout, or still has time to."
      />
      <Title order={2} size="h4">
        Waiting or on their way
      </Title>
      <List
        title="Waiting or on their way"
        read={useRead("payouts/unfinished")}
        rowsOf={({ transfers }) => transfers}
        columns={STEPS}
        keyOf={({ mode, step }) => `${mode} ${step}`}
        none="Every payout has its outcome."
      />
    </Page>
  );
}

function Switch({ payouts: { stopped } }: { payouts: Read<"payouts"> }) {
  return (
    <>
      <ActDialog
        subject="payments.payouts.start"
        label="Start payouts"
        isOffered={stopped !== null}
        effect="Live payouts of all merchants are sent again, those that were held first."
        reason="Reason"
        inputOf={(reason) => ({ reason })}
      />
      <ActDialog
        subject="payments.payouts.stop"
        label="Stop payouts"
        isOffered={stopped === null}
        isDangerous
        effect="No live payout of any merchant is sent anymore. New payouts are refused, and accepted ones wait. Money that arrives is still credited."
        reason="Reason"
        inputOf={(reason) => ({ reason })}
        resultOf={({ in_flight }) =>
          in_flight === 0
            ? "Stopped. No payout can be sent anymore."
            : `Stopped. Payouts that are still being sent to the bank: ${in_flight.toLocaleString("en")}.`
        }
      />
    </>
  );
}
