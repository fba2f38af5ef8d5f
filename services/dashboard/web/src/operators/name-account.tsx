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

const ENCODINGS = [
  { value: "utf-8", label: "UTF-8" },
  { value: "windows-1252", label: "Windows-1252, as older portals export it" },
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
          ? "It is read like this from the next file on. With another bank, what that bank reported is read again. Whether its references are the bank's own, and when payments are settled, takes effect at once, for all open days."
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
        description="Unless their partner has an account for them"
        checked={fields.paysOut}
        onChange={({ currentTarget }) => set({ paysOut: currentTarget.checked })}
      />
      <TextInput
        label="Partner whose payouts leave from it (optional)"
        description="By its ID: they leave from no other account"
        value={fields.payoutsOf}
        onChange={({ currentTarget }) => set({ payoutsOf: currentTarget.value })}
        maxLength={40}
      />
      <Checkbox
        label="The references on its lines are the bank's own"
        description="Tick this if no reference on its lines is an ID that the bank reports. A line is then matched by its amount, if within three days there is only one such line and one such transfer"
        checked={fields.ownReferences}
        onChange={({ currentTarget }) => set({ ownReferences: currentTarget.checked })}
      />
      <TextInput
        label="Days until payments are settled"
        description="After so many days a payment that isn't on a statement is missing at the bank. More than 1 for a partner that pays out what it received on the next banking day: 4 for weekends with a public holiday. Payouts always have 1"
        type="number"
        min={1}
        max={14}
        value={fields.settlesWithin}
        onChange={({ currentTarget }) => set({ settlesWithin: currentTarget.value })}
        required
        withAsterisk={false}
      />
      <Textarea
        label="Words of the bank's own charges (optional)"
        description="Whole words, as narrations have them, separated by commas"
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
        <NativeSelect
          label="Text of CSV files"
          value={fields.encoding}
          onChange={({ currentTarget: { value } }) => set({ encoding: value === "windows-1252" ? value : "utf-8" })}
          data={ENCODINGS}
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
  const [payoutsOf, ownReferences] = [account?.payouts_of ?? "", account?.own_references ?? false];
  const { references = [], ...columns } = mapping?.columns ?? {};
  return {
    ...{ number, bank, paysOut: pays_out, payoutsOf, ownReferences },
    settlesWithin: String(account?.settles_within ?? 1),
    ...{ chargeWords: charge_words.join(", "), isTable: mapping !== null },
    headerRow: String(mapping?.header_row ?? 1),
    dateFormat: mapping?.date_format ?? dateFormat(""),
    isNewestFirst: mapping?.newest_first ?? false,
    encoding: mapping?.encoding ?? "utf-8",
    columns: {
      ...{ date: "", narration: "", balance: "", value_date: "", debit: "", credit: "", amount: "" },
      ...columns,
      references: references.join(", "),
    },
  };
}

function accountOf({
  number,
  bank,
  paysOut,
  payoutsOf,
  ownReferences,
  settlesWithin,
  chargeWords,
  isTable,
  ...mapping
}: Fields): Account {
  return {
    ...{ number: number.trim(), bank: bank.trim(), pays_out: paysOut, charge_words: listOf(chargeWords) },
    ...{ payouts_of: payoutsOf.trim() || null, own_references: ownReferences },
    settles_within: Number(settlesWithin),
    mapping: isTable ? mappingOf(mapping) : null,
  };
}

type Table = Pick<Fields, "headerRow" | "dateFormat" | "isNewestFirst" | "encoding" | "columns">;

/** A column that is left empty is not sent. */
function mappingOf({ headerRow, dateFormat: date_format, isNewestFirst, encoding, columns }: Table): Mapping {
  const { date, narration, balance, references, ...others } = columns;
  const given = Object.entries(others).filter(([, column]) => column !== "");
  return {
    ...{ header_row: Number(headerRow), date_format, newest_first: isNewestFirst },
    ...(encoding !== "utf-8" && { encoding }),
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
