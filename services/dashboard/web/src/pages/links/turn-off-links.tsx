import { useAct } from "../../api/hooks.ts";
import { BulkAct, oneByOne } from "../../components/bulk-act.tsx";
import type { PaymentLink } from "./link-uses.ts";

/** Turns links off, each until it is turned on again. */
export function TurnOffLinks({ links }: { links: PaymentLink[] }) {
  const change = useAct("links/:slug/disabled", { changes: ["links"] });
  const keyOf = ({ slug }: PaymentLink) => slug;
  return (
    <BulkAct
      rows={links}
      keyOf={keyOf}
      verb="Turn off"
      done="turned off"
      noun={["link", "links"]}
      run={oneByOne({
        keyOf,
        isDone: ({ status }) => status === "disabled",
        act: ({ slug }) => change.mutateAsync({ slug, disabled: true }),
      })}
    >
      No new payments can be started from a link that is turned off. Open sessions stay open and their payments are
      still credited to you. You can turn a link back on.
    </BulkAct>
  );
}
