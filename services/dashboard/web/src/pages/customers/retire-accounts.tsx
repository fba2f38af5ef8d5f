import { useAct } from "../../api/hooks.ts";
import { BulkAct, oneByOne } from "../../components/bulk-act.tsx";

type Account = { customer_reference: string; status: "active" | "retired" };

/** Retires accounts permanently, once what is retired has been typed. Retiring one twice changes nothing. */
export function RetireAccounts({ accounts }: { accounts: Account[] }) {
  const retire = useAct("customers/:customer_reference/retire", { changes: ["customers"] });
  const keyOf = ({ customer_reference }: Account) => customer_reference;
  return (
    <BulkAct
      rows={accounts}
      keyOf={keyOf}
      verb="Retire"
      done="retired"
      noun={["account", "accounts"]}
      isFinal
      run={oneByOne({
        keyOf,
        isDone: ({ status }) => status === "retired",
        act: ({ customer_reference }) => retire.mutateAsync({ customer_reference }),
      })}
    >
      This can't be undone. No new sessions can be created for a retired account. Payments that still arrive are
      credited to you and flagged on the collection.
    </BulkAct>
  );
}
