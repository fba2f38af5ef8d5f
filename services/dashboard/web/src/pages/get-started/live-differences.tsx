import { Card, List, Title } from "@mantine/core";

/** What is other than in test mode, for a merchant who has only seen that. */
export function LiveDifferences() {
  return (
    <Card withBorder component="section" aria-labelledby="differences">
      <Title order={2} size="h4" id="differences" mb="xs">
        What is different in live mode
      </Title>
      <List spacing={4} size="sm">
        <List.Item>The money is real. Nothing can be simulated; account numbers come from the partner bank.</List.Item>
        <List.Item>
          It has its own keys, webhook URL, signing secret, customers and balances. Nothing carries over from test mode.
        </List.Item>
        <List.Item>Your code stays the same: swapping the test key for the live key is the only change.</List.Item>
        <List.Item>
          The bank can time out or refuse when an account is issued. Repeating the call is safe and never makes two.
        </List.Item>
      </List>
    </Card>
  );
}
