import { Button, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { ActResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { ApiProblem, fieldErrors } from "../../api/problem.ts";
import { FormProblem } from "../../components/form-problem.tsx";

export type IssuedAccount = ActResponse<"customers">;
type Values = { customer_reference: string; customer_name: string };
const EMPTY: Values = { customer_reference: "", customer_name: "" };

/** The numbers by which a bank identifies a person. */
const NUMBERS = ["bvn", "nin"] as const;
type Numbers = { [Name in (typeof NUMBERS)[number]]?: string };
const NO_NUMBERS: Numbers = { bvn: "", nin: "" };

/**
 * Issues an account to a customer. Idempotent: a customer with an account keeps it. A number of the person is asked for once the
 * bank has refused to open an account without it, and is gone from the page when the account is issued or the form is closed.
 */
export function AccountForm(props: { proposed?: Values; onIssued: (issued: IssuedAccount) => void }) {
  const form = useForm<Values & Numbers>({ initialValues: { ...(props.proposed ?? EMPTY), ...NO_NUMBERS } });
  const issue = useAct("customers", { changes: ["customers", "checklist"] });
  const [needed, setNeeded] = useState<(typeof NUMBERS)[number][]>([]);
  const submit = form.onSubmit(({ bvn, nin, ...given }) =>
    issue.mutate(
      { ...given, ...(bvn && { bvn }), ...(nin && { nin }) },
      {
        onError: (problem) => {
          form.setErrors(fieldErrors(problem));
          if (isNumberRequired(problem)) setNeeded(NUMBERS.filter((name) => name in fieldErrors(problem)));
        },
        onSuccess: (issued) => {
          form.setValues(NO_NUMBERS);
          setNeeded([]);
          issue.reset();
          props.onIssued(issued);
        },
      },
    ),
  );
  return (
    <form aria-label="Issue an account" onSubmit={submit}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} maw={560}>
          <TextInput
            {...form.getInputProps("customer_reference")}
            label="Customer reference"
            description={"Your own ID: letters, digits and .\u00a0_\u00a0:\u00a0-"}
            data-autofocus
            required
            withAsterisk={false}
            maxLength={80}
            autoComplete="off"
          />
          <TextInput
            {...form.getInputProps("customer_name")}
            label="Customer name"
            description="Part of the account name that payers see"
            required
            withAsterisk={false}
            maxLength={100}
            dir="auto"
            autoComplete="off"
          />
          {needed.map((name) => (
            <TextInput
              {...form.getInputProps(name)}
              key={name}
              label={`Customer's ${name.toUpperCase()}`}
              description={`${needed.length > 1 ? "Either number. " : ""}Passed on to the bank, not stored`}
              inputMode="numeric"
              maxLength={11}
              autoComplete="off"
            />
          ))}
        </SimpleGrid>
        <FormProblem error={issue.error} fields={[...Object.keys(EMPTY), ...needed]} />
        <Button type="submit" loading={issue.isPending} w="fit-content">
          Issue account
        </Button>
      </Stack>
    </form>
  );
}

const isNumberRequired = (problem: unknown): boolean =>
  problem instanceof ApiProblem && problem.code === "identity_required";
