import { useAct } from "../../api/hooks.ts";
import { BulkAct, oneByOne } from "../../components/bulk-act.tsx";

type Numbered = { sequence: number };

/** Sends events again, one after the other, to the current URL. */
export function ResendEvents({ events }: { events: Numbered[] }) {
  const replay = useAct("events/:sequence/replay", { changes: ["deliveries", "events", "webhook"] });
  // Two deliveries can be of one event.
  const rows = [...new Map(events.map((event) => [event.sequence, event])).values()];
  const keyOf = ({ sequence }: Numbered) => String(sequence);
  return (
    <BulkAct
      rows={rows}
      keyOf={keyOf}
      verb="Resend"
      done="sent again"
      noun={["event", "events"]}
      run={oneByOne({ keyOf, act: ({ sequence }) => replay.mutateAsync({ sequence }) })}
    >
      Each is sent to your current URL with the same body and number, delivered or not. A receiver that has it already
      can ignore it.
    </BulkAct>
  );
}
