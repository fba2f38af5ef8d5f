import { Button, Group, Stack, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Column } from "../components/list-rows.tsx";
import { List } from "./list.tsx";

type Pages<Row> = {
  title: string;
  /** A page of a thousand; `after` is the last row of the one before. */
  usePage(after?: string): UseQueryResult<{ data: Row[]; next: string | null }>;
  columns: Column<Row>[];
  keyOf: (row: Row) => string;
};

/** Rows of which there may be thousands: they are read when they are asked for. */
export function OnDemand<Row>({ heading, button, ...pages }: Pages<Row> & { heading: ReactNode; button: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <Stack component="section" gap="xs" aria-label={pages.title}>
      <Title order={2} size="h4">
        {heading}
      </Title>
      {isShown ? <Page {...pages} /> : <Show label={button} onClick={() => setShown(true)} />}
    </Stack>
  );
}

function Page<Row>({ after, ...pages }: Pages<Row> & { after?: string }) {
  const { title, usePage, columns, keyOf } = pages;
  const read = usePage(after);
  const [isMore, setMore] = useState(false);
  const next = read.data?.next;
  return (
    <>
      <List
        title={after ? `${title} after ${after}` : title}
        read={read}
        rowsOf={({ data }) => data}
        columns={columns}
        keyOf={keyOf}
        none="There are none."
      />
      {next && (isMore ? <Page {...pages} after={next} /> : <Show label="Show more" onClick={() => setMore(true)} />)}
    </>
  );
}

const Show = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Group>
    <Button variant="default" onClick={onClick}>
      {label}
    </Button>
  </Group>
);
