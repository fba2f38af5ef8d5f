import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { useSearchParams } from "react-router";
import type { Column } from "../../components/list-rows.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { type Read, useRead } from "../api.ts";
import { List } from "../list.tsx";
import { STANDINGS, StandingBadge } from "../standing.tsx";

type Row = Read<"merchants">["data"][number];

const COLUMNS: Column<Row>[] = [
  { header: "Name", cell: ({ name }) => <bdi>{name}</bdi>, narrow: "name" },
  { header: "Standing", cell: ({ standing }) => <StandingBadge standing={standing} />, narrow: "amount", width: 150 },
  { header: "Merchant ID", cell: ({ merchant_id }) => <span className="mono">{merchant_id}</span>, narrow: "status" },
  { header: "Created", cell: ({ created_at }) => <When at={created_at} />, narrow: "time", width: 140 },
];

/** Every business, newest first. */
export default function MerchantsPage() {
  const [params, setParams] = useSearchParams();
  const read = useRead("merchants", Object.fromEntries(params));
  const narrow = (name: string, value: string) =>
    setParams((before) => {
      const { after: _after, [name]: _value, ...others } = Object.fromEntries(before);
      return { ...others, ...(value && { [name]: value }) };
    });
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    narrow("search", String(new FormData(event.currentTarget).get("search") ?? "").trim());
  };
  return (
    <Page title="Merchants">
      <Group align="flex-end" gap="xs">
        <form onSubmit={search} style={{ flex: "1 1 220px", maxWidth: 420 }}>
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              style={{ flex: 1 }}
              label="Merchant ID, or the beginning of the name"
              name="search"
              type="search"
              defaultValue={params.get("search") ?? ""}
              maxLength={100}
            />
            <Button type="submit" variant="default">
              Search
            </Button>
          </Group>
        </form>
        <NativeSelect
          label="Standing"
          value={params.get("standing") ?? ""}
          onChange={({ currentTarget }) => narrow("standing", currentTarget.value)}
          data={[
            { value: "", label: "All" },
            ...Object.entries(STANDINGS).map(([value, { word }]) => ({ value, label: word })),
          ]}
        />
      </Group>
      <List
        title="Merchants"
        read={read}
        rowsOf={({ data }) => data}
        nextOf={({ next }) => next}
        columns={COLUMNS}
        keyOf={({ merchant_id }) => merchant_id}
        linkOf={({ merchant_id }) => merchant_id}
        none="No merchant matches."
      />
    </Page>
  );
}
