import type { Reply, RequestContract } from "@collect/contracts";
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, type Fields } from "./client.ts";
import { useReauthentication } from "./reauthentication.tsx";
import { useScope } from "./scope.ts";

/** What the server answers for a request of the bus: `ReplyOf<typeof browseCollections>`. */
export type ReplyOf<Contract extends RequestContract> = Reply<Contract>;

/**
 * Reads something of the merchant and mode around the page. The first word of the path is the noun under which live updates
 * and mutations make it be read again.
 */
export function useRead<Answer>(
  path: string,
  fields: Fields = {},
  options: { enabled?: boolean; refetchInterval?: number } = {},
) {
  const { merchantId, mode, api } = useScope();
  return useQuery({
    queryKey: [merchantId, mode, nounOf(path), path, fields],
    queryFn: () => call<Answer>("GET", `${api}/${path}`, fields),
    placeholderData: keepPreviousData,
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
