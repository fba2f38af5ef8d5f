import { Anchor, Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { Money } from "../../components/money.tsx";
import { Name } from "../../components/record-link.tsx";
import { When } from "../../components/when.tsx";
import { Attach } from "../collections/attach.tsx";
import { Finish } from "./finish.tsx";
import { factWords, type Item, KINDS, pathOf, sumWords } from "./inbox-words.ts";
import { SendAgain } from "./send-again.tsx";

type Member = ReadResponse<"members">["members"][number];

type Shown = { item: Item; members: Member[]; onDone: () => void };

/** What an item is, who takes care of it, and what can be done about it. `onDone`: it was dealt with, and is about to leave. */
export function OpenItem({ item, members, onDone }: Shown) {
  const { home } = useScope();
  const mayAct = useMay("inbox");
  const maySend = useMay("money");
  const [asked, setAsked] = useState<"done" | "again" | "attach">();
  const { open, done } = KINDS[item.kind];
  const close = () => setAsked(undefined);
  const isUnpaid = item.kind === "failed" || item.kind === "reversed";
  const canSendAgain = maySend && isUnpaid && item.failure_code !== "approval_declined";
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start" gap="sm">
        <What item={item} />
        <Owner item={item} members={members} />
      </Group>
      <Group gap="xs">
        <Anchor component={Link} to={`${home}/${pathOf(item)}`} size="sm">
          {open}
        </Anchor>
        {item.kind === "webhook" && <Resume state={item.reference} />}
        {canSendAgain && asked !== "again" && (
          <Button size="xs" onClick={() => setAsked("again")}>
            Send again…
          </Button>
        )}
        {maySend && item.kind === "unmatched" && asked !== "attach" && (
          <Button size="xs" onClick={() => setAsked("attach")}>
            Attach…
          </Button>
        )}
        {mayAct && done && asked !== "done" && (
          <Button size="xs" variant="default" onClick={() => setAsked("done")}>
            {done}…
          </Button>
        )}
      </Group>
      {asked === "done" && <Finish item={item} onClose={close} onDone={onDone} />}
      {asked === "attach" && (
        <Attach reference={item.reference} amount={item.amount ?? 0} onClose={close} onDone={onDone} />
      )}
      {asked === "again" && <SendAgain item={item} onClose={close} onDone={onDone} />}
    </Stack>
  );
}

function What({ item }: { item: Item }) {
  const sum = sumWords(item);
  const fact = factWords(item);
  return (
    <div style={{ minWidth: 0, flex: "1 1 260px" }}>
      {sum && (
        <Text>
          <strong>
            <Money naira={sum.sum} />
          </strong>{" "}
          {sum.of} {item.amount_received === null ? <Name>{item.name ?? "–"}</Name> : null}
          {item.amount_received !== null && item.name && (
            <>
              {" "}
              · <Name>{item.name}</Name>
            </>
          )}
        </Text>
      )}
      {fact && <Text size={sum ? "sm" : undefined}>{fact}</Text>}
      {item.at && (
        <Text size="sm" c="dimmed">
          <When at={item.at} />
        </Text>
      )}
    </div>
  );
}

/** Who takes care of it. The members' names are the options, so that it takes one choice. */
function Owner({ item: { kind, reference, owner }, members }: { item: Item; members: Member[] }) {
  const mayAct = useMay("inbox");
  const assign = useAct("inbox/:kind/:reference/owner", { changes: ["inbox"] });
  if (!mayAct) return <Text size="sm">{owner ? <Name>{owner.name}</Name> : "Unassigned"}</Text>;
  const known = members.some(({ user_id }) => user_id === owner?.user_id);
  return (
    <div>
      <NativeSelect
        size="xs"
        w={180}
        aria-label={`Assignee of ${reference}`}
        value={owner?.user_id ?? ""}
        disabled={assign.isPending}
        onChange={({ currentTarget: { value } }) => assign.mutate({ kind, reference, user_id: value || null })}
      >
        <option value="">Unassigned</option>
        {owner && !known && <option value={owner.user_id}>{owner.name}</option>}
        {members.map(({ user_id, name }) => (
          <option key={user_id} value={user_id}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <FormProblem error={assign.error} />
    </div>
  );
}

/** Ends a pause, or tries the endpoint at once. */
function Resume({ state }: { state: string }) {
  const mayChange = useMay("webhooks");
  const resume = useAct("webhook/resume", { changes: ["inbox", "webhook", "deliveries"] });
  if (!mayChange || (state !== "held" && state !== "paused")) return null;
  return (
    <>
      <Button size="xs" loading={resume.isPending} onClick={() => resume.mutate({})}>
        {state === "paused" ? "Resume deliveries" : "Try now"}
      </Button>
      <FormProblem error={resume.error} />
    </>
  );
}
