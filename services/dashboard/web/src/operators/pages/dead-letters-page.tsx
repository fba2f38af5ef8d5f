import { Group } from "@mantine/core";
import type { Column } from "../../components/list-rows.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { ActDialog } from "../act-dialog.tsx";
import { type Read, useRead } from "../api.ts";
import { List } from "../list.tsx";
import { Silent } from "../silent.tsx";

type Letter = Read<"dead-letters">["dead_letters"][number];

const COLUMNS: Column<Letter>[] = [
  {
    header: "Message",
    cell: ({ natural_key }) => (
      <span className="mono" title={natural_key}>
        {natural_key}
      </span>
    ),
    narrow: "name",
  },
  { header: "Consumer", cell: ({ consumer }) => <span title={consumer}>{consumer}</span> },
  { header: "Error", cell: ({ error }) => <span title={error}>{error}</span>, narrow: "status" },
  { header: "Last", cell: ({ last_at, times }) => <Last {...{ last_at, times }} />, narrow: "time", width: 150 },
  { header: "Action", cell: (letter) => <Acts letter={letter} />, narrow: "amount", width: 190 },
];

function Last({ last_at, times }: Pick<Letter, "last_at" | "times">) {
  return (
    <>
      <When at={last_at} />, {times}×
    </>
  );
}

/** Messages that failed on their data, of every service. */
export default function DeadLettersPage() {
  const read = useRead("dead-letters");
  const silent = read.data?.silent ?? [];
  return (
    <Page title="Dead letters" lead="Messages that failed on their own data, newest first in each service.">
      <Silent services={silent} />
      <List
        title="Dead letters"
        read={read}
        rowsOf={({ dead_letters }) => dead_letters}
        columns={COLUMNS}
        keyOf={({ service, consumer, natural_key }) => `${service} ${consumer} ${natural_key}`}
        none={silent.length === 0 ? "No dead letters." : undefined}
      />
    </Page>
  );
}

/** Only what is no fact of ours can be discarded: the service refuses anything else. */
function Acts({ letter: { service, natural_key } }: { letter: Letter }) {
  const isNoFact = /^(forged|unreadable):/.test(natural_key);
  return (
    <Group gap="xs" wrap="nowrap">
      {!isNoFact && (
        <ActDialog
          subject={`${service}.dead_letters.retry`}
          label="Retry"
          effect={`${service} handles this message again. Work already done isn't repeated.`}
          inputOf={() => ({ natural_key })}
        />
      )}
      {isNoFact && (
        <ActDialog
          subject={`${service}.dead_letters.discard`}
          label="Discard"
          isDangerous
          effect="None of our services sent this message. It is deleted for good."
          inputOf={() => ({ natural_key })}
        />
      )}
    </Group>
  );
}
