import { Skeleton, Table } from "@mantine/core";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";

export type Column<Row> = { header: string; cell: (row: Row) => ReactNode; align?: "right"; width?: number };

type ListRowsProps<Row> = {
  title: string;
  columns: Column<Row>[];
  keyOf: (row: Row) => string;
  linkOf?: (row: Row) => string;
  /** Undefined until they are known. */
  rows: Row[] | undefined;
  /** They are placeholders while others are being read. */
  isOld: boolean;
  /** Identifies the list with its filters and cursor: after a change no row is new. */
  place: string;
};

export function ListRows<Row>({ columns, rows, keyOf, linkOf, title, isOld, place }: ListRowsProps<Row>) {
  const arrived = useArrived(place, isOld ? undefined : rows, keyOf);
  return (
    <Table.ScrollContainer
      minWidth={columns.length * 110}
      className="rows"
      maxHeight="70vh"
      scrollAreaProps={linkOf ? {} : SCROLLED_BY_KEYS}
    >
      <Table
        stickyHeader
        highlightOnHover
        verticalSpacing={8}
        aria-label={title}
        aria-busy={isOld || !rows}
        data-old={isOld || undefined}
      >
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
          {rows?.map((row) => {
            const key = keyOf(row);
            return <ListRow key={key} row={row} columns={columns} link={linkOf?.(row)} hasArrived={arrived.has(key)} />;
          }) ?? <Placeholders columns={columns.length} />}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Rows without a link cannot be focused; then the list itself can, so that it scrolls by keyboard. */
export const SCROLLED_BY_KEYS = { viewportProps: { tabIndex: 0 } };

const NONE: ReadonlySet<string> = new Set();

/** The rows that were not in the list at the previous read. On the first read none is new. */
export function useArrived<Row>(
  place: string,
  rows: Row[] | undefined,
  keyOf: (row: Row) => string,
): ReadonlySet<string> {
  const [seen, setSeen] = useState({ place, rows, arrived: NONE });
  if (!rows || (seen.rows === rows && seen.place === place)) return seen.arrived;
  const before = seen.place === place && seen.rows ? new Set(seen.rows.map(keyOf)) : undefined;
  const arrived = before ? new Set(rows.map(keyOf).filter((key) => !before.has(key))) : NONE;
  setSeen({ place, rows, arrived });
  return arrived;
}

type ListRowProps<Row> = { row: Row; columns: Column<Row>[]; link: string | undefined; hasArrived: boolean };

/** The first cell links to the record, for keyboards and new tabs; a pointer can click anywhere in the row. */
function ListRow<Row>({ row, columns, link, hasArrived }: ListRowProps<Row>) {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const to = link === undefined ? undefined : `${encodeURIComponent(link)}${search}`;
  const opening = to !== undefined && {
    "data-href": link,
    onClick: ({ target }: MouseEvent) =>
      !isOnControl(target) && !window.getSelection()?.toString() && navigate(to, { state }),
  };
  return (
    <Table.Tr className={hasArrived ? "arrived" : undefined} {...opening}>
      {columns.map(({ header, cell, align }, place) => (
        <Table.Td key={header} ta={align}>
          {to !== undefined && place === 0 ? (
            <Link to={to} state={state} className="row-link" onKeyDown={moveByArrows}>
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

/** A control in a row does not open the row. */
const isOnControl = (target: EventTarget) => target instanceof Element && target.closest("a, button, input") !== null;

/** The up and down keys move between the links of the rows. */
function moveByArrows(event: KeyboardEvent<HTMLAnchorElement>): void {
  const row = event.currentTarget.closest("tr");
  const to =
    event.key === "ArrowDown"
      ? row?.nextElementSibling
      : event.key === "ArrowUp"
        ? row?.previousElementSibling
        : undefined;
  const link = to?.querySelector(".row-link");
  if (!(link instanceof HTMLElement)) return;
  event.preventDefault();
  link.focus();
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
