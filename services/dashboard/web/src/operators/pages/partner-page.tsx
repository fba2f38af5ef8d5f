import { Alert, Badge, Group, Stack, Text, Title } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { Loading } from "../../components/loading.tsx";
import { Money } from "../../components/money.tsx";
import { Page } from "../../components/page.tsx";
import { exactTime, When } from "../../components/when.tsx";
import { type Read, useRead } from "../api.ts";

type Incoming = Read<"partner/incoming">;
type Outgoing = Read<"partner/payouts">;
type State = Incoming["transfers"]["state"];

const STATES: Record<State, { word: string; color: string }> = {
  ok: { word: "OK", color: "green" },
  quiet: { word: "Quiet", color: "gray" },
  failing: { word: "Failing", color: "red" },
};

/** How each partner bank does in live mode, as `ops -- partner health` prints it. */
export default function PartnerPage() {
  const [incoming, outgoing] = [useRead("partner/incoming"), useRead("partner/payouts")];
  return (
    <Page
      title="Partner bank"
      lead="Each partner bank in live mode, from what is recorded. No bank is called for this page."
    >
      <Reading read={incoming}>
        {({ others = [], ...data }) =>
          [data, ...others].map((partner) => (
            <Fragment key={partner.bank.code}>
              <IncomingTransfers {...partner} />
              <CustomerAccounts {...partner} />
            </Fragment>
          ))
        }
      </Reading>
      <Reading read={outgoing}>
        {({ others = [], ...data }) => (
          <>
            {[data, ...others].map((partner) => (
              <Payouts key={partner.bank.code} {...partner} />
            ))}
            <NameEnquiries {...data} />
          </>
        )}
      </Reading>
    </Page>
  );
}

/** Each service answers for itself: what one knows is shown although the other is away. */
function Reading<Data>(props: {
  read: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = props.read;
  return (
    <>
      {error && <Failure error={error} isOld={data !== undefined} onRetry={() => void refetch()} />}
      {data === undefined ? !error && <Loading /> : props.children(data)}
    </>
  );
}

/** A heading with its state, the rule of that state, and what to do unless it is fine. */
function Area(props: { title: string; state: State; rule: string; advice: string; children: ReactNode }) {
  const { title, state, rule, advice, children } = props;
  const { word, color } = STATES[state];
  return (
    <Stack component="section" gap="xs" aria-label={title}>
      <Group gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Badge color={color} miw="max-content">
          {word}
        </Badge>
      </Group>
      {children}
      {state === "failing" && <Alert color="red">{advice}</Alert>}
      <Text size="sm" c="dimmed">
        {rule}
      </Text>
    </Stack>
  );
}

function IncomingTransfers({ bank, transfers: { state, last, unfinished } }: Omit<Incoming, "others">) {
  return (
    <Area
      title={`Incoming transfers, ${bank.name}`}
      state={state}
      rule="Quiet: none in the last hour. Failing: the last one came more than ten minutes after it was paid."
      advice="The bank reports late. Ask it why, and what is still to come. It repeats each report until we answer, and what comes late is credited all the same."
    >
      <Text>
        {last ? (
          <>
            Last transfer received <When at={last.received_at} />, {lagOf(last)} after it was paid.
          </>
        ) : (
          "No transfer was received lately."
        )}
      </Text>
      <Facts
        facts={[
          ["Received here", last && <When at={last.received_at} exact />],
          ["Paid, by the bank's clock", last && <When at={last.paid_at} exact />],
          [
            "Not completed by our services yet",
            <Waiting key="unfinished" {...unfinished} since={unfinished.oldest_received_at} />,
          ],
        ]}
      />
    </Area>
  );
}

function CustomerAccounts({ bank, accounts: { state, issued, pending, last_issued_at } }: Omit<Incoming, "others">) {
  return (
    <Area
      title={`Customer accounts, ${bank.name}`}
      state={state}
      rule="Quiet: none ordered in the last day. Failing: one has had no number for more than ten minutes."
      advice="The bank doesn't issue accounts. Ask it why. Customers who have an account aren't affected, and a call that is repeated gets the same account."
    >
      <Text>
        {plural(issued, "account was", "accounts were")} issued in the last day
        {last_issued_at && (
          <>
            , the last one ordered <When at={last_issued_at} />
          </>
        )}
        .
      </Text>
      <Facts
        facts={[["Still without a number", <Waiting key="pending" {...pending} since={pending.oldest_created_at} />]]}
      />
    </Area>
  );
}

function Payouts({
  bank,
  payouts: { state, unanswered, last_success_at, ...results },
}: Pick<Outgoing, "bank" | "payouts">) {
  const { count, sum, oldest_sent_at } = unanswered;
  return (
    <Area
      title={`Payouts, ${bank.name}`}
      state={state}
      rule="Quiet: no answer in the last hour, and none awaited. Failing: one has been awaited for more than ten minutes, or more than half of five or more answers in the last hour are failures."
      advice="Ask the bank, and stop payouts if failures go on. Don't pay one by hand: each is looked up until the bank says how it ended."
    >
      <Text>
        {count === 0 ? (
          "No payout waits for an answer."
        ) : (
          <>
            {plural(count, "payout has", "payouts have")} waited for an answer since <When at={oldest_sent_at} exact />,{" "}
            <Money naira={Number(sum) / 100} /> in all.
          </>
        )}{" "}
        {last_success_at ? (
          <>
            The last success was <When at={last_success_at} />.
          </>
        ) : (
          "None succeeded in the last day."
        )}
      </Text>
      <Results {...results} textOf={payoutResults} />
    </Area>
  );
}

function NameEnquiries({ bank, name_enquiries: { state, last_named_at, ...results } }: Outgoing) {
  return (
    <Area
      title={`Name enquiries, ${bank.name}`}
      state={state}
      rule="Quiet: none in the last hour. Failing: more than half of five or more in the last hour got no answer."
      advice="The bank doesn't name account holders, so new payouts are refused. Ask the bank. Payouts that were accepted go on."
    >
      <Text>
        {last_named_at ? (
          <>
            The bank last named an account's holder <When at={last_named_at} />.
          </>
        ) : (
          "The bank named no account's holder in the last day."
        )}
      </Text>
      <Results {...results} textOf={enquiryResults} />
    </Area>
  );
}

type Span<Result> = { hour: Result; day: Result; since: string; textOf: (result: Result) => string };

function Results<Result>({ hour, day, since, textOf }: Span<Result>) {
  return (
    <Facts
      facts={[
        ["Last hour", textOf(hour)],
        [`Since ${exactTime(since)}`, textOf(day)],
      ]}
    />
  );
}

const payoutResults = ({ success, reversed, failed, unanswered }: Outgoing["payouts"]["hour"]) =>
  [
    `${success} succeeded`,
    ...failed.map(({ code, count }) => `${count} failed (${code.replaceAll("_", " ")})`),
    ...(reversed > 0 ? [`${reversed} reversed`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
  ].join(", ");

const enquiryResults = ({ named, unresolved, failed }: Outgoing["name_enquiries"]["hour"]) =>
  `${named} named, ${plural(unresolved, "unknown account", "unknown accounts")}, ${failed} without an answer`;

function Waiting({ count, since }: { count: number; since: string | null }) {
  if (!since) return "None";
  return (
    <>
      {count}, the oldest since <When at={since} exact />
    </>
  );
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** The clocks are two: what the bank dates later than we received it came at once. */
function lagOf({ paid_at, received_at }: { paid_at: string; received_at: string }): string {
  const seconds = Math.max(0, Math.round((Date.parse(received_at) - Date.parse(paid_at)) / 1_000));
  return seconds < 120 ? plural(seconds, "second", "seconds") : `${Math.round(seconds / 60)} minutes`;
}
