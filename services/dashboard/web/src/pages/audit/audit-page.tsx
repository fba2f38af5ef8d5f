import { Text } from "@mantine/core";
import type { RowOf } from "../../api/calls.ts";
import { useRead } from "../../api/hooks.ts";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { actionWords, detailWords, whoWords } from "./audit-words.ts";

type Entry = RowOf<"audit">;

const columnsWith = (names: ReadonlyMap<string, string>): Column<Entry>[] => [
  { header: "When", cell: ({ at }) => <When at={at} />, narrow: "time" },
  {
    header: "Who",
    cell: ({ who }) => <bdi title={who.email ?? undefined}>{whoWords(who)}</bdi>,
    narrow: "status",
  },
  { header: "What", cell: ({ action }) => actionWords(action), narrow: "name" },
  {
    header: "Details",
    cell: ({ detail }) => <span title={detailWords(detail, names)}>{detailWords(detail, names)}</span>,
  },
  { header: "Mode", cell: ({ mode }) => (mode === "test" ? "Test" : mode === "live" ? "Live" : "–") },
  { header: "Outcome", cell: ({ outcome }) => <Status status={outcome} />, narrow: "amount" },
];

/** What the team, its API keys and the operators did, in both modes, permanently. */
export function AuditPage() {
  const team = useRead("members");
  const names = new Map(team.data?.members.map(({ user_id, name }) => [user_id, name]));
  return (
    <ListPage
      title="Audit log"
      lead="What your team, your API keys and our operators did, in both modes. Entries can't be changed or deleted."
      path="audit"
      columns={columnsWith(names)}
      keyOf={({ id }) => id}
      empty={
        <Text ta="center" py={48}>
          No entries yet. Changes to keys, webhooks, transfers and your team will be listed here with who made them.
        </Text>
      }
    />
  );
}
