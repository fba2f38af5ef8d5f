import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { useAct, useRead } from "../../api/hooks.ts";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { money } from "../../components/money.tsx";
import { Name } from "../../components/record-link.tsx";
import { statusWord } from "../../components/status.tsx";
import { customerOption, type Option, sessionOption } from "./attach-words.ts";

type Attached = { reference: string; amount: number; onClose: () => void; onDone?: () => void };

/** A person who is typing gets what the last word names. */
const SEARCH_AFTER_MS = 200;

/** Says whom unmatched money belongs to: the likeliest are offered first, and anyone can be searched for. No money moves. */
export function Attach({ reference, amount, onClose, onDone = () => {} }: Attached) {
  const [typed, setTyped] = useState("");
  const [chosenId, setChosenId] = useState<string>();
  const [text] = useDebouncedValue(typed.trim().replace(/\s+/g, " "), SEARCH_AFTER_MS);
  const found = useRead("collections/:reference/attachable", { reference, ...(text && { text }) });
  const attach = useAct("collections/:reference/attach", {
    changes: ["inbox", "collections", "sessions", "customers", "events"],
    onDone,
  });
  const options = [
    ...(found.data?.sessions ?? []).map((session) => sessionOption(session, statusWord)),
    ...(found.data?.customers ?? []).map(customerOption),
  ];
  const chosen = options.find(({ id, fields }) => id === chosenId && fields);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen?.fields) attach.mutate({ reference, ...chosen.fields });
  };
  return (
    <form onSubmit={submit} aria-label={`Attach ${reference}`}>
      <Stack gap="xs" maw={560}>
        <TextInput
          label="Session or customer"
          description="Search by amount, payer or reference"
          value={typed}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoFocus
        />
        <Options options={options} value={chosen?.id ?? null} onChange={setChosenId} />
        <Nothing isShown={found.data !== undefined && options.length === 0} text={text} />
        {found.data?.customers === null && <Text size="sm">Customers can't be searched right now.</Text>}
        {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
        <Text size="sm" role="status">
          {chosen && <Outcome option={chosen} />}
        </Text>
        <FormProblem error={attach.error} />
        <Group gap="xs">
          <Button type="submit" size="xs" disabled={!chosen} loading={attach.isPending}>
            Attach {money(amount)}
          </Button>
          <Button size="xs" variant="default" disabled={attach.isPending} onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Offered = { options: Option[]; value: string | null; onChange: (id: string) => void };

/** Chosen with the arrow keys, as radio buttons are. */
function Options({ options, value, onChange }: Offered) {
  if (options.length === 0) return null;
  return (
    <Radio.Group label="This payment is for" value={value} onChange={onChange}>
      <Stack gap={0} mt={4}>
        {options.map(({ id, name, label, detail, fields, outcome }) => (
          <Radio
            key={id}
            value={id}
            disabled={!fields}
            py={6}
            label={
              <span style={{ overflowWrap: "anywhere" }}>
                {name && (
                  <>
                    <Name>{name}</Name> ·{" "}
                  </>
                )}
                <bdi>{label}</bdi>
              </span>
            }
            description={fields ? detail : `${detail} · ${outcome}`}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function Nothing({ isShown, text }: { isShown: boolean; text: string }) {
  if (!isShown) return null;
  return (
    <Text size="sm" c="dimmed">
      {text
        ? `Nothing found for “${text}”.`
        : "No open session and no customer of that name. Search for the one it is for."}
    </Text>
  );
}

/** What happens, before it does. */
function Outcome({ option: { name, label, outcome } }: { option: Option }) {
  return (
    <>
      {outcome === null ? (
        <>
          This payment will belong to {name ? <Name>{name}</Name> : <bdi>{label}</bdi>}
          {name && (
            <>
              {" "}
              (<bdi>{label}</bdi>)
            </>
          )}
          .
        </>
      ) : (
        <>
          {name && (
            <>
              <Name>{name}</Name>'s{" "}
            </>
          )}
          <bdi>{label}</bdi> {outcome}.
        </>
      )}{" "}
      Your server gets one collection.attached event. The money stays in your balance, and this can't be changed
      afterwards.
    </>
  );
}
