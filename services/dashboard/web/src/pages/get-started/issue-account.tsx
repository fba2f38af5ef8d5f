import { Alert, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useMay, useScope } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { AccountForm, type IssuedAccount } from "../customers/account-form.tsx";

const EXAMPLE = { customer_reference: "cust_42", customer_name: "Ada Obi" };

/** Issues the first account and shows its number in place. */
export function IssueAccount() {
  const { home } = useScope();
  const mayIssue = useMay("collect");
  const [issued, setIssued] = useState<IssuedAccount>();
  if (!mayIssue) return <Text size="sm">Only an owner, a developer or finance can do this.</Text>;
  return (
    <Stack gap="sm">
      <AccountForm proposed={EXAMPLE} onIssued={setIssued} />
      {issued && (
        <Alert
          color="accent"
          role="status"
          title={issued.created ? "Account issued" : "This customer already has an account"}
        >
          <Copy value={issued.account.account_number} what="account number" />{" "}
          <Text span size="sm">
            at {issued.account.bank_name}, <bdi>{issued.account.account_name}</bdi>.{" "}
            <Link to={`${home}/customers/${encodeURIComponent(issued.account.customer_reference)}`}>View customer</Link>
          </Text>
        </Alert>
      )}
    </Stack>
  );
}
