import type { browseCustomerAccounts, simulatePayment } from "@collect/contracts";
import { Alert, Button, Group, NumberInput, Select, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "react-router";
import { type ReplyOf, useAct, useRead } from "../../api/hooks.ts";
import { errorsByField, wordsOf } from "../../api/problem.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Money } from "../../parts/money.tsx";

const OUTCOMES = [
  { value: "paid", label: "Paid: exactly this amount arrives" },
  { value: "underpaid", label: "Underpaid: 90 % of it arrives" },
  { value: "overpaid", label: "Overpaid: 110 % of it arrives" },
  { value: "expired", label: "Expired: nothing arrives" },
];
const FIELDS = ["customer_reference", "amount", "outcome"];
const CHANGES = ["checklist", "collections", "balance", "collection-days", "events", "deliveries"];

/** Lets test money arrive in the account of one of the newest customers. */
export function SimulateMoney() {
  const mayPay = useMay("developer");
  const customers = useRead<ReplyOf<typeof browseCustomerAccounts>>("customers", { status: "active", limit: 100 });
  const first = customers.data?.data[0];
  if (!mayPay) return <Text size="sm">A developer or an owner of your team does this.</Text>;
  if (customers.error) return <Alert color="red">{wordsOf(customers.error)}</Alert>;
  if (customers.data && !first) return <Text size="sm">Issue an account first: money needs somewhere to arrive.</Text>;
  return (
    <PaymentForm
      key={first?.customer_reference}
      customers={(customers.data?.data ?? []).map(({ customer_reference, customer_name }) => ({
        value: customer_reference,
        label: `${customer_name} (${customer_reference})`,
      }))}
    />
  );
}

function PaymentForm({ customers }: { customers: { value: string; label: string }[] }) {
  const form = useForm({
    initialValues: { customer: customers[0]?.value ?? "", amount: 2_500 as number | string, outcome: "paid" },
  });
  const path = `customers/${encodeURIComponent(form.values.customer)}/simulate`;
  const pay = useAct<ReplyOf<typeof simulatePayment>>(path, { changes: CHANGES });
  const isSaid = Object.keys(errorsByField(pay.error)).some((field) => FIELDS.includes(field));
  const submit = form.onSubmit(({ amount, outcome }) =>
    pay.mutate({ outcome, amount: Number(amount) }, { onError: (problem) => form.setErrors(errorsByField(problem)) }),
  );
  return (
    <form aria-label="Let money arrive" onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <Select
            {...form.getInputProps("customer")}
            label="Customer"
            data={customers}
            searchable
            allowDeselect={false}
            nothingFoundMessage="None of the newest hundred"
            w={{ base: "100%", xs: 240 }}
          />
          <NumberInput
            {...form.getInputProps("amount")}
            label="Amount in naira"
            prefix="₦"
            min={0.01}
            decimalScale={2}
            thousandSeparator
            hideControls
            required
            withAsterisk={false}
            w={{ base: "100%", xs: 160 }}
          />
          <Select
            {...form.getInputProps("outcome")}
            label="What happens"
            data={OUTCOMES}
            allowDeselect={false}
            w={{ base: "100%", xs: 300 }}
          />
        </Group>
        <Button type="submit" loading={pay.isPending} w="fit-content">
          Let it arrive
        </Button>
        {pay.error && !isSaid && <Alert color="red">{wordsOf(pay.error)}</Alert>}
        {pay.data && <Arrived {...pay.data} />}
      </Stack>
    </form>
  );
}

function Arrived({ credited, amount, reference, message }: ReplyOf<typeof simulatePayment>) {
  const { home } = useScope();
  return (
    <Alert
      color={credited ? "accent" : "blue"}
      role="status"
      title={
        credited ? (
          <>
            <Money naira={amount} /> arrived
          </>
        ) : (
          "Nothing was credited"
        )
      }
    >
      <Text size="sm">
        {message}{" "}
        {credited && <Link to={`${home}/collections/${encodeURIComponent(reference)}`}>See the collection</Link>}
      </Text>
    </Alert>
  );
}
