import { Alert, Button, Group, Select } from "@mantine/core";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import type { NamedAccount } from "../../components/bank-account.tsx";
import { FormProblem } from "../../components/form-problem.tsx";

type Account = { bank_code: string; account_number: string };
type Saved = ReadResponse<"beneficiaries">["data"][number];

const keyOf = ({ bank_code, account_number }: Account) => `${bank_code} ${account_number}`;

/** Fills in the account of a saved beneficiary, and says if its bank gives another name now; nothing where none is saved. */
export function SavedBeneficiaries(props: {
  account: Account;
  named: NamedAccount | undefined;
  onUse: (account: Account) => void;
}) {
  const { account, named, onUse } = props;
  const saved = useRead("beneficiaries").data?.data ?? [];
  const remove = useAct("beneficiaries/remove", { changes: ["beneficiaries"] });
  const chosen = saved.find((one) => keyOf(one) === keyOf(account));
  if (saved.length === 0) return null;
  return (
    <>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <Select
          label="Saved beneficiary"
          placeholder="Choose one, or enter an account below"
          data={saved.map((one) => ({ value: keyOf(one), label: labelOf(one) }))}
          value={chosen ? keyOf(chosen) : null}
          onChange={(key) => {
            const one = saved.find((candidate) => keyOf(candidate) === key);
            if (one) onUse({ bank_code: one.bank_code, account_number: one.account_number });
          }}
          searchable
          nothingFoundMessage="No saved beneficiary of this name"
          style={{ flex: 1 }}
        />
        {chosen && (
          <Button
            variant="default"
            loading={remove.isPending}
            onClick={() => remove.mutate({ bank_code: chosen.bank_code, account_number: chosen.account_number })}
          >
            Remove
          </Button>
        )}
      </Group>
      {chosen && named && keyOf(named) === keyOf(chosen) && named.account_name !== chosen.account_name && (
        <Alert color="orange" role="alert" title="The name has changed">
          You saved this account as {chosen.account_name}. Its bank now says {named.account_name}. Find out why before
          you send money.
        </Alert>
      )}
      <FormProblem error={remove.error} />
    </>
  );
}

const labelOf = ({ account_name, bank_name, account_number }: Saved) =>
  `${account_name}, ${bank_name}, ${account_number}`;

/** Of a transfer that succeeded, to an account that is not saved yet. */
export function SaveBeneficiary({
  transfer,
}: {
  transfer: Account & Pick<ReadResponse<"transfers/:reference">["transfer"], "reference" | "status">;
}) {
  const mayPay = useMay("money") && transfer.status === "success";
  const saved = useRead("beneficiaries", {}, { enabled: mayPay }).data?.data;
  const save = useAct("beneficiaries", { changes: ["beneficiaries"] });
  if (!mayPay || !saved || saved.some((one) => keyOf(one) === keyOf(transfer))) return null;
  return (
    <>
      <Group>
        <Button
          variant="default"
          loading={save.isPending}
          onClick={() => save.mutate({ reference: transfer.reference })}
        >
          Save beneficiary
        </Button>
      </Group>
      <FormProblem error={save.error} />
    </>
  );
}
