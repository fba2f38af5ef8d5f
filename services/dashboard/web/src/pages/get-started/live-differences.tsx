import { Card, List, Title } from "@mantine/core";

/** How live mode differs from test mode. */
export function LiveDifferences() {
  return (
    <Card withBorder component="section" aria-labelledby="differences">
      <Title order={2} size="h4" id="differences" mb="xs">
        What's different in live mode
      </Title>
      <List spacing={4} size="sm">
        <List.Item>
          Money is real. Payments can't be simulated, and account numbers are issued by the partner bank.
        </List.Item>
        <List.Item>
          Live mode has its own keys, webhook URL, signing secret, customers and balances. Nothing carries over from
          test mode.
        </List.Item>
        <List.Item>Your code stays the same. Just replace the test key with the live key.</List.Item>
        <List.Item>
          The bank can time out or decline to issue an account. Retrying is safe and never creates a second account.
        </List.Item>
      </List>
    </Card>
  );
}
