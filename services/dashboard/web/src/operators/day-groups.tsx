import { DIFFERENCES } from "@collect/dashboard/differences";
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import type { Column } from "../components/list-rows.tsx";
import { type Read, useRead } from "./api.ts";
import { What } from "./day-items.tsx";
import type { Item } from "./day-lines.ts";
import { Kobo } from "./kobo.tsx";
import { OnDemand } from "./on-demand.tsx";

type Line = Read<"days/:day/group">["data"][number];

/** Of each group of the difference, the lines in it. */
export function DayGroups({ day, items }: { day: string; items: Item[] }) {
  return items.flatMap((item) => (item.count === undefined ? [] : [<Lines key={item.key} {...{ day, item }} />]));
}

function Lines({ day, item }: { day: string; item: Item }) {
  const title = `${DIFFERENCES[item.class]}, ${item.count} lines of ${item.account}`;
  return (
    <OnDemand
      title={title}
      heading={
        <>
          {title}, <Kobo kobo={item.amount} />
        </>
      }
      button={`Show all ${item.count} lines`}
      usePage={(after) => useRead("days/:day/group", { day, group: item.key, ...(after && { after }) })}
      columns={columnsOf({ day, item })}
      keyOf={({ key }) => key}
    />
  );
}

const columnsOf = ({ day, item: { account } }: { day: string; item: Item }): Column<Line>[] => [
  { header: "What it is", cell: (line) => <What {...{ day, item: { ...line, account } }} />, narrow: "name" },
  { header: "Line", cell: ({ key }) => <LineLink of={key} />, narrow: "time", width: 220 },
  { header: "Amount", cell: ({ amount }) => <Kobo kobo={amount} />, align: "right", narrow: "amount", width: 150 },
];

function LineLink({ of }: { of: string }) {
  if (!of.startsWith("line:")) return of;
  return (
    <Anchor component={Link} to={`/lines/${of.replace("line:", "")}`} inherit>
      {of}
    </Anchor>
  );
}
