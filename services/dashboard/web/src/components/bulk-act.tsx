import { Button, Group, List, Modal, ScrollArea, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, type ReactNode, useState } from "react";
import { ApiProblem, messageOf } from "../api/problem.ts";
import { FormProblem } from "./form-problem.tsx";
import { Reference } from "./record-link.tsx";

/** What became of one row. */
export type Line = { key: string; outcome: "done" | "already" | "refused"; detail?: string | null };
/** Acts on the rows, and reports each as soon as it is known. What it throws stops the rest, which can be tried again. */
type Run<Row> = (rows: Row[], report: (line: Line) => void) => Promise<void>;

type BulkActProps<Row> = {
  /** The selected rows of a page, or one record; none once nothing is left to do, while what was done is still shown. */
  rows: Row[];
  keyOf: (row: Row) => string;
  /** "Retire", and what has been done: "retired". */
  verb: string;
  done: string;
  /** One row and several. */
  noun: [one: string, many: string];
  /** It cannot be undone, so what is acted on is typed first. */
  isFinal?: boolean;
  run: Run<Row>;
  /** What will happen. */
  children: ReactNode;
};

/** An act on one row or on many: it says what will happen, and then line by line what did. */
export function BulkAct<Row>(props: BulkActProps<Row>) {
  const { rows, verb } = props;
  // What was selected when it began: the list may change under it.
  const [begun, setBegun] = useState<Row[]>([]);
  const [isOpen, { open, close }] = useDisclosure();
  const [isRunning, setRunning] = useState(false);
  const begin = () => {
    setBegun(rows);
    open();
  };
  return (
    <>
      {rows.length > 0 && (
        <Button variant="default" size="xs" onClick={begin}>
          {rows.length === 1 ? `${verb}…` : `${verb} ${rows.length}…`}
        </Button>
      )}
      {/* While it runs it stays open: what it reports would be lost. */}
      <Modal opened={isOpen} onClose={() => !isRunning && close()} title={<strong>{titleOf(props, begun)}</strong>}>
        <ActForm {...props} {...{ isRunning, setRunning }} rows={begun} onClose={close} />
      </Modal>
    </>
  );
}

type ActFormProps<Row> = BulkActProps<Row> & {
  isRunning: boolean;
  setRunning: (isRunning: boolean) => void;
  onClose: () => void;
};

const whatOf = <Row,>({ noun }: BulkActProps<Row>, rows: Row[]) =>
  rows.length === 1 ? `this ${noun[0]}` : `${rows.length} ${noun[1]}`;
const titleOf = <Row,>(props: BulkActProps<Row>, rows: Row[]) =>
  `${props.verb} ${rows.length === 1 ? props.noun[0] : whatOf(props, rows)}`;

function ActForm<Row>(props: ActFormProps<Row>) {
  const { rows, keyOf, verb, noun, isFinal, isRunning, onClose } = props;
  const { lines, rest, error, run } = useRun(props);
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const [one] = rows;
  const [what, title] = [whatOf(props, rows), titleOf(props, rows)];
  const confirmation = rows.length === 1 && one !== undefined ? keyOf(one) : String(rows.length);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isRight = !isFinal || typed.trim() === confirmation;
    setWrong(!isRight);
    if (isRight) void run();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {lines.length === 0 && <Text size="sm">{props.children}</Text>}
        {isFinal && lines.length === 0 && (
          <TextInput
            label={
              <>
                Type <Reference>{confirmation}</Reference> to {verb.toLowerCase()} {what}
              </>
            }
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={
              isWrong &&
              (rows.length === 1 ? "This doesn't match." : `This doesn't match the number of selected ${noun[1]}.`)
            }
            autoComplete="off"
            data-autofocus
          />
        )}
        {lines.length > 0 && <Outcomes {...{ lines, done: props.done, of: rows.length }} />}
        <FormProblem error={error} />
        <Group gap="xs">
          {rest.length > 0 && (
            <Button type="submit" loading={isRunning} {...(isFinal && { color: "red.9" })}>
              {lines.length === 0 ? title : `Try ${rest.length} again`}
            </Button>
          )}
          <Button variant="default" disabled={isRunning} onClick={onClose}>
            {lines.length === 0 ? "Cancel" : "Close"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The last outcome of each row, in their order, and the rows that are still to be acted on. */
function useRun<Row>({ rows, keyOf, run, setRunning }: ActFormProps<Row>) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Line>>(new Map());
  const [error, setError] = useState<unknown>();
  const lines = rows.flatMap((row) => outcomes.get(keyOf(row)) ?? []);
  const rest = rows.filter((row) => (outcomes.get(keyOf(row))?.outcome ?? "refused") === "refused");
  const start = async () => {
    setRunning(true);
    setError(undefined);
    try {
      await run(rest, (line) => setOutcomes((before) => new Map(before).set(line.key, line)));
    } catch (problem) {
      setError(problem);
    } finally {
      setRunning(false);
    }
  };
  return { lines, rest, error, run: start };
}

function Outcomes({ lines, done, of }: { lines: Line[]; done: string; of: number }) {
  const wordsOf = ({ outcome, detail }: Line) => {
    if (outcome === "refused") return `not ${done}. ${detail ?? ""}`;
    return outcome === "already" ? `already ${done}` : done;
  };
  const count = lines.filter(({ outcome }) => outcome !== "refused").length;
  return (
    <>
      <Text size="sm" fw={600} role="status">
        {`${count} of ${of} ${done}.`}
      </Text>
      <ScrollArea.Autosize mah={240}>
        <List size="sm">
          {lines.map((line) => (
            <List.Item key={line.key}>
              <Reference>{line.key}</Reference>: {wordsOf(line)}
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </>
  );
}

/** One call after the other. A row that it cannot be done to is reported, and the next is tried; any other failure stops. */
export const oneByOne =
  <Row,>({
    keyOf,
    isDone,
    act,
  }: {
    keyOf: (row: Row) => string;
    isDone?: (row: Row) => boolean;
    act: (row: Row) => Promise<unknown>;
  }): Run<Row> =>
  async (rows, report) => {
    for (const row of rows) {
      const key = keyOf(row);
      if (isDone?.(row)) report({ key, outcome: "already" });
      else report(await outcomeOf(key, act(row)));
    }
  };

async function outcomeOf(key: string, acting: Promise<unknown>): Promise<Line> {
  try {
    await acting;
    return { key, outcome: "done" };
  } catch (problem) {
    if (!isAboutTheRow(problem)) throw problem;
    return { key, outcome: "refused", detail: messageOf(problem) };
  }
}

/** These states of a record refuse an act; anything else would refuse the next one too. */
const ABOUT_THE_ROW = new Set<ApiProblem["code"]>(["conflict", "not_found", "validation_failed"]);
const isAboutTheRow = (problem: unknown) => problem instanceof ApiProblem && ABOUT_THE_ROW.has(problem.code);
