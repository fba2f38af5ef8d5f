import { Button, Group, Skeleton, Stack, Table, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import { Outlet, useLocation, useNavigate, useSearchParams } from "react-router";
import { queryOf } from "../api/client.ts";
import { useRead } from "../api/hooks.ts";
import { useScope } from "../api/scope.ts";
import { Failure } from "./failure.tsx";
import { type Filter, Filters } from "./filters.tsx";
import { Page } from "./page.tsx";

export type Column<Row> = { header: string; cell: (row: Row) => ReactNode; align?: "right"; width?: number };

export type ListPageProps<Row> = {
  title: string;
  lead?: ReactNode;
  /** Of the list in the API: `collections`. Its CSV is at the same path with `.csv`. */
  path: string;
  /** Narrows the list whatever the filters say. */
  fixed?: Record<string, string>;
  columns: Column<Row>[];
  filters?: Filter[];
  /** Of one row. */
  keyOf: (row: Row) => string;
  /** Where a row's record is, under the list's own address: its reference. Without it rows lead nowhere. */
  linkOf?: (row: Row) => string;
  /** Shown instead of the table, the filters and the actions, while nothing was ever there. */
  empty: ReactNode;
  actions?: ReactNode;
};

type BrowsePage<Row> = { data: Row[]; next: string | null };

/**
 * A list of any length: dense rows under a sticky header, filters and the place in the address bar, rows by arrow keys, records
 * beside it in a panel with an address of their own, and all of it as CSV.
 */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { api } = useScope();
  const [params] = useSearchParams();
  const fields = { ...Object.fromEntries(params), ...props.fixed };
  const page = useRead<BrowsePage<Row>>(props.path, fields);
  const { after: _, ...narrowed } = fields;
  const isNarrowed = Object.keys(narrowed).length > Object.keys(props.fixed ?? {}).length;
  const isEmpty = page.data?.data.length === 0;
  const isBare = isEmpty && !isNarrowed && !fields.after;
  const csv = (
    <Button
      component="a"
      href={`${api}/${props.path}.csv${queryOf(narrowed)}`}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      CSV
    </Button>
  );
  const actions = (
    <>
      {!isEmpty && csv}
      {!isBare && props.actions}
    </>
  );
  return (
    <Page title={props.title} lead={props.lead} actions={actions}>
      {props.filters && !isBare && <Filters key={isNarrowed ? "some" : "none"} filters={props.filters} />}
      {page.error && <Failure error={page.error} onRetry={() => void page.refetch()} />}
      {isBare && props.empty}
      {isEmpty && !isBare && <NothingFound />}
      {!page.error && !isEmpty && <Rows {...props} rows={page.data?.data} />}
      {page.data && !isEmpty && <Pages next={page.data.next} />}
      <Outlet />
    </Page>
  );
}

function NothingFound() {
  const navigate = useNavigate();
  return (
    <Stack align="center" py={40} gap="xs">
      <Text>Nothing fits these filters.</Text>
      <Button variant="default" onClick={() => navigate({ search: "" })}>
        Show everything
      </Button>
    </Stack>
  );
}

function Rows<Row>({ columns, rows, keyOf, linkOf, title }: ListPageProps<Row> & { rows: Row[] | undefined }) {
  return (
    <Table.ScrollContainer
      minWidth={columns.length * 110}
      className="rows"
      maxHeight="70vh"
      scrollAreaProps={linkOf ? {} : SCROLLED_BY_KEYS}
    >
      <Table stickyHeader highlightOnHover verticalSpacing={8} aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, align, width }) => (
              <Table.Th key={header} scope="col" ta={align} w={width}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows?.map((row) => <ListRow key={keyOf(row)} row={row} columns={columns} link={linkOf?.(row)} />) ?? (
            <Placeholders columns={columns.length} />
          )}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Rows that lead nowhere cannot have the focus; then the list itself can, so that it scrolls by keyboard. */
export const SCROLLED_BY_KEYS = { viewportProps: { tabIndex: 0 } };

function ListRow<Row>({ row, columns, link }: { row: Row; columns: Column<Row>[]; link: string | undefined }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const open = link === undefined ? undefined : () => navigate(`${encodeURIComponent(link)}${search}`);
  const opening = open && {
    "data-href": link,
    tabIndex: 0,
    onClick: ({ target }: MouseEvent) => !isOnControl(target) && !window.getSelection()?.toString() && open(),
    onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => moveOrOpen(event, open),
  };
  return (
    <Table.Tr className="arrived" {...opening}>
      {columns.map(({ header, cell, align }) => (
        <Table.Td key={header} ta={align}>
          {cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** A button in a row does what it says, and does not open the row. */
const isOnControl = (target: EventTarget) => target instanceof Element && target.closest("a, button, input") !== null;

/** Up and down go from row to row; Enter opens the one that has the focus. */
function moveOrOpen(event: KeyboardEvent<HTMLTableRowElement>, open: () => void): void {
  if (event.target !== event.currentTarget) return;
  const { nextElementSibling, previousElementSibling } = event.currentTarget;
  const to = event.key === "ArrowDown" ? nextElementSibling : event.key === "ArrowUp" ? previousElementSibling : null;
  if (event.key === "Enter") open();
  if (to instanceof HTMLElement) to.focus();
  if (event.key === "Enter" || to) event.preventDefault();
}

function Placeholders({ columns }: { columns: number }) {
  return Array.from({ length: 8 }, (_, row) => (
    <Table.Tr key={row}>
      <Table.Td colSpan={columns}>
        <Skeleton height={14} />
      </Table.Td>
    </Table.Tr>
  ));
}

/** Older pages follow the list's cursor; the way back is the browser's own. */
function Pages({ next }: { next: string | null }) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const isFirst = !params.has("after");
  const older = () => {
    const search = new URLSearchParams(params);
    if (next) search.set("after", next);
    navigate({ search: search.toString() });
  };
  const newest = () => {
    const search = new URLSearchParams(params);
    search.delete("after");
    navigate({ search: search.toString() });
  };
  if (isFirst && !next) return null;
  return (
    <Group justify="flex-end">
      <Button variant="default" disabled={isFirst} onClick={newest}>
        Newest
      </Button>
      <Button variant="default" disabled={isFirst} onClick={() => navigate(-1)}>
        Newer
      </Button>
      <Button variant="default" disabled={!next} onClick={older}>
        Older
      </Button>
    </Group>
  );
}
