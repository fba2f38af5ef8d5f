import { Button, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Outlet, useNavigate, useSearchParams } from "react-router";
import type { ListPath, RowOf } from "../api/calls.ts";
import { queryOf } from "../api/client.ts";
import { useReadPage } from "../api/hooks.ts";
import { useMay, useScope } from "../api/scope.ts";
import { Failure } from "./failure.tsx";
import { type Filter, Filters } from "./filters.tsx";
import { ListPager } from "./list-pager.tsx";
import { type Column, ListRows } from "./list-rows.tsx";
import { Page } from "./page.tsx";

export { type Column, SCROLLED_BY_KEYS } from "./list-rows.tsx";

type ListPageProps<Path extends ListPath> = {
  title: string;
  lead?: ReactNode;
  /** The list's path in the API: `collections`. Its CSV is at the same path with `.csv`. */
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
  /** Shown instead of the table, the filters and the actions while the list has never had a row. */
  empty: ReactNode;
  actions?: ReactNode;
};

/**
 * A list of any length: dense rows under a sticky header, filters and cursor in the URL, arrow-key navigation, records
 * in a side panel with their own URL, and CSV export.
 */
export function ListPage<Path extends ListPath>(props: ListPageProps<Path>) {
  const { api } = useScope();
  const mayExport = useMay(LOGS.has(props.path) ? "logs" : "exports");
  const [params] = useSearchParams();
  const fields = { ...Object.fromEntries(params), ...props.fixed };
  const { isMoving } = props;
  const page = useReadPage(props.path, fields, {
    isMoving: isMoving && (({ data }) => data.some(isMoving)),
  });
  const { after: _, ...narrowed } = fields;
  const isNarrowed = Object.keys(narrowed).length > Object.keys(props.fixed ?? {}).length;
  // Until the response arrives the previous rows are shown dimmed; an empty previous page proves nothing.
  const isOld = page.isPlaceholderData;
  const shown = isOld && page.data?.data.length === 0 ? undefined : page.data;
  const isEmpty = shown?.data.length === 0;
  const isFirstUse = isEmpty && !isNarrowed && !fields.after;
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
      {!isEmpty && mayExport && csv}
      {!isFirstUse && props.actions}
    </>
  );
  return (
    <Page title={props.title} lead={props.lead} actions={actions}>
      {props.filters && !isFirstUse && <Filters filters={props.filters} />}
      {page.error && <Failure error={page.error} isOld={shown !== undefined} onRetry={() => void page.refetch()} />}
      {isFirstUse && props.empty}
      {isEmpty && !isFirstUse && <NothingFound />}
      {!isEmpty && (shown || !page.error) && (
        <ListRows {...props} rows={shown?.data} isOld={isOld} place={queryOf(fields)} />
      )}
      {shown && !isEmpty && <ListPager next={shown.next} isOld={isOld} />}
      <Outlet />
    </Page>
  );
}

/** The lists that hold neither money nor people. */
const LOGS = new Set<ListPath>(["deliveries", "requests"]);

function NothingFound() {
  const navigate = useNavigate();
  return (
    <Stack align="center" py={40} gap="xs">
      <Text>No results match these filters.</Text>
      <Button variant="default" onClick={() => navigate({ search: "" })}>
        Clear filters
      </Button>
    </Stack>
  );
}
