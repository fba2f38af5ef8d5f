import type { Mode } from "@collect/contracts";
import { Button, Group, Loader, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type ActResponse, actMerchant, type ReadResponse, readMerchant } from "../api/calls.ts";
import { ApiProblem, errorsByField, messageOf } from "../api/problem.ts";
import { useScope } from "../api/scope.ts";

export type NamedAccount = ActResponse<"transfers/resolve">;

/** The account's name: looked up once bank and number are complete, and again only on request. */
export function useNamedAccount(mode: Mode, bankCode: string, accountNumber: string): UseQueryResult<NamedAccount> {
  const { merchantId } = useScope();
  const lookup = { bank_code: bankCode, account_number: accountNumber };
  return useQuery({
    // Not under a key that the merchant's live updates refetch.
    queryKey: ["named-account", merchantId, mode, lookup],
    queryFn: () => actMerchant(`/api/m/${merchantId}/${mode}`, "transfers/resolve", lookup),
    enabled: bankCode !== "" && /^\d{10}$/.test(accountNumber),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

type Field = { label: string; value: string; onChange: (value: string) => void; error: ReactNode };

/** Bank and account number, with the account name that the bank reports. */
export function BankAccount(props: {
  mode: Mode;
  bank: Field;
  number: Field;
  named: UseQueryResult<NamedAccount>;
  /** The text before bank and number are complete. */
  lead: string;
  withAsterisk?: boolean;
}) {
  const { mode, bank, number, named, lead, withAsterisk = false } = props;
  const { merchantId } = useScope();
  const banks = useQuery({
    queryKey: [merchantId, mode, "banks"],
    queryFn: () => readMerchant(`/api/m/${merchantId}/${mode}`, "banks", {}),
    staleTime: 3_600_000,
  });
  const unknown = !named.isFetching && isUnknown(named.error) ? unknownAccountMessage(named.error) : undefined;
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={bank.label}
          placeholder="Search for a bank"
          data={choices(banks.data?.data ?? [])}
          value={bank.value || null}
          onChange={(code) => bank.onChange(code ?? "")}
          error={bank.error ?? (banks.error ? messageOf(banks.error) : undefined)}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No matching bank"
          withAsterisk={withAsterisk}
        />
        <TextInput
          label={number.label}
          value={number.value}
          onChange={(event) => number.onChange(event.currentTarget.value.replaceAll(/\D/g, "").slice(0, 10))}
          error={unknown ?? number.error}
          inputMode="numeric"
          autoComplete="off"
          data-autofocus
          withAsterisk={withAsterisk}
        />
      </SimpleGrid>
      <Group gap="xs" role="status">
        <Naming named={named} lead={lead} />
      </Group>
    </Stack>
  );
}

function Naming({ named, lead }: { named: UseQueryResult<NamedAccount>; lead: string }) {
  if (named.isFetching)
    return (
      <>
        <Loader size="xs" aria-hidden />
        <Text size="sm">Looking up the account name…</Text>
      </>
    );
  if (named.data)
    return (
      <>
        <IconCheck size={18} aria-hidden />
        <Text fw={600} className="wrap-anywhere">
          <bdi dir="auto">{named.data.account_name}</bdi>
        </Text>
      </>
    );
  if (named.error && !isUnknown(named.error))
    return (
      <>
        <Text size="sm">{messageOf(named.error)} Nothing was sent.</Text>
        <Button size="xs" variant="default" onClick={() => void named.refetch()}>
          Look it up again
        </Button>
      </>
    );
  return <Text size="sm">{lead}</Text>;
}

/** Bank names can be ambiguous; codes are unique. */
function choices(banks: ReadResponse<"banks">["data"]): { value: string; label: string }[] {
  const byCode = new Map(banks.map(({ code, name }) => [code, { value: code, label: name }]));
  return [...byCode.values()];
}

const isUnknown = (problem: unknown) =>
  problem instanceof ApiProblem && (problem.code === "account_unresolved" || problem.code === "validation_failed");

function unknownAccountMessage(problem: unknown): string {
  const ofTheNumber = errorsByField(problem).account_number;
  return ofTheNumber
    ? `The number ${ofTheNumber}. Check the number and the bank.`
    : "This bank has no account with this number. Check the number and the bank.";
}
