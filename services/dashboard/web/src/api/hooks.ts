import type { RequestContract, WireResult } from "@collect/contracts";
import {
  keepPreviousData,
  type Query,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { call, type Fields } from "./client.ts";
import { useReauthentication } from "./reauthentication.tsx";
import { useScope } from "./scope.ts";

/** What the server answers for a request of the bus: `ReplyOf<typeof browseCollections>`. */
export type ReplyOf<Contract extends RequestContract> = WireResult<Contract>;

/** How often what is still under way is read again. */
const MOVING_MS = 4_000;

export type ReadOptions<Answer> = {
  enabled?: boolean;
  refetchInterval?: number | ((query: Query<Answer>) => number | false);
  /** Whether something of the answer is still under way: then it is read again every few seconds, while the page is seen. */
  isMoving?: ((answer: Answer) => boolean) | undefined;
};

/**
 * Reads something of the merchant and mode around the page. The first word of the path is the noun under which live updates
 * and mutations make it be read again.
 */
export function useRead<Answer>(path: string, fields: Fields = {}, { isMoving, ...options }: ReadOptions<Answer> = {}) {
  const { merchantId, mode, api } = useScope();
  return useQuery<Answer>({
    queryKey: [merchantId, mode, nounOf(path), path, fields],
    queryFn: () => call<Answer>("GET", `${api}/${path}`, fields),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isMoving?.(data) ? MOVING_MS : false),
    ...options,
  });
}

/** Reads a list on and on, page after page; the same nouns make it be read again. */
export function useReadOn<Row>(path: string, fields: Fields = {}) {
  const { merchantId, mode, api } = useScope();
  return useInfiniteQuery({
    queryKey: [merchantId, mode, nounOf(path), path, fields, "on"],
    queryFn: ({ pageParam }) =>
      call<{ data: Row[]; next: string | null }>("GET", `${api}/${path}`, { ...fields, after: pageParam }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

/**
 * Does something, asking for the password first where the server wants it. `changes` are the nouns to be read again afterwards.
 * The path may depend on what is done.
 */
export function useAct<Answer, Given extends Fields = Fields>(
  path: string | ((given: Given) => string),
  options: { changes?: string[] } = {},
) {
  const { merchantId, mode, api } = useScope();
  const client = useQueryClient();
  const confirmed = useReauthentication();
  return useMutation({
    mutationFn: (given: Given) =>
      confirmed(() => call<Answer>("POST", `${api}/${typeof path === "string" ? path : path(given)}`, given)),
    onSuccess: async () => {
      await Promise.all(
        (options.changes ?? []).map((noun) => client.invalidateQueries({ queryKey: [merchantId, mode, noun] })),
      );
    },
  });
}

const nounOf = (path: string) => path.split(/[/?]/)[0] ?? path;
