import type { simulatePayment } from "@collect/contracts";
import { Alert, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReplyOf, useAct } from "../../api/hooks.ts";
import { errorsByField } from "../../api/problem.ts";
import { FormProblem, filledIn, NairaInput } from "./form-parts.tsx";
import { RecordLink } from "./record-link.tsx";
import { Section } from "./section.tsx";

const OUTCOMES = [
  { value: "paid", label: "Paid: all of it arrives" },
  { value: "underpaid", label: "Underpaid: 90 % arrives" },
  { value: "overpaid", label: "Overpaid: 110 % arrives" },
  { value: "expired", label: "Expired: nothing arrives" },
];
const CHANGES = ["collections", "sessions", "customers", "payers", "balance", "collection-days", "checklist", "links"];

type Values = { outcome: string; amount: number | string };

/** Lets test money arrive by the path that real money takes. */
export function SimulatePayment(props: { path: string; asksAmount?: boolean; given?: Record<string, unknown> }) {
  const form = useForm<Values>({ initialValues: { outcome: "paid", amount: "" } });
  const simulate = useAct<ReplyOf<typeof simulatePayment>>(props.path, { changes: CHANGES });
  const submit = form.onSubmit((values) =>
    simulate.mutate(
      { ...filledIn(values), ...props.given },
      { onError: (problem) => form.setErrors(errorsByField(problem)) },
    ),
  );
  return (
    <Section title="Simulate a payment">
      <form onSubmit={submit}>
        <Stack gap="xs">
          <Group align="flex-end" gap="xs">
            {props.asksAmount && (
              <NairaInput
                {...form.getInputProps("amount")}
                label="Amount owed"
                placeholder="As a session asks"
                w={{ base: "100%", xs: 210 }}
              />
            )}
            <Select
              {...form.getInputProps("outcome")}
              label="Outcome"
              data={OUTCOMES}
              allowDeselect={false}
              w={{ base: "100%", xs: 250 }}
            />
            <Button type="submit" variant="default" loading={simulate.isPending}>
              Simulate
            </Button>
          </Group>
          <FormProblem error={simulate.error} fields={props.asksAmount ? ["amount", "outcome"] : ["outcome"]} />
          {simulate.data && <Answer {...simulate.data} />}
        </Stack>
      </form>
    </Section>
  );
}

function Answer({ message, credited, reference }: ReplyOf<typeof simulatePayment>) {
  return (
    <Alert color={credited ? "accent" : "blue"} role="status">
      <Text size="sm">
        {message} {credited && <RecordLink to={["collections", reference]}>See the collection</RecordLink>}
      </Text>
    </Alert>
  );
}
