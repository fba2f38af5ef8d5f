import { Card, SimpleGrid, Skeleton, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useRead } from "../../api/hooks.ts";
import { messageOf } from "../../api/problem.ts";
import { dueTime } from "../../components/lagos-time.ts";
import { Money } from "../../components/money.tsx";
import { When } from "../../components/when.tsx";

/** The collected and settled balances, and the next settlement. */
export function Figures() {
  const balance = useRead("balance");
  const schedule = useRead("schedule");
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <Figure title="Collected" error={balance.error} note={<CollectedNote owed={balance.data?.owed} />}>
        {balance.data && <Money naira={balance.data.collected} />}
      </Figure>
      <Figure title="Settled" error={balance.error} note="Available to transfer to any bank account.">
        {balance.data && <Money naira={balance.data.settled} />}
      </Figure>
      <Figure
        title="Next settlement"
        error={schedule.error}
        note={schedule.data && `${dueTime(schedule.data.next_at)}. ${settlementDelay(schedule.data.delay_days)}`}
      >
        {schedule.data && <When at={schedule.data.next_at} />}
      </Figure>
    </SimpleGrid>
  );
}

function CollectedNote({ owed }: { owed: number | undefined }) {
  if (!owed) return "Payments received, minus our fee. Not settled yet.";
  return (
    <>
      You owe <Money naira={owed} /> that banks took back. It is deducted from your next payments.
    </>
  );
}

function Figure(props: { title: string; note: ReactNode; error: unknown; children: ReactNode }) {
  const { title, note, error, children } = props;
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={2} size="sm" fw={500} c="dimmed">
        {title}
      </Title>
      {error && !children ? (
        <Text c="var(--mantine-color-error)" my={6}>
          {messageOf(error)}
        </Text>
      ) : (
        <Text fz={{ base: 26, md: 22, lg: 26 }} fw={600} lh={1.4} className="wrap-anywhere" component="div">
          {children ?? <Skeleton height={26} w={160} my={6} />}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    </Card>
  );
}

const settlementDelay = (days: number) =>
  days === 1 ? "Settles payments from the day before." : `Settles payments from ${days} days before.`;
