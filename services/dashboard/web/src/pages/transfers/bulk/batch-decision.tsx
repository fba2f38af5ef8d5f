import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { ActPath, Noun } from "../../../api/calls.ts";
import { useAct } from "../../../api/hooks.ts";
import { useMay, useScope } from "../../../api/scope.ts";
import { FormProblem } from "../../../components/form-problem.tsx";
import { money } from "../../../components/money.tsx";
import { type Batch, counted, openOf, transfers } from "./batch-words.ts";

const CHANGES: Noun[] = ["transfer-batches", "transfers", "payouts", "balance", "inbox"];

type ActOnBatch = Extract<ActPath, `transfer-batches/:reference/${string}`>;
const useActOn = (path: ActOnBatch) => useAct(path, { changes: CHANGES });

/** What a person decides about a file: nothing while it goes on by itself. */
export function BatchDecision({ batch }: { batch: Batch }) {
  const maySend = useMay("money");
  const mayApprove = useMay("approvals");
  if (batch.state === "checked" && maySend)
    return batch.faulty > 0 ? <Faulty batch={batch} /> : <Confirm batch={batch} />;
  if (batch.state === "awaiting_approval") return <Approve batch={batch} mayDecide={mayApprove} />;
  if (batch.state === "sent" && batch.refused > 0) return <Refused batch={batch} mayRetry={maySend} />;
  return null;
}

function Faulty({ batch: { reference, lines, faulty, ordered } }: { batch: Batch }) {
  return (
    <Alert color="orange" title="Nothing was sent" role="region">
      <Stack gap="sm">
        <Text size="sm">
          {faulty.toLocaleString("en")} of {counted(lines, "line has", "lines have")} faults.{" "}
          {ordered > 0
            ? "Transfers already created are unaffected. Upload the remaining lines as a new file."
            : "Fix the lines listed below and upload the file again. A file is sent completely or not at all."}
        </Text>
        {ordered === 0 && (
          <Group gap="xs">
            <Discard reference={reference} />
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

function Confirm({ batch }: { batch: Batch }) {
  const { mode } = useScope();
  const confirm = useActOn("transfer-batches/:reference/confirm");
  const { reference, ordered } = batch;
  const { lines, total } = openOf(batch);
  if (lines === 0)
    return (
      <Alert color="blue" title="These transfers already exist" role="region">
        <Text size="sm">
          Each line below links to its transfer, and none is sent again. To pay the same people the same amounts again,
          give each line a new reference.
        </Text>
      </Alert>
    );
  return (
    <Alert color="blue" title="Ready to send" role="region">
      <Stack gap="sm">
        <Text size="sm">
          You're about to send <strong>{money(total)}</strong> in <strong>{transfers(lines)}</strong>.
          {mode === "test" && " This is test money."} Compare the names below with your list: the money leaves your
          settled balance immediately, and sending can't be undone.
          {ordered > 0 && ` ${transfers(ordered)} of this file ${ordered === 1 ? "was" : "were"} created earlier.`}
        </Text>
        <Group gap="xs">
          <Button loading={confirm.isPending} onClick={() => confirm.mutate({ reference, lines, total })}>
            Send {money(total)}
          </Button>
          {ordered === 0 && <Discard reference={reference} />}
        </Group>
        <FormProblem error={confirm.error} />
      </Stack>
    </Alert>
  );
}

function Approve({ batch, mayDecide }: { batch: Batch; mayDecide: boolean }) {
  const { me } = useScope();
  const { reference, confirmed_by, confirmed_at, ordered } = batch;
  const { lines, total } = openOf(batch);
  const approve = useActOn("transfer-batches/:reference/approve");
  const isOwn = confirmed_by?.kind === "member" && confirmed_by.user_id === me.user.id;
  const lead = isOwn ? "You confirmed it, so another owner or a finance member" : "An owner or a finance member";
  return (
    <Alert color="yellow" title="Waiting for approval" role="region">
      <Stack gap="sm">
        <Text size="sm">
          {money(total)} in {transfers(lines)}, together with today's other files, is more than one person can send
          alone. None of it was sent yet.{" "}
          {isOwn || !mayDecide
            ? `${lead} has to approve it within three days; after that it has to be confirmed again.`
            : "Compare the lines with the invoice or request before you approve."}
        </Text>
        {mayDecide && (
          <Group gap="xs">
            {!isOwn && confirmed_at && (
              <Button loading={approve.isPending} onClick={() => approve.mutate({ reference, confirmed_at })}>
                Approve and send {money(total)}
              </Button>
            )}
            {ordered === 0 && <Discard reference={reference} label={isOwn ? "Discard" : "Decline and discard"} />}
          </Group>
        )}
        <FormProblem error={approve.error} />
      </Stack>
    </Alert>
  );
}

function Refused({ batch: { reference, refused, ordered }, mayRetry }: { batch: Batch; mayRetry: boolean }) {
  const reopen = useActOn("transfer-batches/:reference/reopen");
  return (
    <Alert color="orange" title={`${transfers(refused)} refused`} role="region">
      <Stack gap="sm">
        <Text size="sm">
          Their money is still in your settled balance. Each line below says why. You can try{" "}
          {refused === 1 ? "it" : "them"} again until three days after the file was confirmed: you confirm it first, and
          nothing is sent twice.
        </Text>
        {mayRetry && (
          <Group gap="xs">
            <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate({ reference })}>
              Try {refused === 1 ? "it" : "them"} again
            </Button>
            {ordered === 0 && <Discard reference={reference} />}
          </Group>
        )}
        <FormProblem error={reopen.error} />
      </Stack>
    </Alert>
  );
}

function Discard({ reference, label = "Discard" }: { reference: string; label?: string }) {
  const { home, merchantId, mode } = useScope();
  const navigate = useNavigate();
  const client = useQueryClient();
  const discard = useAct("transfer-batches/:reference/discard", { changes: ["payouts", "inbox"] });
  const leave = () => {
    // This page would ask for a file that is gone: the list is read again when it is opened.
    void client.invalidateQueries({ queryKey: [merchantId, mode, "transfer-batches"], refetchType: "none" });
    navigate(`${home}/transfers/bulk`);
  };
  return (
    <>
      <Button
        variant="default"
        loading={discard.isPending}
        onClick={() => discard.mutate({ reference }, { onSuccess: leave })}
      >
        {label}
      </Button>
      <FormProblem error={discard.error} />
    </>
  );
}
