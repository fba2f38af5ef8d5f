import { Button, Card, Divider, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { Fragment, useId } from "react";
import { useRead, useReadOn } from "../../api/hooks.ts";
import { Failure } from "../../components/failure.tsx";
import { useHeading } from "../../components/use-heading.ts";
import { DoneItem } from "./done-item.tsx";
import { KINDS, type Kind } from "./inbox-words.ts";
import { OpenItem } from "./open-item.tsx";

/** The items of one kind, older ones on request. */
export function InboxSection({ kind, state }: { kind: Kind; state: "open" | "done" }) {
  const id = useId();
  const [heading, focusHeading] = useHeading();
  const pages = useReadOn("inbox/:kind", { kind, state });
  const members = useRead("members").data?.members ?? [];
  const items = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Card withBorder component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4" id={id} ref={heading} tabIndex={-1}>
            {KINDS[kind].title}
          </Title>
          {state === "open" && (
            <Text size="sm" c="dimmed">
              {KINDS[kind].meaning}
            </Text>
          )}
        </div>
        {pages.error && <Failure error={pages.error} isOld={items.length > 0} onRetry={() => void pages.refetch()} />}
        {pages.isPending && <Skeleton height={48} />}
        {items.map((item) => (
          <Fragment key={item.reference}>
            <Divider />
            {state === "open" ? (
              <OpenItem item={item} members={members} onDone={focusHeading} />
            ) : (
              <DoneItem item={item} onDone={focusHeading} />
            )}
          </Fragment>
        ))}
        {pages.data && items.length === 0 && (
          <Text size="sm" c="dimmed">
            {pages.hasNextPage ? "The newest are all done." : state === "done" ? "None are done yet." : "None left."}
          </Text>
        )}
        {pages.hasNextPage && (
          <Group>
            <Button
              variant="default"
              size="xs"
              loading={pages.isFetchingNextPage}
              onClick={() => void pages.fetchNextPage()}
            >
              Show older
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}
