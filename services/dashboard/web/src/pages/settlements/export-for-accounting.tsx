import { Button, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { queryOf } from "../../api/client.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { ACCOUNTS, type Account, type Form, isLayout, LAYOUTS, type Layout } from "./accounting-layouts.ts";

/** The settlements that the list is filtered by, as accounting software imports them. */
export function ExportForAccounting() {
  const mayExport = useMay("exports");
  const [isOpen, { open, close }] = useDisclosure();
  if (!mayExport) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        Export for accounting
      </Button>
      <Modal opened={isOpen} onClose={close} title="Export settlements for accounting">
        <LayoutForm />
      </Modal>
    </>
  );
}

function LayoutForm() {
  const { api } = useScope();
  const [params] = useSearchParams();
  const { after: _after, ...filters } = Object.fromEntries(params);
  const [layout, setLayout] = useState<Layout>("xero-statement");
  const { hint, ending, accounts }: Form = LAYOUTS[layout];
  const [named, name] = useNames(layout.split("-")[0] ?? "");
  const isNamed = accounts.every((account) => named[account]?.trim());
  const fields = { ...filters, ...Object.fromEntries(accounts.map((account) => [account, named[account]])) };
  return (
    <Stack>
      <Text size="sm">Includes every settlement that matches the filters of the list.</Text>
      <NativeSelect
        label="Format"
        data={Object.entries(LAYOUTS).map(([value, { label }]) => ({ value, label }))}
        value={layout}
        onChange={({ currentTarget: { value } }) => isLayout(value) && setLayout(value)}
      />
      <Text size="sm">{hint}</Text>
      {accounts.map((account) => (
        <TextInput
          key={account}
          label={ACCOUNTS[account].label}
          description={ACCOUNTS[account].description}
          value={named[account] ?? ""}
          onChange={(event) => name({ ...named, [account]: event.currentTarget.value })}
          maxLength={100}
          autoComplete="off"
          withAsterisk
        />
      ))}
      {isNamed ? (
        <Button component="a" href={`${api}/settlements/${ending}${queryOf(fields)}`} download>
          Download
        </Button>
      ) : (
        <Button disabled>Download</Button>
      )}
    </Stack>
  );
}

/** How this person's accounts are named in a product, as typed last on this device. */
function useNames(product: string) {
  const { me, merchantId } = useScope();
  return useLocalStorage<Partial<Record<Account, string>>>({
    key: `accounts ${me.user.id} ${merchantId} ${product}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
}
