import type { issueCustomerAccount } from "@collect/contracts";
import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "react-router";
import { type ReplyOf, useAct } from "../../api/hooks.ts";
import { errorsByField, wordsOf } from "../../api/problem.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Copy } from "../../parts/copy.tsx";

const FIELDS = ["customer_reference", "customer_name"];

/** Issues one account; who was issued one before gets the same. */
export function IssueAccount() {
  const { home } = useScope();
  const mayIssue = useMay("developer");
  const form = useForm({ initialValues: { customer_reference: "cust_42", customer_name: "Ada Obi" } });
  const issue = useAct<ReplyOf<typeof issueCustomerAccount>>("customers", { changes: ["customers", "checklist"] });
  if (!mayIssue) return <Text size="sm">A developer or an owner of your team does this.</Text>;
  const wrong = errorsByField(issue.error);
  const isSaid = Object.keys(wrong).some((field) => FIELDS.includes(field));
  return (
    <form
      aria-label="Issue an account"
      onSubmit={form.onSubmit((given) => issue.mutate(given, { onError: (e) => form.setErrors(errorsByField(e)) }))}
    >
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <TextInput
            {...form.getInputProps("customer_reference")}
            label="Customer reference"
            description="Your own key for the customer"
            required
            withAsterisk={false}
            maxLength={80}
            w={{ base: "100%", xs: 240 }}
          />
          <TextInput
            {...form.getInputProps("customer_name")}
            label="Customer name"
            description="Stands in the account's name"
            required
            withAsterisk={false}
            maxLength={100}
            w={{ base: "100%", xs: 240 }}
          />
        </Group>
        <Button type="submit" loading={issue.isPending} w="fit-content">
          Issue the account
        </Button>
        {issue.error && !isSaid && <Alert color="red">{wordsOf(issue.error)}</Alert>}
        {issue.data && (
          <Alert
            color="accent"
            role="status"
            title={issue.data.created ? "The account is there" : "This customer has had an account before"}
          >
            <Copy value={issue.data.account.account_number} what="account number" />{" "}
            <Text span size="sm">
              at {issue.data.account.bank_name}, <bdi>{issue.data.account.account_name}</bdi>.{" "}
              <Link to={`${home}/customers/${encodeURIComponent(issue.data.account.customer_reference)}`}>
                See the customer
              </Link>
            </Text>
          </Alert>
        )}
      </Stack>
    </form>
  );
}
