import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ActResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { FormProblem } from "../../components/form-problem.tsx";

/** Sends the webhooks of these collections again, to the current URL. */
export function ResendWebhooks({ references, onDone }: { references: string[]; onDone?: () => void }) {
  const resend = useAct("collections/resend", { changes: ["collections", "deliveries", "events", "webhook"] });
  const submit = () =>
    resend.mutate(
      { references },
      {
        onSuccess: (response) => {
          notifications.show({ message: outcomeOf(response) });
          if (response.failed.length === 0) onDone?.();
        },
      },
    );
  return (
    <>
      <Button variant="default" size="xs" loading={resend.isPending} onClick={submit}>
        {references.length === 1 ? "Resend webhook" : `Resend ${references.length} webhooks`}
      </Button>
      <FormProblem error={resend.error} />
    </>
  );
}

function outcomeOf({ resent, failed }: ActResponse<"collections/resend">): string {
  const sent = resent === 1 ? "The webhook is being sent again." : `${resent} webhooks are being sent again.`;
  return failed.length === 0 ? sent : `${sent} Not sent: ${failed.join(", ")}. Try these again.`;
}
