import {
  keepPreviousData,
  type Query,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import {
  type ActFields,
  type ActPath,
  type ActResponse,
  actMerchant,
  type FieldsAnd,
  type ListPath,
  type Noun,
  type PageOf,
  type ReadFields,
  type ReadPath,
  type ReadResponse,
  type RowOf,
  type TotalsOf,
  type TotalsPath,
} from "./calls.ts";
import { call } from "./client.ts";
import { useReauthentication } from "./reauthentication.tsx";
import { useScope } from "./scope.ts";

/** How often data in progress is refetched. */
const MOVING_MS = 4_000;

type ReadOptions<Response> = {
  enabled?: boolean;
  refetchInterval?: number | ((query: Query<Response>) => number | false);
  /** Whether part of the response is still in progress: then it is refetched every few seconds while the page is visible. */
  isMoving?: ((response: Response) => boolean) | undefined;
};

/**
 * Reads a resource of the page's merchant and mode. The first segment of the path is the noun under which live updates
 * and mutations refetch it.
 */
export function useRead<Path extends ReadPath>(
  path: Path,
  ...[fields, options]: FieldsAnd<ReadFields<Path>, ReadOptions<ReadResponse<Path>>>
): UseQueryResult<ReadResponse<Path>> {
  return useReading<ReadResponse<Path>>(path, fields ?? {}, options);
}

/** Reads a path that is passed to a generic component. */
export function useReadOf<Path extends ReadPath>(
  path: Path,
  fields: ReadFields<Path>,
  options: ReadOptions<ReadResponse<Path>>,
): UseQueryResult<ReadResponse<Path>> {
  return useReading<ReadResponse<Path>>(path, fields, options);
}

/** Reads one page of a list. Its filters come from the URL, which can contain anything: the server validates them. */
export function useReadPage<Path extends ListPath>(
  path: Path,
  filters: Record<string, string>,
  options: ReadOptions<PageOf<RowOf<Path>>>,
): UseQueryResult<PageOf<RowOf<Path>>> {
  return useReading<PageOf<RowOf<Path>>>(path, filters, options);
}

/** Reads what a list comes to, with the filters of its URL. */
export function useReadTotals<Path extends TotalsPath>(
  path: Path,
  filters: Record<string, string>,
): UseQueryResult<{ totals: TotalsOf<Path> | null }> {
  return useReading<{ totals: TotalsOf<Path> | null }>(path, filters);
}

function useReading<Response>(
  path: string,
  fields: object,
  { isMoving, ...options }: ReadOptions<Response> = {},
): UseQueryResult<Response> {
  const { merchantId, mode, api } = useScope();
  return useQuery<Response>({
    queryKey: [merchantId, mode, nounOf(path), path, fields],
    queryFn: () => call<Response>("GET", api, path, fields),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isMoving?.(data) ? MOVING_MS : false),
    ...options,
  });
}

/** Reads a list page after page (infinite query); the same nouns refetch it. */
export function useReadOn<Path extends ListPath>(path: Path, fields: ReadFields<Path>) {
  const { merchantId, mode, api } = useScope();
  return useInfiniteQuery({
    queryKey: [merchantId, mode, nounOf(path), path, fields, "on"],
    queryFn: ({ pageParam }) => call<PageOf<RowOf<Path>>>("GET", api, path, { ...fields, after: pageParam }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

/** Sends a write, with reauthentication first if the server requires it. `changes` are the nouns to refetch afterwards. */
export function useAct<Path extends ActPath>(
  path: Path,
  options: {
    changes?: readonly Noun[];
    /** Called before they are refetched, so while what was acted on is still shown. */
    onDone?: (response: ActResponse<Path>) => void;
  } = {},
) {
  const { merchantId, mode, api } = useScope();
  const client = useQueryClient();
  const confirmed = useReauthentication();
  return useMutation({
    // What was sent can be a person's number: the cache drops it with the form.
    gcTime: 0,
    mutationFn: (given: ActFields<Path>) => confirmed(() => actMerchant(api, path, given)),
    onSuccess: async (response) => {
      options.onDone?.(response);
      await Promise.all(
        (options.changes ?? []).map((noun) => client.invalidateQueries({ queryKey: [merchantId, mode, noun] })),
      );
    },
  });
}

const nounOf = (path: string) => path.split("/")[0] ?? path;
