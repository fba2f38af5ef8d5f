import { Button, Text } from "@mantine/core";
import { useAct } from "../../api/hooks.ts";
import { BulkAct } from "../../components/bulk-act.tsx";
import { FormProblem } from "../../components/form-problem.tsx";

const CHANGES = ["collections", "deliveries", "events", "webhook"] as const;

/** Sends the webhook of a collection again, to the current URL. */
export function ResendWebhook({ reference }: { reference: string }) {
  const resend = useAct("collections/resend", { changes: CHANGES });
  const [line] = resend.data?.lines ?? [];
  return (
    <>
      <Button
        variant="default"
        size="xs"
        loading={resend.isPending}
        onClick={() => resend.mutate({ references: [reference] })}
      >
        Resend event
      </Button>
      {line && (
        <Text size="sm" role="status">
          {line.detail ?? "The event is being sent again."}
        </Text>
      )}
      <FormProblem error={resend.error} />
    </>
  );
}

/** The same for those that were selected, in one call. */
export function ResendWebhooks({ collections }: { collections: { reference: string }[] }) {
  const resend = useAct("collections/resend", { changes: CHANGES });
  return (
    <BulkAct
      rows={collections}
      keyOf={({ reference }) => reference}
      verb="Resend"
      done="sent again"
      noun={["event", "events"]}
      run={async (rows, report) => {
        const { lines } = await resend.mutateAsync({ references: rows.map(({ reference }) => reference) });
        for (const { reference, ...line } of lines) report({ key: reference, ...line });
      }}
    >
      Each is sent to your current URL with the same body and number, delivered or not. A receiver that has it already
      can ignore it.
    </BulkAct>
  );
}
