import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { readMerchant } from "../../api/calls.ts";
import { ApiProblem, messageOf } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import { money } from "../../components/money.tsx";
import { OrderFacts } from "./order-review.tsx";
import { type Unanswered, useUnanswered } from "./unanswered.ts";

/** By then a request in flight has finished, even if its response was lost. */
const IN_FLIGHT_MAX_MS = 30_000;

/** A transfer order with an unknown outcome: the only actions are to check for it, or to send it again under its own reference. */
export function UnansweredOrder(props: {
  unanswered: Unanswered;
  problem: unknown;
  onSend: () => void;
  onDone: () => void;
  onGiveUp: () => void;
}) {
  const { order, account, asked_at } = props.unanswered;
  const { problem } = props;
  const lookup = useLookup(order.reference, props.onDone);
  const isNotFound = lookup.data?.transfer === null;
  const mayDiscard = isNotFound && (lookup.data?.at ?? 0) - asked_at > IN_FLIGHT_MAX_MS;
  return (
    <Stack>
      <Alert color="orange" role="alert" title="We don't know yet whether this transfer was created">
        The server didn't respond. Check for the transfer or send it again. The same reference never sends money twice.
        {problem instanceof ApiProblem && problem.status > 0 && problem.status < 500 && ` ${messageOf(problem)}`}
      </Alert>
      <OrderFacts order={order} account={account} />
      <div role="status">
        {lookup.error && <Text size="sm">{messageOf(lookup.error)}</Text>}
        {isNotFound && (
          <Text size="sm">
            {mayDiscard
              ? "There is no transfer with this reference. Send it again or discard it."
              : "There is no transfer with this reference yet. It may still be in progress. Check again in half a minute."}
          </Text>
        )}
      </div>
      <Group justify="space-between">
        <Group gap="xs">
          <Button variant="default" loading={lookup.isPending} onClick={() => lookup.mutate()}>
            Check for transfer
          </Button>
          {mayDiscard && (
            <Button variant="default" onClick={props.onGiveUp}>
              Discard
            </Button>
          )}
        </Group>
        <Button onClick={props.onSend} disabled={lookup.isPending}>
          Send {money(Number(order.amount))} again
        </Button>
      </Group>
    </Stack>
  );
}

/** Searches for the transfer by the merchant's own reference and opens it. */
function useLookup(reference: string, onDone: () => void) {
  const { api, home } = useScope();
  const navigate = useNavigate();
  const { drop } = useUnanswered();
  return useMutation({
    mutationFn: async () => {
      const at = Date.now();
      const { data } = await readMerchant(api, "transfers", { search: reference });
      return { at, transfer: data.find(({ merchant_reference }) => merchant_reference === reference) ?? null };
    },
    onSuccess: ({ transfer }) => {
      if (!transfer) return;
      drop();
      onDone();
      navigate(`${home}/transfers/${encodeURIComponent(transfer.reference)}`);
    },
  });
}
