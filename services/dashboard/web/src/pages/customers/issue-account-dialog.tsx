import { Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "react-router";
import { useScope } from "../../api/scope.ts";
import { AccountForm, type IssuedAccount } from "./account-form.tsx";

/** Issues an account to a customer and opens it. */
export function IssueAccountDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { home } = useScope();
  const navigate = useNavigate();
  const show = ({ account: { customer_reference }, created }: IssuedAccount) => {
    onClose();
    notifications.show({
      message: created
        ? `The account for ${customer_reference} was issued.`
        : `${customer_reference} already has an account.`,
    });
    navigate(`${home}/customers/${encodeURIComponent(customer_reference)}`);
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Issue an account to a customer">
      <Stack>
        <Text size="sm">The customer gets a permanent account number right away.</Text>
        <AccountForm onIssued={show} />
      </Stack>
    </Modal>
  );
}
