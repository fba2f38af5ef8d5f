import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { Failure } from "../components/failure.tsx";
import { ListPager } from "../components/list-pager.tsx";
import { type Column, ListRows } from "../components/list-rows.tsx";

/** One list of a page: what is read, its rows, and what is said where there are none. */
export function List<Data, Row>(props: {
  title: string;
  read: Pick<UseQueryResult<Data>, "data" | "error" | "refetch" | "isPlaceholderData">;
  rowsOf: (data: Data) => Row[];
  nextOf?: (data: Data) => string | null;
  columns: Column<Row>[];
  keyOf: (row: Row) => string;
  linkOf?: (row: Row) => string;
  /** Not said while some of it could not be read. */
  none: string | undefined;
}) {
  const { title, read, rowsOf, nextOf, columns, keyOf, linkOf, none } = props;
  const { data, error, refetch, isPlaceholderData } = read;
  const [params] = useSearchParams();
  const rows = data && rowsOf(data);
  return (
    <>
      {error && <Failure error={error} isOld={data !== undefined} onRetry={() => void refetch()} />}
      {rows?.length === 0 && none && (
        <Text c="dimmed" py="lg" role="status">
          {none}
        </Text>
      )}
      {rows?.length !== 0 && (rows || !error) && (
        <ListRows {...{ title, columns, keyOf, linkOf, rows, isOld: isPlaceholderData, place: `${title} ${params}` }} />
      )}
      {data && nextOf && <ListPager next={nextOf(data)} isOld={isPlaceholderData} />}
    </>
  );
}
