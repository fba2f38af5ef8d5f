import { useAct, useRead, useReadOn } from "../../src/api/hooks.ts";
import { ListPage } from "../../src/components/list-page.tsx";
import { RecordPanel } from "../../src/components/record-panel.tsx";

/** Compiled by src/api/calls.test.ts: the compiler rejects each marked line, and no other. */

export function Right() {
  const balance = useRead("balance");
  const timeline = useRead("collections/:reference/timeline", { reference: "col_1" });
  const retire = useAct("customers/:customer_reference/retire", { changes: ["customers"] });
  retire.mutate({ customer_reference: "cust_42" });
  return (
    <>
      {balance.data?.collected} {timeline.data?.ledger?.posted_at}
      <ListPage title="" path="events" columns={[]} keyOf={({ sequence }) => String(sequence)} empty={null} />
    </>
  );
}

export function Wrong() {
  const balance = useRead("balance");
  const timeline = useRead("collections/:reference/timeline"); // refused: the reference is missing
  useRead("collections/:reference", { slug: "col_1" }); // refused: the parameter has another name
  useRead("collection", {}); // refused: there is no such call
  useRead("sessions", { status: "lost" }); // refused: no such status
  useReadOn("balance", {}); // refused: not a list
  const retire = useAct("customers/:customer_reference/retire");
  retire.mutate({}); // refused: the customer reference is missing
  const create = useAct("links");
  create.mutate({ title: "Shoes", key: "k", amount: "2500" }); // refused: an amount is a number
  useAct("balance"); // refused: a read, not an act
  useAct("customers", { changes: ["customer"] }); // refused: no read has this noun
  return (
    <>
      {balance.data?.collected_total /* refused: the contract has no such field */}
      {timeline.data?.events?.[0]?.sequnce /* refused: nor has a composed response this one */}
      <ListPage
        title=""
        path="events"
        columns={[]}
        keyOf={({ reference_id }) => reference_id /* refused: nor has a row of a list this one */}
        empty={null}
      />
      <RecordPanel
        title=""
        list="links"
        path="links/:slug"
        fields={{ reference: "x" /* refused: the parameter is the slug */ }}
      >
        {({ status }) => status}
      </RecordPanel>
    </>
  );
}
