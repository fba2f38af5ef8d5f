import { Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "react-router";
import { useScope } from "../../api/scope.ts";
import { AccountForm, type IssuedAccount } from "./account-form.tsx";

/** Gives a customer an account, and leads to it. */
export function IssueAccountDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { home } = useScope();
  const navigate = useNavigate();
  const show = ({ account: { customer_reference }, created }: IssuedAccount) => {
    onClose();
    notifications.show({
      message: created
        ? `The account of ${customer_reference} is open.`
        : `${customer_reference} had an account before. Here it is.`,
    });
    navigate(`${home}/customers/${encodeURIComponent(customer_reference)}`);
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Open an account for a customer">
      <Stack>
        <Text size="sm">They get an account number at once. It is theirs for good, whatever they pay.</Text>
        <AccountForm onIssued={show} />
      </Stack>
    </Modal>
  );
}
