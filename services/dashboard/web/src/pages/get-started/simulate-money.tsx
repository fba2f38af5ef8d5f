import { Alert, Select, Text } from "@mantine/core";
import { useState } from "react";
import { useRead } from "../../api/hooks.ts";
import { messageOf } from "../../api/problem.ts";
import { useMay } from "../../api/scope.ts";
import { SimulatePayment } from "../../components/simulate-payment.tsx";

/** Simulates a payment to one of the newest customers. */
export function SimulateMoney() {
  const mayPay = useMay("collect");
  const customers = useRead("customers", { status: "active", limit: 100 });
  const [chosen, setChosen] = useState<string>();
  const first = customers.data?.data[0]?.customer_reference;
  // The newest customer is preselected once; one created later does not change the form.
  if (chosen === undefined && first !== undefined) setChosen(first);
  if (!mayPay) return <Text size="sm">Only an owner, a developer or finance can do this.</Text>;
  if (customers.error) return <Alert color="red">{messageOf(customers.error)}</Alert>;
  if (!customers.data) return null;
  if (chosen === undefined) return <Text size="sm">Issue an account first.</Text>;
  return (
    <SimulatePayment to={{ customer_reference: chosen }} hasAmountField amount={2_500}>
      <Select
        label="Customer"
        data={customers.data.data.map(({ customer_reference, customer_name }) => ({
          value: customer_reference,
          label: `${customer_name} (${customer_reference})`,
        }))}
        value={chosen}
        onChange={(reference) => reference && setChosen(reference)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="Not among the 100 newest customers"
        w={{ base: "100%", xs: 240 }}
      />
    </SimulatePayment>
  );
}
