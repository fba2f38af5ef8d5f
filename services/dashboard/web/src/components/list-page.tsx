import { Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useLocation, useNavigate, useOutlet, useResolvedPath, useSearchParams } from "react-router";
import type { ListPath, RowOf } from "../api/calls.ts";
import { queryOf } from "../api/client.ts";
import { useReadPage } from "../api/hooks.ts";
import { useMay } from "../api/scope.ts";
import { Failure } from "./failure.tsx";
import { type Filter, Filters } from "./filters.tsx";
import { ChooseColumns, useChosenColumns } from "./list-columns.tsx";
import { ExportMenu } from "./list-export.tsx";
import { ListPager } from "./list-pager.tsx";
import { type Column, ListRows } from "./list-rows.tsx";
import "./lists.css";
import { Page } from "./page.tsx";
import { type RecordPlace, useListState, useRoomBeside } from "./record-place.ts";

export type { Column } from "./list-rows.tsx";

type ListPageProps<Path extends ListPath> = {
  title: string;
  lead?: ReactNode;
  /** The list's path in the API: `collections`. Its CSV is at the same path with `.csv`, its workbook with `.xlsx`. */
  path: Path;
  /** A fixed filter, on top of the user's. */
  fixed?: Record<string, string>;
  columns: Column<RowOf<Path>>[];
  filters?: Filter[];
  /** The key of a row. */
  keyOf: (row: RowOf<Path>) => string;
  /** The path of a row's record below the list's own: its reference. Without it rows are not links. */
  linkOf?: (row: RowOf<Path>) => string;
  /** Whether a row is still in progress: then the list is refetched every few seconds. */
  isMoving?: (row: RowOf<Path>) => boolean;
  /** What all that matches comes to. */
  totals?: (filters: Record<string, string>) => ReactNode;
  /** Rows can be selected, to be exported by their keys, and for what `acts` can do with them. */
  select?: { acts?: false | ((rows: RowOf<Path>[]) => ReactNode) };
  /** Shown instead of the table, the filters and the actions while the list has never had a row. */
  empty: ReactNode;
  actions?: ReactNode;
};

/**
 * A list of any length: dense rows under a sticky header, filters and cursor in the URL, moved through by keys, exported as it is
 * filtered. A record has its own URL: opened from the list it is beside it, if there is room, and else instead of it.
 */
export function ListPage<Path extends ListPath>(props: ListPageProps<Path>) {
  const [params] = useSearchParams();
  const { isMoving, fixed } = props;
  const fields = { ...Object.fromEntries(params), ...fixed };
  const open = useOpenRecord();
  const hasRoom = useRoomBeside();
  const { beside: cameFromList = false } = useListState();
  const page = useReadPage(props.path, fields, {
    enabled: open === undefined || cameFromList,
    isMoving: isMoving && (({ data }) => data.some(isMoving)),
  });
  const isBeside = cameFromList && hasRoom;
  const record = useOutlet({ isBeside, ...useNeighbors(props, page.data?.data, open) } satisfies RecordPlace);
  if (record && !isBeside) return record;
  return (
    <div className={record ? "beside" : undefined}>
      <List {...props} {...{ page, fields, open }} />
      {record}
    </div>
  );
}

type ListProps<Path extends ListPath> = ListPageProps<Path> & {
  page: ReturnType<typeof useReadPage<Path>>;
  fields: Record<string, string>;
  open: string | undefined;
};

function List<Path extends ListPath>(props: ListProps<Path>) {
  const { path, fixed, page, fields, open, keyOf } = props;
  const mayExport = useMay(LOGS.has(path) ? "logs" : "exports");
  const select = mayExport || props.select?.acts ? props.select : undefined;
  const { columns, choice } = useChosenColumns(path, props.columns);
  const { after, ...narrowed } = fields;
  const place = queryOf(fields);
  const isNarrowed = Object.keys(narrowed).length > Object.keys(fixed ?? {}).length;
  // Until the response arrives the previous rows are shown dimmed; an empty previous page proves nothing.
  const isOld = page.isPlaceholderData;
  const shown = isOld && page.data?.data.length === 0 ? undefined : page.data;
  const picked = usePicked(place, shown?.data ?? [], keyOf);
  const isEmpty = shown?.data.length === 0;
  const isFirstUse = isEmpty && !isNarrowed && !after;
  const actions = (
    <>
      {!isFirstUse && <ChooseColumns {...choice} />}
      {!isEmpty && mayExport && <ExportMenu path={path} filters={narrowed} />}
      {!isFirstUse && props.actions}
    </>
  );
  return (
    <Page title={props.title} lead={props.lead} actions={actions}>
      {props.filters && !isFirstUse && <Filters filters={props.filters} />}
      {picked.rows.length > 0 && select ? (
        <Selection count={picked.rows.length} onClear={() => picked.set(NONE)}>
          {mayExport && (
            <ExportMenu
              path={path}
              filters={{ ...fixed, references: [...picked.keys].join(",") }}
              of={picked.keys.size}
            />
          )}
          {select.acts ? select.acts(picked.rows) : null}
        </Selection>
      ) : (
        !isEmpty && props.totals?.(narrowed)
      )}
      {page.error && <Failure error={page.error} isOld={shown !== undefined} onRetry={() => void page.refetch()} />}
      {isFirstUse && props.empty}
      {!isEmpty && shown?.is_partial && (
        <Text size="sm">Too many matches: some aren't shown. Type more to narrow the search.</Text>
      )}
      {isEmpty && !isFirstUse && <NothingFound isLast={shown?.next === null} />}
      {!isEmpty && (shown || !page.error) && (
        <ListRows {...{ ...props, columns, rows: shown?.data, isOld, open, place }} picked={select && picked} />
      )}
      {shown && (!isEmpty || shown.next) && <ListPager next={shown.next} isOld={isOld} />}
    </Page>
  );
}

/** The lists that hold neither money nor people. */
const LOGS = new Set<ListPath>(["deliveries", "requests"]);
const NONE: ReadonlySet<string> = new Set();

/**
 * The selected rows of one page of one list, also those that newer ones have pushed off it: another page, or another filter, begins
 * with none.
 */
function usePicked<Row>(place: string, shown: Row[], keyOf: (row: Row) => string) {
  const [picked, setPicked] = useState<{ place: string; rows: Row[] }>({ place, rows: [] });
  const before = picked.place === place ? picked.rows : [];
  const known = new Map([...before, ...shown].map((row) => [keyOf(row), row]));
  const rowsOf = (keys: Iterable<string>) => [...keys].flatMap((key) => known.get(key) ?? []);
  const keys = new Set(before.map(keyOf));
  const set = (keys: ReadonlySet<string>) => setPicked({ place, rows: rowsOf(keys) });
  return { keys, rows: rowsOf(keys), set };
}

/** The record in the URL below the list's own. */
function useOpenRecord(): string | undefined {
  const list = useResolvedPath("").pathname;
  const [, reference] = useLocation().pathname.split(`${list}/`);
  return reference ? decodeURIComponent(reference) : undefined;
}

function useNeighbors<Row>(
  { linkOf }: { linkOf?: ((row: Row) => string) | undefined },
  rows: Row[] | undefined,
  open: string | undefined,
): Pick<RecordPlace, "previous" | "next"> {
  const navigate = useNavigate();
  const { search } = useLocation();
  const state = useListState();
  const links = linkOf && rows ? rows.map(linkOf) : [];
  const at = open === undefined ? -1 : links.indexOf(open);
  const to = (link: string | undefined) =>
    link === undefined || at === -1
      ? undefined
      : () => void navigate(`${encodeURIComponent(link)}${search}`, { state, replace: true });
  return { previous: to(links[at - 1]), next: to(links[at + 1]) };
}

function Selection({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) {
  return (
    <Group gap="xs" role="region" aria-label="Selected rows">
      <Text size="sm" fw={600} role="status">
        {count} selected
      </Text>
      {children}
      <Button variant="subtle" size="xs" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  );
}

function NothingFound({ isLast }: { isLast: boolean }) {
  const navigate = useNavigate();
  return (
    <Stack align="center" py={40} gap="xs">
      <Text>
        {isLast ? "No results match these filters." : "None of the newest match these filters. Older ones may."}
      </Text>
      <Button variant="default" onClick={() => navigate({ search: "" })}>
        Clear filters
      </Button>
    </Stack>
  );
}
