import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { ApiProblem, messageOf } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import type { NamedAccount } from "../../components/bank-account.tsx";
import { Facts } from "../../components/facts.tsx";
import { Money, money } from "../../components/money.tsx";
import { Name, Reference } from "../../components/record-link.tsx";
import type { Order } from "./order.ts";

/** The final review before money is sent: amount, beneficiary and bank. */
export function OrderReview(props: {
  order: Order;
  account: NamedAccount;
  problem: unknown;
  isSending: boolean;
  onSend: () => void;
  onBack: () => void;
}) {
  const { order, account, problem, isSending } = props;
  const { mode } = useScope();
  const amount = Number(order.amount);
  return (
    <Stack>
      <Text>
        You're about to send{" "}
        <strong>
          <Money naira={amount} />
        </strong>{" "}
        to{" "}
        <strong className="wrap-anywhere">
          <Name>{account.account_name}</Name>
        </strong>{" "}
        at <strong>{account.bank_name}</strong>.{mode === "test" && " This is test money."}
      </Text>
      <OrderFacts order={order} account={account} />
      <Text size="sm">It leaves your settled balance immediately and can't be canceled.</Text>
      {problem !== null && (
        <Alert color="red" role="alert">
          {refusalMessage(problem, order)}
        </Alert>
      )}
      <Group justify="space-between">
        <Button variant="default" onClick={props.onBack} disabled={isSending}>
          Back
        </Button>
        <Button onClick={props.onSend} loading={isSending} data-autofocus>
          Send {money(amount)}
        </Button>
      </Group>
    </Stack>
  );
}

/** The order's details. */
export function OrderFacts({ order, account }: { order: Order; account: NamedAccount }) {
  return (
    <Facts
      facts={[
        ["Amount", <Money key="amount" naira={Number(order.amount)} />],
        ["To", <Name key="to">{account.account_name}</Name>],
        ["Bank", account.bank_name],
        [
          "Account number",
          <span key="number" className="mono">
            {account.account_number}
          </span>,
        ],
        ["Your reference", <Reference key="reference">{order.reference}</Reference>],
        ["Narration", order.narration.trim() ? <Name>{order.narration}</Name> : null],
      ]}
    />
  );
}

/** The cause, the consequence for the money, and the next step. */
function refusalMessage(problem: unknown, { amount, reference }: Order): string {
  if (!(problem instanceof ApiProblem)) return messageOf(problem);
  switch (problem.code) {
    case "insufficient_balance":
      return `Your settled balance is below ${money(Number(amount))}. Nothing was sent. Collected payments become available with the next settlement.`;
    case "account_unresolved":
      return "The bank no longer has this account. Nothing was sent. Go back and check the bank and the account number.";
    case "reference_conflict":
      return `Another transfer with reference ${reference} and different details already exists. Nothing was sent. Go back and choose another reference.`;
    default:
      return messageOf(problem);
  }
}
