import { Checkbox, Skeleton, Table } from "@mantine/core";
import { type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { useArrived } from "./arrived.ts";
import { useKeys } from "./keys.ts";
import { useListState } from "./record-place.ts";

/**
 * A column. Where rows have two lines, name and amount are the first, status and time the second, and the rest is left out; the
 * first column, the link to the record, is one of the four.
 */
export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "right";
  width?: number;
  narrow?: Narrow;
  /** Shown only to people who chose it. */
  isExtra?: boolean;
};
type Narrow = "name" | "amount" | "status" | "time";

type ListRowsProps<Row> = {
  title: string;
  columns: Column<Row>[];
  keyOf: (row: Row) => string;
  linkOf?: ((row: Row) => string) | undefined;
  /** Undefined until they are known. */
  rows: Row[] | undefined;
  /** They are placeholders while others are being read. */
  isOld: boolean;
  /** Identifies the list with its filters and cursor: after a change no row is new. */
  place: string;
  /** The link of the record that is open beside the list. */
  open?: string | undefined;
  /** The keys of the selected rows; without it none can be selected. */
  picked?: Picked | undefined;
};

export type Picked = { keys: ReadonlySet<string>; set: (keys: ReadonlySet<string>) => void };

export function ListRows<Row>(props: ListRowsProps<Row>) {
  const { columns, rows, keyOf, linkOf, title, isOld, place, open, picked } = props;
  const arrived = useArrived(place, isOld ? undefined : rows, keyOf);
  const table = useRef<HTMLTableElement>(null);
  useKeys(open === undefined ? { j: () => moveFocus(table.current, 1), k: () => moveFocus(table.current, -1) } : {});
  return (
    <div className="list">
      <Table
        ref={table}
        stickyHeader
        stickyHeaderOffset="var(--app-shell-header-offset, 0px)"
        highlightOnHover={linkOf !== undefined}
        layout="fixed"
        aria-label={title}
        aria-busy={isOld || !rows}
        data-old={isOld || undefined}
      >
        <Table.Thead>
          <Table.Tr>
            {picked && <PickAll picked={picked} keys={rows?.map(keyOf) ?? []} />}
            {columns.map(({ header, align, width }) => (
              <Table.Th key={header} scope="col" ta={align} w={width}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows?.map((row) => {
            const [key, link] = [keyOf(row), linkOf?.(row)];
            const isOpen = link !== undefined && link === open;
            const isNew = arrived.has(key);
            return <ListRow key={key} name={key} {...{ row, columns, link, isOpen, isNew, picked }} />;
          }) ?? <Placeholders columns={columns.length + (picked ? 1 : 0)} />}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function PickAll({ picked, keys }: { picked: Picked; keys: string[] }) {
  const count = keys.filter((key) => picked.keys.has(key)).length;
  return (
    <Table.Th w={40}>
      <Checkbox
        size="xs"
        aria-label="Select all rows of this page"
        checked={count > 0 && count === keys.length}
        indeterminate={count > 0 && count < keys.length}
        onChange={(event) => picked.set(new Set(event.currentTarget.checked ? keys : []))}
      />
    </Table.Th>
  );
}

type ListRowProps<Row> = {
  row: Row;
  name: string;
  columns: Column<Row>[];
  link: string | undefined;
  isOpen: boolean;
  isNew: boolean;
  picked: Picked | undefined;
};

/** The first cell links to the record, for keyboards and new tabs; a pointer can click anywhere in the row. */
function ListRow<Row>({ row, name, columns, link, isOpen, isNew, picked }: ListRowProps<Row>) {
  const navigate = useNavigate();
  const { search, key: visit } = useLocation();
  const { focus, ...kept } = useListState();
  const [line, anchor] = [useRef<HTMLTableRowElement>(null), useRef<HTMLAnchorElement>(null)];
  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  // With each visit anew.
  useEffect(() => {
    if (link !== undefined && focus === link) anchor.current?.focus();
  }, [focus, link, visit]);
  const to = link === undefined ? undefined : `${encodeURIComponent(link)}${search}`;
  const state = { ...kept, beside: true };
  const opening = to !== undefined && {
    "data-href": link,
    onClick: ({ target }: MouseEvent) =>
      !isOnControl(target) && !window.getSelection()?.toString() && navigate(to, { state }),
  };
  return (
    <Table.Tr ref={line} className={isNew ? "arrived" : undefined} data-open={isOpen || undefined} {...opening}>
      {picked && <Pick picked={picked} name={name} />}
      {columns.map(({ header, cell, align, narrow }, place) => (
        <Table.Td key={header} ta={align} {...placed(narrow)}>
          {to !== undefined && place === 0 ? (
            <Link
              ref={anchor}
              {...{ to, state }}
              className="row-link"
              aria-current={isOpen || undefined}
              onKeyDown={moveByArrows}
            >
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

const placed = (narrow: Narrow | "pick" | undefined) =>
  narrow && { "data-narrow": narrow, style: { "--narrow": narrow } as CSSProperties };

function Pick({ picked: { keys, set }, name }: { picked: Picked; name: string }) {
  return (
    <Table.Td {...placed("pick")}>
      <Checkbox
        size="xs"
        aria-label={`Select ${name}`}
        checked={keys.has(name)}
        onChange={({ currentTarget: { checked } }) =>
          set(new Set(checked ? [...keys, name] : [...keys].filter((key) => key !== name)))
        }
      />
    </Table.Td>
  );
}

/** A control in a row does not open the row. */
const isOnControl = (target: EventTarget) => target instanceof Element && target.closest("a, button, input") !== null;

/** The up and down keys move between the links of the rows, as J and K do. */
function moveByArrows(event: KeyboardEvent<HTMLAnchorElement>): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by !== 0 && moveFocus(event.currentTarget.closest("table"), by)) event.preventDefault();
}

function moveFocus(table: HTMLTableElement | null, by: 1 | -1): boolean {
  const links = [...(table?.querySelectorAll<HTMLElement>(".row-link") ?? [])];
  const active = document.activeElement;
  const at = active instanceof HTMLElement ? links.indexOf(active) : -1;
  const to = links[at === -1 ? 0 : at + by];
  to?.focus();
  return to !== undefined;
}

function Placeholders({ columns }: { columns: number }) {
  return Array.from({ length: 8 }, (_, row) => (
    <Table.Tr key={row}>
      <Table.Td colSpan={columns} {...placed("name")}>
        <Skeleton height={14} />
      </Table.Td>
    </Table.Tr>
  ));
}
