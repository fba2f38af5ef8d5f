import type { listBanks, resolveAccount } from "@collect/contracts";
import { Loader, Select, SimpleGrid, Text, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import type { ReplyOf } from "../../api/hooks.ts";
import { ApiProblem, wordsOf } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";

type Props = {
  bank: GetInputPropsReturnType;
  account: GetInputPropsReturnType;
  bankCode: string;
  accountNumber: string;
};

/** Bank and account number, with the name that the bank knows the account by. Always of live mode: it is a real account. */
export function SettlementAccount({ bank, account, bankCode, accountNumber }: Props) {
  const { merchantId } = useScope();
  const live = `/api/m/${merchantId}/live`;
  const banks = useQuery({
    queryKey: [merchantId, "live", "banks"],
    queryFn: () => call<ReplyOf<typeof listBanks>>("GET", `${live}/banks`),
    staleTime: 3_600_000,
  });
  const asked = { bank_code: bankCode, account_number: accountNumber };
  const name = useQuery({
    queryKey: [merchantId, "live", "resolved", asked],
    queryFn: () => call<ReplyOf<typeof resolveAccount>>("POST", `${live}/transfers/resolve`, asked),
    enabled: bankCode !== "" && /^\d{10}$/.test(accountNumber),
    // The bank is asked once about an account, not again whenever somebody comes back to the window.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          {...bank}
          label="Settlement bank"
          placeholder="Choose a bank"
          searchable
          data={choices(banks.data?.data ?? [])}
          error={bank.error ? "Choose a bank." : banks.error ? wordsOf(banks.error) : undefined}
          nothingFoundMessage="No bank of this name"
          onChange={(chosen) => bank.onChange(chosen ?? "")}
          value={bank.value || null}
        />
        <TextInput
          {...account}
          label="Settlement account number"
          inputMode="numeric"
          maxLength={10}
          autoComplete="off"
        />
      </SimpleGrid>
      <Text size="sm" mt="sm" role="status" component="div">
        {name.isFetching && (
          <>
            <Loader size={14} /> Asking the bank whose account it is…
          </>
        )}
        {!name.isFetching && name.data && (
          <>
            The bank says it is the account of{" "}
            <strong>
              <bdi>{name.data.account_name}</bdi>
            </strong>
            .
          </>
        )}
        {!name.isFetching && name.error && (
          <Text span size="sm" c="var(--mantine-color-error)">
            {wordsOf(name.error)} {isAboutTheAccount(name.error) && "Check the bank and the number."}
          </Text>
        )}
        {!name.isFetching && !name.data && !name.error && "Ten digits; the bank then tells us in whose name it stands."}
      </Text>
    </>
  );
}

/** Names of banks can be alike; codes are not. */
function choices(banks: ReplyOf<typeof listBanks>["data"]): { value: string; label: string }[] {
  const byCode = new Map(banks.map(({ code, name }) => [code, { value: code, label: name }]));
  return [...byCode.values()];
}

const isAboutTheAccount = (problem: unknown) =>
  problem instanceof ApiProblem && (problem.code === "account_unresolved" || problem.code === "validation_failed");
