import { Checkbox, Fieldset, NativeSelect, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { ActDialog } from "./act-dialog.tsx";
import type { Input } from "./api.ts";

type Account = Input<"statements.account.set">;
type Mapping = NonNullable<Account["mapping"]>;

const DATE_FORMATS: Mapping["date_format"][] = [
  "yyyy-MM-dd",
  "dd/MM/yyyy",
  "MM/dd/yyyy",
  "dd-MM-yyyy",
  "dd-MMM-yyyy",
  "dd-MMM-yy",
  "serial",
];

const COLUMNS = {
  date: "Date",
  narration: "Narration",
  balance: "Balance",
  value_date: "Value date (optional)",
  debit: "Debit",
  credit: "Credit",
  amount: "Signed amount, instead of debit and credit",
  references: "References (optional), separated by commas",
} as const;
type ColumnName = keyof typeof COLUMNS;
const REQUIRED: ColumnName[] = ["date", "narration", "balance"];

/** Names an account of ours at a bank, or changes one. */
export function NameAccount({ account }: { account?: Account }) {
  const [fields, setFields] = useState(() => fieldsOf(account));
  const set = (changed: Partial<typeof fields>) => setFields({ ...fields, ...changed });
  return (
    <ActDialog
      subject="statements.account.set"
      label={account ? `Change ${account.number}` : "Name an account"}
      effect={
        account
          ? "It is read like this from the next file on. With another bank, what that bank reported is read again."
          : "Its statements can be uploaded then, and days wait for them."
      }
      inputOf={() => accountOf(fields)}
    >
      <TextInput
        label="Account number"
        description="As the bank's statements have it"
        value={fields.number}
        onChange={({ currentTarget }) => set({ number: currentTarget.value })}
        readOnly={account !== undefined}
        required
        withAsterisk={false}
      />
      <TextInput
        label="Bank"
        description="The partner whose transfers it receives, by its ID; another name if it is only debited"
        value={fields.bank}
        onChange={({ currentTarget }) => set({ bank: currentTarget.value })}
        maxLength={40}
        required
        withAsterisk={false}
      />
      <Checkbox
        label="Payouts leave from it"
        checked={fields.paysOut}
        onChange={({ currentTarget }) => set({ paysOut: currentTarget.checked })}
      />
      <Textarea
        label="Words of the bank's own charges (optional)"
        description="As narrations have them, separated by commas"
        value={fields.chargeWords}
        onChange={({ currentTarget }) => set({ chargeWords: currentTarget.value })}
        autosize
      />
      <Checkbox
        label="Its files are CSV or XLSX"
        checked={fields.isTable}
        onChange={({ currentTarget }) => set({ isTable: currentTarget.checked })}
      />
      {fields.isTable && <Columns {...{ fields, set }} />}
    </ActDialog>
  );
}

type Fields = ReturnType<typeof fieldsOf>;

function Columns({ fields, set }: { fields: Fields; set: (changed: Partial<Fields>) => void }) {
  return (
    <Fieldset legend="The bank's names of the columns">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        {(Object.keys(COLUMNS) as ColumnName[]).map((name) => (
          <TextInput
            key={name}
            label={COLUMNS[name]}
            value={fields.columns[name]}
            onChange={({ currentTarget: { value } }) => set({ columns: { ...fields.columns, [name]: value } })}
            required={REQUIRED.includes(name)}
            withAsterisk={false}
          />
        ))}
        <TextInput
          label="Row with these names"
          type="number"
          min={1}
          max={100}
          value={fields.headerRow}
          onChange={({ currentTarget }) => set({ headerRow: currentTarget.value })}
          required
          withAsterisk={false}
        />
        <NativeSelect
          label="Dates"
          value={fields.dateFormat}
          onChange={({ currentTarget }) => set({ dateFormat: dateFormat(currentTarget.value) })}
          data={DATE_FORMATS.map((value) => ({ value, label: value === "serial" ? "Cells of the type date" : value }))}
        />
      </SimpleGrid>
      <Checkbox
        mt="xs"
        label="The newest line comes first"
        checked={fields.isNewestFirst}
        onChange={({ currentTarget }) => set({ isNewestFirst: currentTarget.checked })}
      />
    </Fieldset>
  );
}

const dateFormat = (value: string) => DATE_FORMATS.find((format) => format === value) ?? "yyyy-MM-dd";

function fieldsOf(account?: Account) {
  const { number = "", bank = "", pays_out = false, charge_words = [], mapping = null } = account ?? {};
  const { references = [], ...columns } = mapping?.columns ?? {};
  return {
    ...{ number, bank, paysOut: pays_out, chargeWords: charge_words.join(", "), isTable: mapping !== null },
    headerRow: String(mapping?.header_row ?? 1),
    dateFormat: mapping?.date_format ?? dateFormat(""),
    isNewestFirst: mapping?.newest_first ?? false,
    columns: {
      ...{ date: "", narration: "", balance: "", value_date: "", debit: "", credit: "", amount: "" },
      ...columns,
      references: references.join(", "),
    },
  };
}

function accountOf({ number, bank, paysOut, chargeWords, isTable, ...mapping }: Fields): Account {
  return {
    ...{ number: number.trim(), bank: bank.trim(), pays_out: paysOut, charge_words: listOf(chargeWords) },
    mapping: isTable ? mappingOf(mapping) : null,
  };
}

type Table = Pick<Fields, "headerRow" | "dateFormat" | "isNewestFirst" | "columns">;

/** A column that is left empty is not sent. */
function mappingOf({ headerRow, dateFormat: date_format, isNewestFirst, columns }: Table): Mapping {
  const { date, narration, balance, references, ...others } = columns;
  const given = Object.entries(others).filter(([, column]) => column !== "");
  return {
    ...{ header_row: Number(headerRow), date_format, newest_first: isNewestFirst },
    columns: {
      ...{ date, narration, balance, ...Object.fromEntries(given) },
      ...(references.trim() && { references: listOf(references) }),
    },
  };
}

const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
