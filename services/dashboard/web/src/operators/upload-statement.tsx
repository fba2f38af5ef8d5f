import { Alert, Button, Checkbox, FileButton, Group, List, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { ApiProblem, messageOf } from "../api/problem.ts";
import { NairaInput, nairaOf } from "../components/naira-input.tsx";
import { type Done, type Read, useStatementFile } from "./api.ts";
import { periodWords } from "./day-words.ts";
import { Kobo } from "./kobo.tsx";

type Account = Read<"bank-accounts">["accounts"][number];

/** A statement's file, which is imported as soon as it is chosen. */
export function UploadStatement({ accounts }: { accounts: Account[] }) {
  const upload = useStatementFile();
  const [account, setAccount] = useState("");
  const [[from, to], setPeriod] = useState(["", ""]);
  const [closing, setClosing] = useState<number | string>("");
  const [isDespiteNumber, setDespiteNumber] = useState(false);
  const reset = useRef<() => void>(null);
  const send = (file: File | null) => {
    if (!file) return;
    // Otherwise the same file, corrected, could not be chosen again.
    reset.current?.();
    const named = {
      ...(account && { account, ...(from && to && { period: { from, to } }), ...closingOf(closing) }),
      ...(isDespiteNumber && { despite_number: true }),
    };
    // It is the bank's word about one file, which a next one does not have.
    upload.mutate({ file, ...named }, { onSuccess: () => setDespiteNumber(false) });
  };
  return (
    <Stack gap="sm" component="section" aria-label="Upload a statement">
      <Group align="flex-end">
        <NativeSelect
          label="Account"
          value={account}
          onChange={({ currentTarget }) => setAccount(currentTarget.value)}
          data={[
            { value: "", label: "As the file says" },
            ...accounts.map(({ number, bank }) => ({ value: number, label: `${number} at ${bank}` })),
          ]}
        />
        {account && (
          <>
            <Day label="First day (optional)" value={from} onChange={(day) => setPeriod([day, to ?? ""])} />
            <Day label="Last day (optional)" value={to} onChange={(day) => setPeriod([from ?? "", day])} />
            <NairaInput
              label="Closing balance (optional)"
              description="As the bank shows it"
              allowNegative
              value={closing}
              onChange={setClosing}
            />
          </>
        )}
        <FileButton resetRef={reset} onChange={send} inputProps={{ "aria-label": "Statement file" }}>
          {(props) => (
            <Button {...props} loading={upload.isPending} leftSection={<IconUpload size={16} aria-hidden />}>
              Choose a statement file
            </Button>
          )}
        </FileButton>
      </Group>
      <Checkbox
        label="The bank has no statements under the numbers that are skipped before it"
        checked={isDespiteNumber}
        onChange={({ currentTarget: { checked } }) => setDespiteNumber(checked)}
      />
      <Text size="sm" c="dimmed">
        camt.053, MT940, CSV or XLSX, up to 16 MB. Name the account for CSV and XLSX, which don't say it.
      </Text>
      {upload.error && <Refusal error={upload.error} />}
      {upload.data && <Imported {...upload.data} />}
    </Stack>
  );
}

/** A file that was cut off after a line shows nothing of it. */
function closingOf(typed: number | string): { closing?: string } {
  const naira = nairaOf(typed);
  return naira === undefined ? {} : { closing: Math.round(naira * 100).toString() };
}

type DayProps = { label: string; value: string | undefined; onChange: (day: string) => void };

function Day({ label, value = "", onChange }: DayProps) {
  return (
    <TextInput type="date" {...{ label, value }} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  );
}

/** The line that is wrong, where one is. */
function Refusal({ error }: { error: Error }) {
  const errors = error instanceof ApiProblem ? error.errors : [];
  const isUncertain = error instanceof ApiProblem && (error.status === 0 || error.status >= 500);
  return (
    <Alert
      color="red"
      role="alert"
      title={isUncertain ? "Choose the file again: it is imported once" : "Nothing of this file was imported"}
    >
      {messageOf(error)}
      <List size="sm">
        {errors.map(({ param, message }) => (
          <List.Item key={`${param} ${message}`}>
            {/^line \d+$/.test(param) && <b>{param.replace("line", "Line")}: </b>}
            {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Imported({ statements, is_new }: Done<"statements.file.import">) {
  return (
    <Alert
      color="green"
      role="status"
      title={is_new ? "The file was imported" : "This file was imported before. Nothing has changed"}
    >
      {statements.map(({ account, number, from, to, lines, opening, closing }) => (
        <Text size="sm" key={`${account} ${from}`}>
          {account}
          {number !== null && `, no. ${number}`}, {periodWords(from, to)}: {lines === 1 ? "1 line" : `${lines} lines`},{" "}
          <Kobo kobo={opening} /> to <Kobo kobo={closing} />
        </Text>
      ))}
    </Alert>
  );
}
