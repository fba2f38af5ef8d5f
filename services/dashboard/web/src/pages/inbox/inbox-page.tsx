import { SegmentedControl, Skeleton, Stack } from "@mantine/core";
import { useSearchParams } from "react-router";
import { useRead } from "../../api/hooks.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { Failure } from "../../components/failure.tsx";
import { Page } from "../../components/page.tsx";
import { InboxSection } from "./inbox-section.tsx";
import { KINDS, type Kind } from "./inbox-words.ts";

const STATES = [
  { value: "open", label: "Open" },
  { value: "done", label: "Done" },
];
const FINISHED = (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind].done !== null);

/** What waits for someone of the team: each with its act, who takes care of it, and whether it is done. */
export default function InboxPage() {
  const [params, setParams] = useSearchParams();
  const state = params.get("state") === "done" ? "done" : "open";
  return (
    <Page
      title="Inbox"
      lead="Money and events that need a decision from your team. Nothing is lost: money that arrived is in your balance."
      actions={
        <SegmentedControl
          aria-label="Show"
          value={state}
          data={STATES}
          onChange={(chosen) => setParams(chosen === "done" ? { state: "done" } : {})}
        />
      }
    >
      {state === "open" ? <Open /> : <Done />}
    </Page>
  );
}

function Open() {
  const { data, error, refetch } = useRead("inbox");
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} />;
  const shown = data.kinds.filter(({ count, has_more }) => count !== 0 || has_more);
  if (shown.length === 0)
    return (
      <EmptyState title="Nothing needs your attention">
        Unmatched, underpaid and overpaid payments, payments that the bank took back, transfers that fail or wait for
        approval, and a failing webhook appear here.
      </EmptyState>
    );
  return (
    <Stack gap="md">
      {shown.map(({ kind }) => (
        <InboxSection key={kind} kind={kind} state="open" />
      ))}
    </Stack>
  );
}

function Done() {
  return (
    <Stack gap="md">
      {FINISHED.map((kind) => (
        <InboxSection key={kind} kind={kind} state="done" />
      ))}
    </Stack>
  );
}
