import { Alert, Anchor, Skeleton, Stack, Text } from "@mantine/core";
import { Link, useLocation, useParams } from "react-router";
import { useRead } from "../../../api/hooks.ts";
import { useScope } from "../../../api/scope.ts";
import { Facts } from "../../../components/facts.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Money } from "../../../components/money.tsx";
import { Page } from "../../../components/page.tsx";
import { Name } from "../../../components/record-link.tsx";
import { When } from "../../../components/when.tsx";
import { BatchDecision } from "./batch-decision.tsx";
import { BatchLines } from "./batch-lines.tsx";
import { type Batch, isMoving, progressWords, transfers } from "./batch-words.ts";

/** While a person waits for it. */
const MOVING_MS = 1_000;

/** One file: how far it is, what to decide, and its lines. */
export function BatchPage() {
  const { reference = "" } = useParams();
  const { home } = useScope();
  const isRepeated = useLocation().state?.isRepeated === true;
  const read = useRead(
    "transfer-batches/:reference",
    { reference },
    { refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? MOVING_MS : false) },
  );
  const batch = read.data;
  const title = batch ? batch.name : "Bulk transfers";
  return (
    <Page title={title} lead={batch && `${transfers(batch.lines)}, uploaded as one file`}>
      <Text size="sm">
        <Anchor component={Link} to={`${home}/transfers/bulk`}>
          All files
        </Anchor>
      </Text>
      {read.error && <Failure error={read.error} isOld={batch !== undefined} onRetry={() => void read.refetch()} />}
      {read.isPending && <Skeleton height={240} />}
      {batch && (
        <Stack gap="md">
          {isRepeated && (
            <Alert color="blue" role="status" title="These lines were uploaded before">
              This is the earlier upload and its progress. Nothing is paid twice. To pay the same people the same
              amounts again, as in next month's payroll, give each line a new reference.
            </Alert>
          )}
          <Progress batch={batch} />
          <BatchDecision batch={batch} />
          <div style={{ maxWidth: 560 }}>
            <BatchFacts batch={batch} />
          </div>
          <BatchLines batch={batch} />
        </Stack>
      )}
    </Page>
  );
}

function Progress({ batch }: { batch: Batch }) {
  const done = batch.state === "checking" ? batch.checked : batch.ordered + batch.refused;
  return (
    <div>
      <Text fw={600} role="status">
        {progressWords(batch)}
      </Text>
      {isMoving(batch) && (
        <>
          <progress value={done} max={batch.lines} aria-label="Lines done" style={{ width: "100%", maxWidth: 480 }} />
          <Text size="sm" c="dimmed">
            You can leave this page: {batch.state === "checking" ? "checking" : "sending"} continues.
          </Text>
        </>
      )}
      {batch.state === "sent" && batch.ordered > 0 && (
        <Text size="sm">
          Each transfer now completes on its own. If one fails, its money returns to your settled balance.
        </Text>
      )}
    </div>
  );
}

function BatchFacts({ batch }: { batch: Batch }) {
  const person = (actor: Batch["created_by"]) => (actor?.kind === "member" ? <Name>{actor.email}</Name> : null);
  return (
    <Facts
      facts={[
        ["Total", <Money key="total" naira={batch.total} />],
        ["Created", batch.ordered > 0 ? <Money key="created" naira={batch.ordered_total} /> : null],
        ["Uploaded", <When key="uploaded" at={batch.created_at} />],
        ["Uploaded by", person(batch.created_by)],
        ["Confirmed by", person(batch.confirmed_by)],
        ["Approved by", person(batch.approved_by)],
      ]}
    />
  );
}
