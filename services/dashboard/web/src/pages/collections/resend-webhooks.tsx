import { Button, Text } from "@mantine/core";
import type { ActResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { FormProblem } from "../../components/form-problem.tsx";

/** Sends the webhooks of these collections again, to the current URL. */
export function ResendWebhooks({ references }: { references: string[] }) {
  const resend = useAct("collections/resend", { changes: ["collections", "deliveries", "events", "webhook"] });
  return (
    <>
      <Button variant="default" size="xs" loading={resend.isPending} onClick={() => resend.mutate({ references })}>
        {references.length === 1 ? "Resend event" : `Resend ${references.length} events`}
      </Button>
      {resend.data && (
        <Text size="sm" role="status">
          {outcomeOf(resend.data)}
        </Text>
      )}
      <FormProblem error={resend.error} />
    </>
  );
}

function outcomeOf({ resent, failed }: ActResponse<"collections/resend">): string {
  const sent = resent === 1 ? "The event is being sent again." : `${resent} events are being sent again.`;
  return failed.length === 0 ? sent : `${sent} Not sent: ${failed.join(", ")}. Try these again.`;
}
