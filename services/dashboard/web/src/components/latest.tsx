import { Group, Skeleton, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useRead } from "../api/hooks.ts";
import { Failure } from "./failure.tsx";
import { Money } from "./money.tsx";
import { Name, RecordLink } from "./record-link.tsx";
import { Section } from "./section.tsx";
import { Status } from "./status.tsx";
import { When } from "./when.tsx";

const SHORT = 5;
type Narrowed = Record<string, string>;

/** The newest matching collections, with a link to all. A payer's list shows the customer, any other list the payer. */
export function LatestCollections({ where, title = "Latest collections" }: { where: Narrowed; title?: string }) {
  const read = useRead("collections", { ...where, limit: SHORT });
  return (
    <ShortList title={title} list="collections" where={where} read={read}>
      {({ reference, amount, paid_at, payer, customer_name, customer_reference }) => (
        <Row key={reference} to={["collections", reference]} amount={amount} at={paid_at}>
          <Name>{where.payer_id ? (customer_name ?? customer_reference) : payer.name}</Name>
        </Row>
      )}
    </ShortList>
  );
}

/** The newest matching sessions, with a link to all. */
export function LatestSessions({ where, title = "Latest sessions" }: { where: Narrowed; title?: string }) {
  const read = useRead("sessions", { ...where, limit: SHORT });
  return (
    <ShortList title={title} list="sessions" where={where} read={read}>
      {({ reference, amount, created_at, status }) => (
        <Row key={reference} to={["sessions", reference]} amount={amount} at={created_at}>
          <Status status={status} />
        </Row>
      )}
    </ShortList>
  );
}

function ShortList<Item>(props: {
  title: string;
  list: "collections" | "sessions";
  where: Narrowed;
  read: { data?: { data: Item[]; next: string | null } | undefined; error: unknown; isPlaceholderData: boolean };
  children: (item: Item) => ReactNode;
}) {
  const { title, list, where, read } = props;
  const page = read.isPlaceholderData ? undefined : read.data;
  return (
    <Section title={title}>
      {read.error !== null && !page && <Failure error={read.error} />}
      {!page && read.error === null && <Skeleton height={48} />}
      {page?.data.length === 0 && <Text size="sm">None yet.</Text>}
      {page && page.data.length > 0 && <Stack gap={6}>{page.data.map(props.children)}</Stack>}
      {page && page.data.length > 0 && (
        <Text size="sm">
          <RecordLink to={[list]} search={where}>
            See all in {list === "sessions" ? "Sessions" : "Collections"}
          </RecordLink>
        </Text>
      )}
    </Section>
  );
}

function Row({ to, amount, at, children }: { to: string[]; amount: number; at: string; children: ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm" span miw={126}>
        <RecordLink to={to}>
          <Money naira={amount} />
        </RecordLink>
      </Text>
      <Text size="sm" span truncate dir="auto" ta="left" miw={0} flex={1}>
        {children}
      </Text>
      <Text size="sm" span c="dimmed" style={{ whiteSpace: "nowrap" }}>
        <When at={at} />
      </Text>
    </Group>
  );
}
