import { Badge, Button } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { messageOf } from "../../api/problem.ts";
import type { Column } from "../../components/list-rows.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { type Read, useRead } from "../api.ts";
import { dayWords } from "../day-words.ts";
import { List } from "../list.tsx";

type Row = Read<"days">["data"][number];

const COLUMNS: Column<Row>[] = [
  { header: "Day", cell: ({ day }) => dayWords(day), narrow: "name", width: 140 },
  { header: "State", cell: ({ state }) => <DayBadge state={state} />, narrow: "amount", width: 110 },
  { header: "What it waits for", cell: (row) => <Obstacle row={row} />, narrow: "status" },
  { header: "Closed", cell: ({ closed_at }) => closed_at && <When at={closed_at} />, narrow: "time", width: 140 },
];

/** The days that are over, newest first, and what stands in the way of closing each. */
export default function DaysPage() {
  const [params] = useSearchParams();
  const after = params.get("after");
  const read = useRead("days", { ...(after && { after }) });
  const next = read.data?.data.find(({ is_next }) => is_next);
  return (
    <Page
      title="Days"
      lead="Live money at our banks, day by day. A day is closed when our books agree with the bank's statement, or every difference has a reason."
      actions={
        next && (
          <Button component={Link} to={`/days/${next.day}`}>
            Check {dayWords(next.day)}
          </Button>
        )
      }
    >
      <List
        title="Days"
        read={read}
        rowsOf={({ data }) => data}
        nextOf={({ next: older }) => older}
        columns={COLUMNS}
        keyOf={({ day }) => day}
        linkOf={({ day }) => day}
        none="No day yet: upload the bank's first statement, under Statements."
      />
    </Page>
  );
}

function DayBadge({ state }: Pick<Row, "state">) {
  return (
    <Badge color={state === "closed" ? "green" : "blue"} miw="max-content">
      {state === "closed" ? "Closed" : "Open"}
    </Badge>
  );
}

function Obstacle({ row: { day, closed_by, missing, is_next } }: { row: Row }) {
  if (closed_by !== null) return <>Nothing: closed by {closed_by}</>;
  if (missing.length > 0) return <>The statement of {missing.join(", ")}</>;
  return is_next ? <Next day={day} /> : <>The days before it</>;
}

/** The only day that can be closed: what it waits for is in its difference. */
function Next({ day }: { day: string }) {
  const { data, error } = useRead("days/:day", { day });
  if (data) return <span title={data.blocked_by ?? ""}>{data.blocked_by ?? "Nothing: it can be closed"}</span>;
  return <>{error ? messageOf(error) : "Comparing…"}</>;
}
