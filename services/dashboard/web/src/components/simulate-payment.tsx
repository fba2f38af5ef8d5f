import { Alert, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ActFields, ActResponse } from "../api/calls.ts";
import { useAct } from "../api/hooks.ts";
import { fieldErrors } from "../api/problem.ts";
import { useScope } from "../api/scope.ts";
import { FormProblem } from "./form-problem.tsx";
import { Money } from "./money.tsx";
import { NairaInput, nairaOf } from "./naira-input.tsx";

const OUTCOMES = [
  { value: "paid", label: "Paid: the exact amount" },
  { value: "underpaid", label: "Underpaid: 90% of the amount" },
  { value: "overpaid", label: "Overpaid: 110% of the amount" },
  { value: "expired", label: "Expired: no payment" },
];
const CHANGES = [
  "collections",
  "sessions",
  "customers",
  "payers",
  "balance",
  "collection-days",
  "checklist",
  "links",
  "events",
  "deliveries",
] as const;

/** The account of a customer, or a session. */
export type Destination = { customer_reference: string } | { payment_reference: string };

type Values = { outcome: ActFields<"simulate">["outcome"]; amount: number | string };

/** Simulates a payment along the same path as real money. */
export function SimulatePayment(props: {
  to: Destination;
  hasAmountField?: boolean;
  /** The suggested amount; without one, the session's amount applies. */
  amount?: number;
  /** Fields placed before the amount. */
  children?: ReactNode;
}) {
  const { to, hasAmountField, amount = "" } = props;
  const form = useForm<Values>({ initialValues: { outcome: "paid", amount } });
  const simulate = useSimulation(to);
  const submit = form.onSubmit(({ outcome, amount }) =>
    simulate.mutate(
      { outcome, amount: nairaOf(amount) },
      { onError: (problem) => form.setErrors(fieldErrors(problem)) },
    ),
  );
  return (
    <form aria-label="Simulate a payment" onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          {props.children}
          {hasAmountField && (
            <NairaInput
              {...form.getInputProps("amount")}
              label="Amount in naira"
              placeholder="The session's amount"
              w={{ base: "100%", xs: 180 }}
            />
          )}
          <Select
            {...form.getInputProps("outcome")}
            label="Outcome"
            data={OUTCOMES}
            allowDeselect={false}
            w={{ base: "100%", xs: 300 }}
          />
        </Group>
        <Button type="submit" loading={simulate.isPending} w="fit-content">
          Simulate payment
        </Button>
        <FormProblem error={simulate.error} fields={hasAmountField ? ["amount", "outcome"] : ["outcome"]} />
        {simulate.data && <SimulationResult {...simulate.data} />}
      </Stack>
    </form>
  );
}

function useSimulation(to: Destination) {
  const toCustomer = useAct("customers/:customer_reference/simulate", { changes: CHANGES });
  const forSession = useAct("simulate", { changes: CHANGES });
  const { isPending, error, data } = "customer_reference" in to ? toCustomer : forSession;
  const mutate = (given: ActFields<"simulate">, options: { onError: (problem: unknown) => void }) =>
    "customer_reference" in to
      ? toCustomer.mutate({ ...given, ...to }, options)
      : forSession.mutate({ ...given, ...to }, options);
  return { mutate, isPending, error, data };
}

function SimulationResult({ credited, amount, reference, message }: ActResponse<"simulate">) {
  const { home } = useScope();
  const title = credited ? (
    <>
      <Money naira={amount} /> arrived
    </>
  ) : (
    "Nothing was credited"
  );
  return (
    <Alert color={credited ? "accent" : "blue"} role="status" title={title}>
      <Text size="sm">
        {message} {credited && <Link to={`${home}/collections/${encodeURIComponent(reference)}`}>View collection</Link>}
      </Text>
    </Alert>
  );
}
