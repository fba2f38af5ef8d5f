import { Skeleton, Stack, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import type { ReadFields, ReadPath, ReadResponse } from "../api/calls.ts";
import { useReadOf } from "../api/hooks.ts";
import { ApiProblem } from "../api/problem.ts";
import { useScope } from "../api/scope.ts";
import { Failure } from "./failure.tsx";
import { RecordFrame } from "./record-frame.tsx";

/**
 * A panel about one record: its call and its content. A failed refresh keeps the data read before, and
 * neither the content nor the form state of one record is ever shown under another's name.
 */
export function RecordPanel<Path extends ReadPath>(props: {
  title: string;
  /** The path of the list beside it: `collections`. */
  list: string;
  path: Path;
  fields: ReadFields<Path>;
  /** Whether the record is still in progress: then it is refetched every few seconds. */
  isMoving?: (record: ReadResponse<Path>) => boolean;
  children: (record: ReadResponse<Path>) => ReactNode;
}) {
  const { home, mode } = useScope();
  const read = useReadOf(props.path, props.fields, { isMoving: props.isMoving });
  const record = read.isPlaceholderData ? undefined : read.data;
  const isNotFound = read.error instanceof ApiProblem && read.error.code === "not_found";
  return (
    <RecordFrame title={props.title} list={`${home}/${props.list}`}>
      <Stack>
        {isNotFound && (
          <Text>Nothing was found for this reference in {mode} mode. It may exist in the other mode.</Text>
        )}
        {read.error && !isNotFound && (
          <Failure error={read.error} isOld={record !== undefined} onRetry={() => void read.refetch()} />
        )}
        {!record && !read.error && <Skeleton height={240} />}
        {record && !isNotFound && <Fragment key={JSON.stringify(props.fields)}>{props.children(record)}</Fragment>}
      </Stack>
    </RecordFrame>
  );
}
