import { Button, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

/** The test bank's code, which no real bank has. */
export const TEST_BANK_CODE = "000";

/** The digit before the check digit determines the outcome of a transfer to a test bank account; every check digit is valid. */
export const TEST_ACCOUNTS = [
  { number: "0000001117", digit: 1, outcome: "Success" },
  { number: "0000002224", digit: 2, outcome: "Failed" },
  { number: "0000003331", digit: 3, outcome: "Bank timeout, then success" },
  { number: "0000004448", digit: 4, outcome: "Bank timeout, then failed" },
  { number: "0000005555", digit: 5, outcome: "Success, then reversed" },
  { number: "0000006662", digit: 6, outcome: "No such account" },
];

/** Test account numbers, one for each outcome. */
export function TestAccounts({ onUse }: { onUse: (accountNumber: string) => void }) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <div>
      <Button variant="default" size="xs" onClick={toggle} aria-expanded={isOpen}>
        Test account numbers
      </Button>
      {isOpen && (
        <>
          <Text size="sm" my="xs">
            At the Test Bank, the ninth digit of the account number determines the outcome of the transfer.
          </Text>
          <Table verticalSpacing={4} aria-label="Test account numbers">
            <Table.Tbody>
              {TEST_ACCOUNTS.map(({ number, digit, outcome }) => (
                <Table.Tr key={digit}>
                  <Table.Th scope="row" fw={400} className="mono">
                    {number.slice(0, 8)}
                    <strong>{number.slice(8, 9)}</strong>
                    {number.slice(9)}
                  </Table.Th>
                  <Table.Td>{outcome}</Table.Td>
                  <Table.Td ta="right">
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={() => onUse(number)}
                      aria-label={`Use ${number}`}
                    >
                      Use
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </div>
  );
}
