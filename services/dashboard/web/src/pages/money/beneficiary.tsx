import type { listBanks } from "@collect/contracts";
import { Button, Group, Loader, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type ReplyOf, useAct, useRead } from "../../api/hooks.ts";
import { ApiProblem, errorsByField, wordsOf } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import { Name } from "./record-link.tsx";
import type { NamedAccount, OrderForm } from "./send-money.tsx";
import { TEST_BANK_CODE, TestAccounts } from "./test-accounts.tsx";

type Asked = { bank_code: string; account_number: string };

/** Whose account the money goes to: as soon as bank and number are there, the bank is asked for the name. */
export function Beneficiary(props: {
  form: OrderForm;
  account: NamedAccount | undefined;
  onAccount: (account: NamedAccount | undefined) => void;
}) {
  const { form, account, onAccount } = props;
  const { mode } = useScope();
  const banks = useRead<ReplyOf<typeof listBanks>>("banks");
  const resolve = useAct<NamedAccount, Asked>("transfers/resolve");
  const { bank_code, account_number } = form.values;
  const change = (changed: Partial<Asked>) => {
    const asked = { bank_code, account_number, ...changed };
    form.setValues(asked);
    form.clearFieldError("account_number");
    onAccount(undefined);
    resolve.reset();
    if (asked.bank_code && /^\d{10}$/.test(asked.account_number)) ask(asked);
  };
  const ask = (asked: Asked) => resolve.mutate(asked, { onSuccess: onAccount });
  const isUnknown = resolve.error instanceof ApiProblem && UNKNOWN.has(resolve.error.code);
  return (
    <Stack gap="sm">
      <Select
        label="Bank"
        placeholder="Type to find it"
        data={(banks.data?.data ?? []).map(({ code, name }) => ({ value: code, label: name }))}
        value={bank_code || null}
        onChange={(code) => change({ bank_code: code ?? "" })}
        error={form.errors.bank_code ?? (banks.error ? wordsOf(banks.error) : undefined)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No bank of this name"
        withAsterisk
      />
      <TextInput
        label="Account number"
        value={account_number}
        onChange={(event) => change({ account_number: event.currentTarget.value.replaceAll(/\D/g, "").slice(0, 10) })}
        error={(isUnknown && wordsOnUnknown(resolve.error)) || form.errors.account_number}
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        withAsterisk
      />
      <Group gap="xs" role="status">
        {!account && resolve.isIdle && <Text size="sm">The bank names the account before anything can be sent.</Text>}
        {resolve.isPending && (
          <>
            <Loader size="xs" aria-hidden />
            <Text size="sm">Asking the bank whose account it is…</Text>
          </>
        )}
        {account && (
          <>
            <IconCheck size={18} aria-hidden />
            <Text fw={600} className="wrap-anywhere">
              <Name>{account.account_name}</Name>
            </Text>
          </>
        )}
        {resolve.error && !isUnknown && (
          <>
            <Text size="sm">{wordsOf(resolve.error)} Nothing was sent.</Text>
            <Button size="xs" variant="default" onClick={() => ask({ bank_code, account_number })}>
              Ask the bank again
            </Button>
          </>
        )}
      </Group>
      {mode === "test" && (
        <TestAccounts onUse={(number) => change({ bank_code: TEST_BANK_CODE, account_number: number })} />
      )}
    </Stack>
  );
}

const UNKNOWN = new Set<string>(["account_unresolved", "validation_failed"]);

function wordsOnUnknown(problem: unknown): string {
  const ofTheNumber = errorsByField(problem).account_number;
  return ofTheNumber
    ? `The number ${ofTheNumber}. Check each digit, and the bank.`
    : "This bank has no account with this number. Check each digit, and the bank.";
}
