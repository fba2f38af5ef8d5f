import { Table, Text } from "@mantine/core";
import type { ReadResponse } from "../api/calls.ts";
import { Money } from "./money.tsx";
import { SCROLLED_BY_KEYS } from "./scrolled-by-keys.ts";

type Transaction = ReadResponse<"transactions/:key">;

/** Merchant-facing names of the ledger's accounts. */
const ACCOUNTS: Record<string, string> = {
  bank: "Bank",
  fees: "Fees",
  collected: "Your collected balance",
  settled: "Your settled balance",
  payouts: "Reserved for transfers",
  suspense: "Suspense",
};

/** One ledger transaction with its entries, which sum to zero. */
export function LedgerTransaction({ transaction }: { transaction: Transaction | null }) {
  if (!transaction) return <Text size="sm">Temporarily unavailable. Your balances are not affected.</Text>;
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={SCROLLED_BY_KEYS}>
      <Table verticalSpacing={4} aria-label="Ledger entries">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Ledger account</Table.Th>
            <Table.Th scope="col" ta="right">
              Debit
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Credit
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Balance after
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {transaction.entries.map(({ account, amount, balance_after }) => (
            <Table.Tr key={account}>
              <Table.Td>{ACCOUNTS[account] ?? account}</Table.Td>
              <Table.Td ta="right">{amount > 0 && <Money naira={amount} />}</Table.Td>
              <Table.Td ta="right">{amount < 0 && <Money naira={-amount} />}</Table.Td>
              <Table.Td ta="right">{balance_after === null ? "–" : <Money naira={balance_after} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" className="wrap-anywhere" mt={4}>
        Ledger transaction <span className="mono">{transaction.transaction_id}</span>
      </Text>
    </Table.ScrollContainer>
  );
}
